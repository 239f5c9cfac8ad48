package cuda_test

import (
	"math"
	"testing"

	"glint/cuda"
	"glint/cuda/probe"
)

func TestSinCosTurn(t *testing.T) {
	in := make([]float32, 4096)
	for i := range in {
		in[i] = float32(i) / 4096
	}
	out := probe.SinCosTurn.Map(&cuda.Frame{}, in)
	for i, turn := range in {
		s, c := math.Sincos(2 * math.Pi * float64(turn))
		if math.Abs(float64(out[2*i])-s) > 5e-7 || math.Abs(float64(out[2*i+1])-c) > 5e-7 {
			t.Fatalf("%g turns: (%g, %g), want (%g, %g)", turn, out[2*i], out[2*i+1], s, c)
		}
	}
}

// An offset of the error bound takes the point off its plane to the normal's side, at every size of scene.
func TestOffsetOriginLeavesTheSurface(t *testing.T) {
	r := newRandom(15)
	for _, scale := range []float32{0.01, 1, 100} {
		for range 1000 {
			n := toward(2*float64(unit(r))-1, 7*float64(unit(r)))
			p := [3]float32{scale * (2*unit(r) - 1), scale * (2*unit(r) - 1), scale * (2*unit(r) - 1)}
			err := scale * 32 / (1 << 24)
			out := probe.OffsetOrigin.Map(&cuda.Frame{}, []float32{p[0], p[1], p[2], n[0], n[1], n[2], err})
			var along float64
			for c := range 3 {
				along += (float64(out[c]) - float64(p[c])) * float64(n[c])
			}
			if along < 0.8*float64(err) || along > 1.2*float64(err) {
				t.Fatalf("scale %g: the origin moved by %g along the normal, want about %g", scale, along, err)
			}
		}
	}
}
