package cuda_test

import (
	"math"
	"testing"

	"glint/cuda"
	"glint/cuda/probe"
)

// What pixels share of a BSDF is never more than the whole, and always a number: below the horizon, where a leaning shading
// normal lets directions be, the shapes of reflection have none of their own.
func TestSharedPartIsPartOfTheWhole(t *testing.T) {
	frame := tableFrame(t, cuda.FrameEnergyCompensation)
	leaning := toward(0.8, 1)
	for name, change := range map[string]func(*cuda.Material){
		"plastic": nil, "metal": metal, "glass": glass, "thin glass": thinGlass, "flakes": flakes,
	} {
		shares := 0
		for _, roughness := range []float64{0, 0.1, 0.22, 0.3, 0.45, 0.8, 1} {
			for _, cosO := range []float64{0.01, 0.4, 1} {
				p := probe.Point{Frame: frame, Material: material(roughness, change), Wo: toward(cosO, 2), Normal: leaning}
				var wi [][3]float32
				for _, cosI := range []float64{-1, -0.3, -1e-4, 0, 1e-4, 0.3, 1} {
					for azimuth := range 6 {
						wi = append(wi, toward(cosI, float64(azimuth)))
					}
				}
				for i, v := range p.Eval(wi) {
					for c := range 3 {
						shared, whole := float64(v.Shared[c]), float64(v.F[c])
						if !(shared >= 0 && shared <= whole*(1+1e-5)) || math.IsInf(shared, 0) {
							t.Fatalf("%s, roughness %g: %g of %g is shared from %v to %v", name, roughness, shared, whole, p.Wo, wi[i])
						}
						if shared > 0 {
							shares++
						}
					}
				}
			}
		}
		if diffuses := name == "plastic" || name == "metal"; diffuses && shares == 0 {
			t.Errorf("%s shares nothing", name)
		}
	}
}
