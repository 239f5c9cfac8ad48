package cuda_test

import (
	"fmt"
	"math"
	"testing"

	"glint/cuda"
	"glint/cuda/probe"
)

// meanWeight is the mean of the samples' weights (red channel) with its standard error: the directional albedo.
func meanWeight(p *probe.Point, n int) (mean, deviation float64) {
	var sum, squares float64
	drawn(p, newRandom(3), n, func(s probe.BsdfSample) {
		w := float64(s.Weight[0])
		sum += w
		squares += w * w
	})
	mean = sum / float64(n)
	return mean, math.Sqrt(max(0, squares/float64(n)-mean*mean) / float64(n))
}

// eachView calls test at roughnesses and cosines between and on the nodes of the albedo tables.
func eachView(test func(roughness, cos float64)) {
	for _, r := range []float64{0, 0.01, 0.05, 0.12, 0.25, 0.41, 0.6, 0.8, 1} {
		for _, cos := range []float64{0.004, 0.03, 0.1, 0.22, 0.45, 0.7, 0.93, 1} {
			test(r, cos)
		}
	}
}

// White furnace, one bounce: what falls on a white surface leaves it, when compensation is on; never more, when it is off.
func TestWhiteSurfacesKeepEnergy(t *testing.T) {
	const samples = 1 << 16
	on, off := tableFrame(t, cuda.FrameEnergyCompensation), tableFrame(t, 0)
	for _, c := range []struct {
		name   string
		inside bool
		change func(*cuda.Material)
	}{
		{"metal", false, metal}, {"plastic", false, nil}, {"lambert", false, lambert}, {"glass", false, glass},
		{"glass from inside", true, glass}, {"thin glass", false, thinGlass},
		{"dense plastic", false, func(m *cuda.Material) { m.Ior = 2.2 }},
		{"dense glass", false, func(m *cuda.Material) { glass(m); m.Ior = 2.2 }},
		{"light glass from inside", true, func(m *cuda.Material) { glass(m); m.Ior = 1.2 }},
		{"half metal", false, func(m *cuda.Material) { m.Metallic = 0.5 }},
		{"painted base", false, func(m *cuda.Material) { paint(m); m.Flakes = [2]cuda.Flakes{} }},
		{"everything", false, func(m *cuda.Material) { m.Metallic, m.Transmission = 0.3, 0.5 }},
		{"dim plastic", false, func(m *cuda.Material) { m.Metallic, m.Specular = 0.3, 0.7 }},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			eachView(func(roughness, cos float64) {
				tolerance := 0.01
				if cos < 0.01 { // a sphere's outermost 1e-4 of its area, where the tables are coarse
					tolerance = 0.03
				}
				p := probe.Point{Frame: on, Material: material(roughness, c.change), Wo: toward(cos, 0.4), Inside: c.inside}
				if mean, deviation := meanWeight(&p, samples); math.Abs(mean-1) > tolerance+2*deviation {
					t.Errorf("roughness %g cos %g: compensated albedo %.4f ± %.4f, want 1 ± %g", roughness, cos, mean, deviation, tolerance)
				}
				p.Frame = off
				limit := 1.0
				if m := &p.Material; m.Metallic < 1 && (m.Transmission < 1 || m.Flags&cuda.MaterialThin != 0) {
					limit += tolerance // what a coat leaves to its base comes from a table
				}
				if mean, deviation := meanWeight(&p, samples/4); mean > limit+4*deviation {
					t.Errorf("roughness %g cos %g: albedo %.4f ± %.4f without compensation: more than fell in", roughness, cos, mean, deviation)
				}
			})
		})
	}
}

// The mean weight of bare lobes is what their albedo table says.
func TestMeanWeightIsTableAlbedo(t *testing.T) {
	frame := tableFrame(t, 0)
	for _, r := range []float64{0.1, 0.35, 0.7, 1} {
		for _, cos := range []float64{0.05, 0.3, 0.8} {
			p := probe.Point{Frame: frame, Material: material(r, metal), Wo: toward(cos, 0.4)}
			mean, deviation := meanWeight(&p, 1<<16)
			want := float64(probe.AlbedoSlice.Map(frame, []float32{float32(cuda.AlbedoMirror), float32(cos), float32(r)})[0])
			if math.Abs(mean-want) > 0.003+4*deviation {
				t.Errorf("roughness %g cos %g: mean weight %.4f ± %.4f, table %.4f", r, cos, mean, deviation, want)
			}
		}
	}
}

// Just above the width below which GGX counts as a delta, the lobes reflect and refract as the delta does.
func TestRoughLobesApproachDelta(t *testing.T) {
	frame := tableFrame(t, cuda.FrameEnergyCompensation)
	for _, name := range []string{"metal", "plastic", "glass", "thin with coat"} {
		for _, cos := range []float64{0.3, 0.7, 1} {
			smooth := probe.Point{Frame: frame, Material: material(0.0199, sampled()[name]), Wo: toward(cos, 0.4)}
			rough := smooth
			rough.Material.Roughness = 0.0201
			for _, inside := range []bool{false, true} {
				smooth.Inside, rough.Inside = inside, inside
				compareSamples(t, fmt.Sprintf("%s cos %g inside %v", name, cos, inside), &smooth, &rough)
			}
		}
	}
}

// compareSamples draws both points by the same numbers.
func compareSamples(t *testing.T, name string, smooth, rough *probe.Point) {
	t.Helper()
	const n = 4096
	var deltas []probe.BsdfSample
	drawn(smooth, newRandom(4), n, func(s probe.BsdfSample) { deltas = append(deltas, s) })
	i, differ, isDelta := 0, 0, 0
	drawn(rough, newRandom(4), n, func(s probe.BsdfSample) {
		d := deltas[i]
		i++
		dot := float64(s.Wi[0]*d.Wi[0] + s.Wi[1]*d.Wi[1] + s.Wi[2]*d.Wi[2])
		if dot < math.Cos(0.05) || math.Abs(float64(s.Weight[0]-d.Weight[0])) > 0.02*float64(d.Weight[0]) {
			differ++
		}
		isDelta += int(s.Delta)
	})
	if isDelta > 0 {
		t.Errorf("%s: %d of %d samples of the rough lobe are deltas", name, isDelta, n)
	}
	// Tails of GGX, and lobe choices near their threshold.
	if differ > n/50 {
		t.Errorf("%s: %d of %d samples differ from the delta's", name, differ, n)
	}
}
