package cuda_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"glint/cuda"
	"glint/cuda/probe"
)

// weightFrame is what the resampling passes read: no scene, so no visibility.
func weightFrame() *cuda.Frame {
	return &cuda.Frame{Restir: cuda.RestirParams{MinDistance: 0.01, MisMode: cuda.MisBasic, ConfidenceCap: 20}}
}

// configuration is four pixels and a sample above the first; the others may be unable to use it.
func configuration(r *rand.Rand) []float32 {
	var in []float32
	for range 4 {
		p := vec{r.Float64() - 0.5, r.Float64() - 0.5, 0.6 * r.Float64()}
		in = append(in, float32s(p)...)
		in = append(in, 0.05+0.9*unit(r), float32(1+r.IntN(21)))
	}
	x2 := vec{2*r.Float64() - 1, 2*r.Float64() - 1, float64(in[2]) + 0.1 + 0.4*r.Float64()}
	n2 := direction(r)
	toX1 := vec{float64(in[0]), float64(in[1]), float64(in[2])}.sub(x2)
	if n2.dot(toX1) < 0 {
		n2 = n2.scale(-1)
	}
	return append(in, float32s(x2, n2)...)
}

// A sample's weights over all the pixels that might have drawn it must add up to one: less darkens, more brightens.
func TestReuseWeightsSumToOne(t *testing.T) {
	for name, f := range map[string]probe.Function{"pairwise": probe.PairwiseWeights, "balance": probe.BalanceWeights} {
		r := newRandom(26)
		partial := 0
		for range 10_000 {
			in := configuration(r)
			sum, zeros := 0.0, 0
			weights := f.Map(weightFrame(), in)
			for _, m := range weights {
				if !(m >= 0 && m <= 1.00001) {
					t.Fatalf("%s: weights %v for %v", name, weights, in)
				}
				if m == 0 {
					zeros++
				}
				sum += float64(m)
			}
			if zeros > 0 {
				partial++
			}
			if math.Abs(sum-1) > 1e-5 {
				t.Fatalf("%s: weights %v add up to %.7f for %v", name, weights, sum, in)
			}
		}
		if partial < 500 || partial > 9500 {
			t.Errorf("%s: in %d of 10000 configurations some pixel cannot have the sample; both kinds are wanted", name, partial)
		}
	}
}

// Pixels in one place differ by confidence alone, and the weights are known: c_i / Σ c for the balance heuristic, and
// with the defensive share (Bitterli 2022) c_i C / (C + c_r)² for a neighbour.
func TestReuseWeightsOfEqualPixels(t *testing.T) {
	confidences := []float64{5, 3, 8, 1}
	var in []float32
	for _, c := range confidences {
		in = append(in, 0, 0, 0, 0.5, float32(c))
	}
	in = append(in, 0.1, 0.2, 0.5, 0, 0, -1)
	pairwise := probe.PairwiseWeights.Map(weightFrame(), in)
	for i, c := range confidences[1:] {
		if want := c * 12 / (17 * 17); math.Abs(float64(pairwise[i+1])-want) > 1e-5 {
			t.Errorf("neighbour %d has a pairwise weight of %g, want %g", i+1, pairwise[i+1], want)
		}
	}
	// The temporal pass's own sample is always one fresh path.
	balance := probe.BalanceWeights.Map(weightFrame(), in)
	if math.Abs(float64(balance[0])-0.25) > 1e-5 || math.Abs(float64(balance[1])-0.75) > 1e-5 {
		t.Errorf("balance weights are %v, want 1/4 and 3/4", balance)
	}
}

// Weights of 1/M do not know that a pixel cannot have the sample, and the test of the sum must see it.
func TestNaiveWeightsDoNotSumToOne(t *testing.T) {
	r := newRandom(27)
	frame := weightFrame()
	frame.Restir.MisMode = cuda.MisNaive
	short := 0
	for range 1000 {
		sum := 0.0
		for _, m := range probe.PairwiseWeights.Map(frame, configuration(r)) {
			sum += float64(m)
		}
		if sum < 0.999 {
			short++
		}
	}
	if short < 50 {
		t.Errorf("1/M added up to one in all but %d of 1000 configurations", short)
	}
}
