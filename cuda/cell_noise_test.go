package cuda_test

import (
	"math"
	"testing"

	"glint/cuda/probe"
)

// layersAt counts what shows at n random places: the base, the upper and the lower flakes, told apart by colour.
func layersAt(t *testing.T, n int) [3]float64 {
	t.Helper()
	p := probe.Point{Frame: tableFrame(t, 0), Material: material(0.3, paint), Wo: toward(1, 0)}
	m := &p.Material
	m.Specular, m.BaseColor, m.EdgeColor = 0, [4]float32{1, 0, 0, 1}, [3]float32{1, 0, 0}
	for i, color := range [][3]float32{{0, 1, 0}, {0, 0, 1}} {
		m.Flakes[i].Color, m.Flakes[i].OtherColor, m.Flakes[i].Spread = color, color, 0
	}
	m.Flakes[0].Coverage, m.Flakes[1].Coverage = 0.3, 0.6
	r := newRandom(7)
	var counts [3]float64
	for range n {
		p.Position = [3]float32{unit(r)*20 - 10, unit(r)*20 - 10, unit(r)*20 - 10}
		f := p.Eval([][3]float32{toward(0.9, 1)})[0].F
		for c := range counts {
			if f[c] > 0 {
				counts[c]++
			}
		}
	}
	return counts
}

// Each layer covers the share that it says of what the layer above leaves.
func TestFlakesCover(t *testing.T) {
	const n = 20000
	counts := layersAt(t, n)
	for c, want := range [3]float64{0.7 * 0.4, 0.3, 0.7 * 0.6} {
		if got := counts[c] / n; math.Abs(got-want) > 5*math.Sqrt(want*(1-want)/n) {
			t.Errorf("layer %d shows at a share of %.4f of the places, want %.4f", c, got, want)
		}
	}
}

// Places much nearer than the size of a flake are on one flake; places far apart are on two.
func TestFlakesHaveTheirSize(t *testing.T) {
	const n, size = 2000, 0.003
	p := probe.Point{Frame: tableFrame(t, 0), Material: material(0.3, flakes), Wo: toward(0.9, 0)}
	p.Material.Flakes[0].Size = size
	r := newRandom(8)
	for _, c := range []struct {
		distance  float32
		low, high float64
	}{{0.01, 0.95, 1}, {0.5, 0.2, 0.7}, {5, 0, 0.01}} {
		same := 0.0
		for range n {
			at := [3]float32{unit(r), unit(r), unit(r)}
			p.Position = at
			here := p.Eval([][3]float32{toward(0.8, 2)})[0]
			p.Position[1] += c.distance * size
			if p.Eval([][3]float32{toward(0.8, 2)})[0] == here {
				same++
			}
		}
		if share := same / n; share < c.low || share > c.high {
			t.Errorf("%g sizes apart, %.3f of the pairs lie on one flake, want %g to %g", c.distance, share, c.low, c.high)
		}
	}
}

// Far away and at no place at all, noise is still a number.
func TestNoiseTakesAnyPlace(t *testing.T) {
	p := probe.Point{Frame: tableFrame(t, 0), Material: material(0.3, flakes), Wo: toward(0.9, 0)}
	inf := float32(math.Inf(1))
	for _, at := range [][3]float32{{1e20, -1e20, 0}, {inf, -inf, 0}, {float32(math.NaN()), 0, 0}} {
		p.Position = at
		if v := p.Eval([][3]float32{toward(0.8, 2)})[0]; math.IsNaN(float64(v.F[0])) || !(v.Pdf >= 0) {
			t.Errorf("at %v: %+v", at, v)
		}
	}
}
