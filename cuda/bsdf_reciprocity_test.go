package cuda_test

import (
	"fmt"
	"math"
	"testing"

	"glint/cuda"
	"glint/cuda/probe"
)

// value is f of wi seen from wo: what Eval gives without the cosine.
func value(p probe.Point, wo, wi [3]float32) float64 {
	p.Wo = wo
	v := p.Eval([][3]float32{wi})[0]
	return float64(v.F[0]) / math.Abs(float64(wi[2]))
}

// checkReciprocity tests that a material of these roughnesses looks the same with viewer and light swapped, for directions at these
// cosines of the viewer and of the light.
func checkReciprocity(t *testing.T, name string, p probe.Point, change func(*cuda.Material), roughnesses, cosO, cosI []float64) {
	t.Helper()
	compared := 0
	for _, r := range roughnesses {
		p.Material = material(r, change)
		for i, o := range cosO {
			for j, in := range cosI {
				wo, wi := toward(o, float64(i)), toward(in, float64(i)+math.Pi+0.3*float64(j))
				there, back := value(p, wo, wi), value(p, wi, wo)
				if there > 1e-6 {
					compared++
				}
				if math.Abs(there-back) > 2e-4*(there+back)+1e-7 {
					t.Errorf("%s roughness %g: f(%v, %v) = %g, swapped %g", name, r, wo, wi, there, back)
				}
			}
		}
	}
	if compared < 9 {
		t.Errorf("%s: only %d pairs reflect anything", name, compared)
	}
}

// Reflection looks the same with viewer and light swapped. Excepted by design, since their weight depends on the viewer's
// side alone: the Lambert base under a coat, and every lobe under energy compensation.
func TestReflectionIsReciprocal(t *testing.T) {
	frame := tableFrame(t, 0)
	for _, c := range []struct {
		name   string
		inside bool
		change func(*cuda.Material)
	}{
		{"lambert", false, lambert},
		{"metal", false, func(m *cuda.Material) { metal(m); m.BaseColor = [4]float32{0.9, 0.5, 0.2, 1} }},
		{"coat", false, func(m *cuda.Material) { m.BaseColor = [4]float32{0, 0, 0, 1} }},
		{"flakes", false, flakes},
		{"painted base", false, func(m *cuda.Material) {
			flakes(m)
			m.Flakes, m.BaseColor, m.EdgeColor = [2]cuda.Flakes{}, [4]float32{0.1, 0, 0, 1}, [3]float32{0.9, 0, 0}
		}},
		{"glass", false, glass},
		{"glass from inside", true, glass},
		{"dim glass", false, dimGlass},
		{"dim glass from inside", true, dimGlass},
	} {
		checkReciprocity(t, c.name, probe.Point{Frame: frame, Inside: c.inside}, c.change, []float64{0.1, 0.4, 1}, []float64{0.1, 0.5, 0.9},
			[]float64{0.15, 0.45, 0.97})
	}
}

// Refraction carries radiance over the square of the index. Radiance itself obeys f(o, i) / ηo² = f(i, o) / ηi² (Veach
// 1997, §5.2), so what is carried obeys f(o, i) = (ηi/ηo)² f(i, o).
func TestRefractionIsReciprocalOverSquaredIndex(t *testing.T) {
	frame := tableFrame(t, 0)
	compared := 0
	for _, ior := range []float64{1.2, 1.5, 2.2} {
		for _, r := range []float64{0.2, 0.5, 1} {
			p := probe.Point{Frame: frame, Material: material(r, func(m *cuda.Material) { glass(m); m.Ior = float32(ior) })}
			for i, cosO := range []float64{0.2, 0.6, 0.95} {
				for _, cosI := range []float64{0.75, 0.9, 0.99} {
					wo, wi := toward(cosO, float64(i)), toward(-cosI, float64(i)+math.Pi+0.2)
					compared += compareRefraction(t, p, fmt.Sprintf("ior %g roughness %g", ior, r), wo, wi)
				}
			}
		}
	}
	if compared < 40 {
		t.Errorf("only %d pairs refract anything", compared)
	}
}

// compareRefraction swaps wo outside and wi inside by looking from below with +z turned over. It gives 1 when light passes.
func compareRefraction(t *testing.T, p probe.Point, name string, wo, wi [3]float32) int {
	t.Helper()
	there := value(p, wo, wi)
	p.Inside = true
	turned := func(w [3]float32) [3]float32 { return [3]float32{w[0], -w[1], -w[2]} }
	back := value(p, turned(wi), turned(wo)) * float64(p.Material.Ior) * float64(p.Material.Ior)
	if math.Abs(there-back) > 5e-4*(there+back)+1e-7 {
		t.Errorf("%s: f(%v, %v) = %g, from the other side η² f = %g", name, wo, wi, there, back)
	}
	if there > 1e-6 {
		return 1
	}
	return 0
}
