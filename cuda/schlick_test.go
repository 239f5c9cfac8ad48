package cuda_test

import (
	"fmt"
	"math"
	"testing"

	"glint/cuda"
	"glint/cuda/probe"
)

// dielectrics are the materials that Schlick's approximation changes.
func dielectrics() map[string]func(*cuda.Material) {
	return map[string]func(*cuda.Material){"plastic": nil, "glass": glass, "thin with coat": thinGlass,
		"dense glass": func(m *cuda.Material) { glass(m); m.Ior = 2.2 }}
}

func square(x float64) float64 { return x * x }

func TestSamplesFollowPdfBySchlick(t *testing.T) {
	frame := tableFrame(t, cuda.FrameEnergyCompensation|cuda.FrameSchlick)
	var f family
	for name, change := range dielectrics() {
		for _, cos := range []float64{0.9, 0.2} {
			for _, inside := range []bool{false, true} {
				p := probe.Point{Frame: frame, Material: material(0.3, change), Wo: toward(cos, 0.7), Inside: inside}
				checkSampling(t, &f, fmt.Sprintf("%s cos %g inside %v", name, cos, inside), &p)
			}
		}
	}
	f.judge(t)
}

func TestReciprocalBySchlick(t *testing.T) {
	frame := tableFrame(t, cuda.FrameSchlick)
	compared := 0
	for _, inside := range []bool{false, true} {
		for _, cosI := range []float64{0.3, 0.8, 0.99} {
			p := probe.Point{Frame: frame, Material: material(0.4, glass), Inside: inside}
			wo, wi := toward(0.6, 0), toward(cosI, math.Pi+0.2)
			if there, back := value(p, wo, wi), value(p, wi, wo); math.Abs(there-back) > 2e-4*(there+back)+1e-7 {
				t.Errorf("inside %v: f(%v, %v) = %g, swapped %g", inside, wo, wi, there, back)
			}
			p.Inside = false
			compared += compareRefraction(t, p, "Schlick", wo, toward(-cosI, math.Pi+0.2))
		}
	}
	if compared < 4 {
		t.Errorf("only %d pairs refract anything", compared)
	}
}

// Smooth dielectrics keep all energy by either formula. The tables that compensate rough ones are for the exact one: that
// costs up to a few percent by Schlick's.
func TestEnergyBySchlick(t *testing.T) {
	const smooth, rough = 0.005, 0.03
	frame := tableFrame(t, cuda.FrameEnergyCompensation|cuda.FrameSchlick)
	worst := map[string]float64{}
	for name, change := range dielectrics() {
		for _, roughness := range []float64{0, 0.2, 0.5, 1} {
			for _, cos := range []float64{0.1, 0.4, 0.9} {
				for _, inside := range []bool{false, true} {
					p := probe.Point{Frame: frame, Material: material(roughness, change), Wo: toward(cos, 0.4), Inside: inside}
					mean, deviation := meanWeight(&p, 1<<15)
					worst[name] = max(worst[name], math.Abs(mean-1))
					limit := rough
					if roughness == 0 {
						limit = smooth
					}
					if math.Abs(mean-1) > limit+3*deviation {
						t.Errorf("%s roughness %g cos %g inside %v: albedo %.4f ± %.4f", name, roughness, cos, inside, mean, deviation)
					}
				}
			}
		}
	}
	t.Logf("largest loss or gain: %v", worst)
}

// Under a film that is too thick for interference both of its sides reflect by themselves: R = T + B (1 − T)² / (1 − T B). Its upper
// side T is a dielectric, too, and goes by the formula that is chosen.
func TestThickFilmBySchlick(t *testing.T) {
	const filmIor, base = 1.4, 1.5
	for flags, upper := range map[uint32]func(cos float64) float64{
		0: func(cos float64) float64 {
			cosT := math.Sqrt(1 - (1-cos*cos)/(filmIor*filmIor))
			s, p := (cos-filmIor*cosT)/(cos+filmIor*cosT), (filmIor*cos-cosT)/(filmIor*cos+cosT)
			return (s*s + p*p) / 2
		},
		cuda.FrameSchlick: func(cos float64) float64 {
			f0 := square((filmIor - 1) / (filmIor + 1))
			return f0 + (1-f0)*math.Pow(1-cos, 5)
		},
	} {
		for _, cos := range []float64{0.1, 0.3, 0.6, 1} {
			p := probe.Point{Frame: tableFrame(t, flags), Material: material(0, glass), Wo: toward(cos, 0.4)}
			p.Material.Iridescence, p.Material.IridescenceIor, p.Material.IridescenceMin, p.Material.IridescenceMax = 1, filmIor, 1e5, 1e5
			top, f0 := upper(cos), square((base-filmIor)/(base+filmIor))
			below := f0 + (1-f0)*math.Pow(1-math.Sqrt(1-(1-cos*cos)/(filmIor*filmIor)), 5)
			want := top + below*(1-top)*(1-top)/(1-top*below)
			up, _ := sides(&p, 1<<16)
			if math.Abs(up[0]-want) > 4*math.Sqrt(want*(1-want)/(1<<16))+1e-4 {
				t.Errorf("flags %d cos %g: the film reflects %.4f, want %.4f", flags, cos, up[0], want)
			}
		}
	}
}
