package cuda_test

import (
	"math"
	"math/cmplx"
	"testing"

	"glint/cuda"
	"glint/cuda/probe"
)

func fresnel(cos, eta float64) float64 {
	return float64(probe.FresnelDielectric.Map(&cuda.Frame{}, []float32{float32(cos), float32(eta)})[0])
}

// fresnelReference is Fresnel's equations with complex angles, so that total reflection needs no case of its own.
func fresnelReference(cos, eta float64) float64 {
	ci := complex(cos, 0)
	ct := cmplx.Sqrt(1 - complex((1-cos*cos)/(eta*eta), 0))
	n := complex(eta, 0)
	s, p := (ci-n*ct)/(ci+n*ct), (n*ci-ct)/(n*ci+ct)
	return (real(s*cmplx.Conj(s)) + real(p*cmplx.Conj(p))) / 2
}

func TestFresnelDielectric(t *testing.T) {
	for _, eta := range []float64{1.2, 1.33, 1.5, 2.42, 1 / 1.2, 1 / 1.5, 1 / 2.42} {
		for i := range 51 {
			cos := float64(i) / 50
			if got, want := fresnel(cos, eta), fresnelReference(cos, eta); math.Abs(got-want) > 2e-5 {
				t.Errorf("F(cos %g, eta %.4f) = %.6f, want %.6f", cos, eta, got, want)
			}
		}
	}
	critical := math.Sqrt(1 - 1/(1.5*1.5))
	brewster := 1 / math.Sqrt(1+1.5*1.5)
	const left = (1.5*1.5 - 1) / (1.5*1.5 + 1)
	for _, c := range []struct {
		name           string
		cos, eta, want float64
	}{
		{"crown glass head on: 4 %", 1, 1.5, 0.04},
		{"diamond head on: 17.2 %", 1, 2.42, 0.17240},
		{"from inside the same", 1, 1 / 1.5, 0.04},
		{"grazing", 0, 1.5, 1},
		// At Brewster's angle the parallel part vanishes: half of sin²(θi − θt) = ((η² − 1)/(η² + 1))² is left.
		{"Brewster's angle", brewster, 1.5, 0.5 * left * left},
		{"inside the critical angle", critical - 1e-3, 1 / 1.5, 1},
	} {
		if got := fresnel(c.cos, c.eta); math.Abs(got-c.want) > 1e-5 {
			t.Errorf("%s: %.6f, want %.6f", c.name, got, c.want)
		}
	}
	if got := fresnel(critical+1e-3, 1/1.5); got >= 0.9 {
		t.Errorf("just outside the critical angle %.4f is reflected, want clearly less than all", got)
	}
}

// The rise takes a coat from F₀ to 1 along the exact curve; F₀ + (1 − F₀) rise is the dielectric itself.
func TestFresnelRise(t *testing.T) {
	for _, ior := range []float64{1.01, 1.5, 2.2} {
		root := (ior - 1) / (ior + 1)
		f0 := root * root
		for _, cos := range []float64{0, 0.1, 0.5, 0.9, 1} {
			rise := float64(probe.FresnelRise.Map(&cuda.Frame{}, []float32{float32(cos), float32(ior)})[0])
			if got, want := f0+(1-f0)*rise, fresnelReference(cos, ior); math.Abs(got-want) > 5e-5 {
				t.Errorf("ior %g cos %g: %.6f, want %.6f", ior, cos, got, want)
			}
		}
	}
}

func TestFresnelSchlick(t *testing.T) {
	for _, f0 := range []float64{0, 0.04, 0.9, 1} {
		for _, cos := range []float64{0, 0.3, 1} {
			got := float64(probe.FresnelSchlick.Map(&cuda.Frame{}, []float32{float32(f0), float32(cos)})[0])
			if want := f0 + (1-f0)*math.Pow(1-cos, 5); math.Abs(got-want) > 1e-6 {
				t.Errorf("F₀ %g cos %g: %g, want %g", f0, cos, got, want)
			}
		}
	}
}

// schlickReference is Schlick's formula by the angle on the thinner side.
func schlickReference(cos, eta float64) float64 {
	if eta < 1 {
		sin2 := (1 - cos*cos) / (eta * eta)
		if sin2 >= 1 {
			return 1
		}
		cos = math.Sqrt(1 - sin2)
	}
	root := (eta - 1) / (eta + 1)
	return root*root + (1-root*root)*math.Pow(1-cos, 5)
}

// The switch takes every use of the dielectric from Fresnel's equations to Schlick's formula.
func TestFresnelSwitch(t *testing.T) {
	exact, schlick := &cuda.Frame{}, &cuda.Frame{Sampling: cuda.SamplingParams{Flags: cuda.FrameSchlick}}
	look := func(f probe.Function, frame *cuda.Frame, cos, eta float64) float64 {
		return float64(f.Map(frame, []float32{float32(cos), float32(eta)})[0])
	}
	for _, eta := range []float64{1.2, 1.5, 2.42, 1 / 1.2, 1 / 1.5, 1 / 2.42} {
		for i := range 51 {
			cos := float64(i) / 50
			if got, want := look(probe.InterfaceReflectance, exact, cos, eta), fresnelReference(cos, eta); math.Abs(got-want) > 2e-5 {
				t.Errorf("exact: F(cos %g, eta %.4f) = %.6f, want %.6f", cos, eta, got, want)
			}
			if got, want := look(probe.InterfaceReflectance, schlick, cos, eta), schlickReference(cos, eta); math.Abs(got-want) > 2e-5 {
				t.Errorf("Schlick: F(cos %g, eta %.4f) = %.6f, want %.6f", cos, eta, got, want)
			}
			if got, want := look(probe.FresnelRise, schlick, cos, 1.5), math.Pow(1-cos, 5); eta == 1.5 && math.Abs(got-want) > 1e-6 {
				t.Errorf("Schlick: the rise of a coat at cos %g is %.6f, want %.6f", cos, got, want)
			}
		}
	}
}
