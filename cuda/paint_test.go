package cuda_test

import (
	"fmt"
	"math"
	"testing"

	"glint/cuda"
	"glint/cuda/probe"
	"glint/tracer/tracertest"
)

// paint is white everywhere: two layers of flakes that cover half each, over a base, under the coat.
func paint(m *cuda.Material) {
	white := [3]float32{1, 1, 1}
	m.Flags |= cuda.MaterialPaint
	m.EdgeColor = white
	m.Flakes = [2]cuda.Flakes{
		{Color: white, OtherColor: white, Coverage: 0.5, Size: 0.002, Spread: 0.5, Exponent: 30},
		{Color: white, OtherColor: white, Coverage: 0.5, Size: 0.001, Spread: 0.2, Exponent: 200},
	}
}

// flakes is the upper layer alone, without a coat, and covers all.
func flakes(m *cuda.Material) {
	paint(m)
	m.Specular, m.Flakes[0].Coverage = 0, 1
}

// layered is a flake or the base by what covers everything: 0 the base.
func layered(layer int, change func(*cuda.Flakes)) func(*cuda.Material) {
	return func(m *cuda.Material) {
		paint(m)
		m.Specular = 0
		for i := range m.Flakes {
			m.Flakes[i].Coverage = 0
			if i == layer-1 {
				m.Flakes[i].Coverage = 1
				change(&m.Flakes[i])
			}
		}
	}
}

// somewhere are places that lie on flakes of their own.
func somewhere(i int) [3]float32 {
	return [3]float32{0.37 * float32(i), 0.011 * float32(i), -1.13 + 0.29*float32(i)}
}

func TestFlakeSamplesFollowPdf(t *testing.T) {
	frame := tableFrame(t, cuda.FrameEnergyCompensation)
	var f family
	for _, exponent := range []float32{1, 10, 150} {
		for _, spread := range []float32{0, 0.3, 1} {
			for i, cos := range []float64{1, 0.5, 0.25} {
				sharp := func(l *cuda.Flakes) { l.Exponent, l.Spread = exponent, spread }
				p := probe.Point{Frame: frame, Material: material(0.3, layered(1+i%2, sharp)), Wo: toward(cos, 0.7), Position: somewhere(i)}
				checkSampling(t, &f, fmt.Sprintf("exponent %g spread %g cos %g", exponent, spread, cos), &p)
			}
		}
	}
	base := probe.Point{Frame: frame, Material: material(0.3, layered(0, nil)), Wo: toward(0.4, 0.7)}
	checkSampling(t, &f, "base", &base)
	coated := base
	coated.Material = material(0.02, paint) // a coat that is no delta yet
	for i := range 6 {
		coated.Position = somewhere(i)
		checkSampling(t, &f, fmt.Sprintf("under a coat %d", i), &coated)
	}
	f.judge(t)
}

// The planted bug: a flake whose exponent is 4 % off must be rejected.
func TestFlakeSamplingCatchesPlantedBug(t *testing.T) {
	p := probe.Point{Frame: tableFrame(t, 0), Material: material(0.3, flakes), Wo: toward(0.6, 0.7), Position: somewhere(1)}
	up, down := peaks(&p)
	g := newSphereGrid(gridSize, up, down, 0.1)
	observed := counted(&p, g, 1)
	p.Material.Flakes[0].Exponent *= 1.04
	probability, _ := g.integratePdf(&p)
	r, err := tracertest.ChiSquare(observed, expectedCounts(probability), 5)
	if err != nil || r.P > significance/1000 {
		t.Errorf("a pdf of an exponent 4 %% off passes: p = %g, %v", r.P, err)
	}
}

// White furnace: no flake sends away more than falls in, however it leans, nor do coat and paint together. The white base
// is Lambert's: it sends away all.
func TestPaintKeepsEnergy(t *testing.T) {
	const samples = 1 << 14
	frame := tableFrame(t, cuda.FrameEnergyCompensation)
	for i, cos := range []float64{0.004, 0.1, 0.45, 0.93, 1} {
		for _, spread := range []float32{0, 0.4, 1} {
			for _, exponent := range []float32{1, 20, 1000} {
				p := probe.Point{Frame: frame, Material: material(0.1, flakes), Wo: toward(cos, 0.4), Position: somewhere(i)}
				p.Material.Flakes[0].Spread, p.Material.Flakes[0].Exponent = spread, exponent
				drawn(&p, newRandom(5), 1024, func(s probe.BsdfSample) {
					if !(s.Weight[0] <= 1.0001) {
						t.Fatalf("cos %g spread %g exponent %g: a sample weighs %g, want at most 1", cos, spread, exponent, s.Weight[0])
					}
				})
				p.Material.Specular = 1
				if mean, deviation := meanWeight(&p, samples); mean > 1.01+4*deviation {
					t.Errorf("cos %g spread %g exponent %g: albedo %.4f ± %.4f under a coat", cos, spread, exponent, mean, deviation)
				}
			}
		}
		base := probe.Point{Frame: frame, Material: material(0.1, layered(0, nil)), Wo: toward(cos, 0.4)}
		if mean, _ := meanWeight(&base, samples); math.Abs(mean-1) > 1e-4 {
			t.Errorf("cos %g: a white base sends away %.5f, want 1", cos, mean)
		}
	}
}

// Flakes of no spread and great exponent are a mirror that sends away all but what leaves below the horizon.
func TestSharpFlakesMirror(t *testing.T) {
	p := probe.Point{Frame: tableFrame(t, 0), Material: material(0.3, flakes), Wo: toward(0.7, 0)}
	p.Material.Flakes[0].Spread, p.Material.Flakes[0].Exponent = 0, 1e4
	want := toward(0.7, math.Pi)
	drawn(&p, newRandom(6), 1024, func(s probe.BsdfSample) {
		cos := s.Wi[0]*want[0] + s.Wi[1]*want[1] + s.Wi[2]*want[2]
		if cos < 0.99 || s.Weight[0] < 0.9 {
			t.Fatalf("a sample of weight %g leaves towards %v, want about 1 and %v", s.Weight[0], s.Wi, want)
		}
	})
}

// Light along the normal meets the base's colour, light along the surface its edge's.
func TestPaintedBaseChangesColor(t *testing.T) {
	p := probe.Point{Frame: tableFrame(t, 0), Material: material(0.3, layered(0, nil))}
	p.Material.BaseColor, p.Material.EdgeColor = [4]float32{0.2, 0, 0, 1}, [3]float32{0.8, 0, 0}
	for _, c := range []struct{ cosO, cosI, want float64 }{{1, 1, 0.2}, {0.001, 1, 0.8}, {1, 0.001, 0.8}, {0.5, 1, 0.35}, {0.5, 0.5, 0.4625}} {
		got := math.Pi * value(p, toward(c.cosO, 0), toward(c.cosI, 1))
		if math.Abs(got-c.want) > 0.002 {
			t.Errorf("cosines %g and %g: reflectance %.4f, want %.4f", c.cosO, c.cosI, got, c.want)
		}
	}
}
