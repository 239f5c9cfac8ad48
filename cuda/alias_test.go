package cuda_test

import (
	"math"
	"testing"

	"glint/cuda"
	"glint/cuda/probe"
)

// chosen draws indices from a frame whose light table is the given one.
func chosen(t *testing.T, table []cuda.AliasEntry, n int) []float32 {
	f := &cuda.Frame{Scene: cuda.SceneParams{LightAlias: upload(t, table), LightCount: uint32(len(table))}}
	r := newRandom(10)
	inputs, _ := probe.ChooseAlias.Arity()
	in := make([]float32, inputs*n)
	for i := range in {
		in[i] = unit(r)
	}
	return probe.ChooseAlias.Map(f, in)
}

func TestAliasFollowsPdf(t *testing.T) {
	table := pairedAlias([]float32{0.3, 1, 0, 0.02, 0.77, 0.5})
	observed, expected := make([]float64, len(table)), make([]float64, len(table))
	_, outputs := probe.ChooseAlias.Arity()
	out := chosen(t, table, lightSamples)
	for i := 0; i < len(out); i += outputs {
		observed[int(out[i])]++
	}
	for i := range expected {
		expected[i] = float64(table[i].Pdf) * lightSamples
	}
	var f family
	f.add(t, "alias table", observed, expected)
	f.judge(t)
}

// In a table as long as a 1k environment has texels, a dim entry must still be chosen no more often than its share: a sun
// leaves one column in a hundred to the sky.
func TestAliasIsFairInLongTables(t *testing.T) {
	for _, kept := range []float32{0.001, 0.01, 0.1} {
		shares := make([]float32, 1<<18)
		for i := range shares {
			shares[i] = kept
		}
		const n = 1 << 21
		dim := 0
		_, outputs := probe.ChooseAlias.Arity()
		out := chosen(t, pairedAlias(shares), n)
		for i := 0; i < len(out); i += outputs {
			if int(out[i])%2 == 0 {
				dim++
			}
		}
		want := float64(kept) / 2 * n
		if math.Abs(float64(dim)-want) > 5*math.Sqrt(want) {
			t.Errorf("entries with %g of their column were chosen %d times of %d, expected %.0f", kept, dim, n, want)
		}
	}
}

// An environment of 8192 × 4096 texels has more columns than numbers of 24 bits can draw: 32 bits reach each of them alike.
func TestEveryColumnOfALargeTableIsDrawn(t *testing.T) {
	const n = 1 << 25
	var in []float32
	for i := range 4096 {
		bits := uint32(1234567+i) << 7 // the first number of 32 bits that belongs to a column
		in = append(in, float32(bits>>16), float32(bits&0xffff), n)
	}
	for i, out := 0, probe.Scaled.Map(&cuda.Frame{}, in); i < len(out); i += 2 {
		if got, want := int(out[i])*4096+int(out[i+1]), 1234567+i/2; got != want {
			t.Fatalf("number %d belongs to column %d, not %d", i/2, got, want)
		}
	}
}
