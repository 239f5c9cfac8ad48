package gpuscene

import "glint/cuda"

// buildAlias is Walker's method in Vose's form (1991): draws i with probability weights[i] / sum in constant time.
func buildAlias(weights []float64) []cuda.AliasEntry {
	n := len(weights)
	table := make([]cuda.AliasEntry, n)
	sum := total(weights)
	if sum == 0 {
		return table
	}
	scaled := make([]float64, n)
	var small, large []uint32
	for i, w := range weights {
		table[i].Pdf = float32(w / sum)
		scaled[i] = w / sum * float64(n)
		if scaled[i] < 1 {
			small = append(small, uint32(i))
		} else {
			large = append(large, uint32(i))
		}
	}
	for len(small) > 0 && len(large) > 0 {
		s, l := small[len(small)-1], large[len(large)-1]
		small = small[:len(small)-1]
		table[s].Threshold, table[s].Alias = float32(scaled[s]), l
		scaled[l] -= 1 - scaled[s]
		if scaled[l] < 1 {
			large = large[:len(large)-1]
			small = append(small, l)
		}
	}
	for _, i := range append(small, large...) {
		table[i].Threshold, table[i].Alias = 1, i
	}
	return table
}

func total(weights []float64) (sum float64) {
	for _, w := range weights {
		sum += w
	}
	return sum
}
