package cuda_test

import (
	"fmt"
	"math"
	"testing"

	"glint/cuda"
	"glint/cuda/probe"
	"glint/tracer/tracertest"
)

// With so many samples in so few bins the test sees a density that is wrong by 1 % (TestSamplingCatchesPlantedBug).
const (
	samplesPerTest = 1 << 18
	gridSize       = 8
)

// peaks are the directions of mirror reflection and of refraction (straight on for a thin wall) about the shading normal.
func peaks(p *probe.Point) (up, down [3]float64) {
	n, wo := [3]float64{0, 0, 1}, [3]float64{}
	var cos float64
	for i := range 3 {
		if p.Normal != ([3]float32{}) {
			n[i] = float64(p.Normal[i])
		}
		wo[i] = float64(p.Wo[i])
		cos += n[i] * wo[i]
	}
	eta := float64(p.Material.Ior)
	if p.Inside {
		eta = 1 / eta
	}
	if p.Material.Flags&cuda.MaterialThin != 0 || p.Material.Transmission == 0 {
		eta = 1
	}
	cosT := math.Sqrt(max(0, 1-(1-cos*cos)/(eta*eta)))
	for i := range 3 {
		up[i] = 2*cos*n[i] - wo[i]
		down[i] = n[i]*(cos/eta-cosT) - wo[i]/eta
	}
	return up, down
}

// counted draws samples into bins; the last bin takes those that failed.
func counted(p *probe.Point, g sphereGrid, seed uint64) []float64 {
	observed := make([]float64, g.bins()+1)
	drawn(p, newRandom(seed), samplesPerTest, func(s probe.BsdfSample) {
		if s.Pdf == 0 {
			observed[g.bins()]++
			return
		}
		observed[g.bin(s.Wi)]++
	})
	return observed
}

// expectedCounts are what the pdf promises, the share that it leaves over last.
func expectedCounts(probability []float64) []float64 {
	expected := make([]float64, len(probability)+1)
	sum := 0.0
	for i, p := range probability {
		expected[i] = p * samplesPerTest
		sum += p
	}
	// What quadrature may have missed keeps the last bin above zero.
	expected[len(probability)] = max(1-sum, 1e-6) * samplesPerTest
	return expected
}

// checkSampling compares samples with the pdf, bin by bin and in all.
func checkSampling(t *testing.T, f *family, name string, p *probe.Point) {
	t.Helper()
	up, down := peaks(p)
	g := newSphereGrid(gridSize, up, down, max(float64(p.Material.Roughness*p.Material.Roughness)/2, 1e-3))
	probability, doubt := g.integratePdf(p)
	observed := counted(p, g, uint64(len(f.names)))
	f.add(t, name, observed, expectedCounts(probability))
	succeeded := 1 - observed[g.bins()]/samplesPerTest
	var integral float64
	for _, q := range probability {
		integral += q
	}
	if bound := 5*math.Sqrt(succeeded*(1-succeeded)/samplesPerTest) + 1e-5 + doubt; math.Abs(integral-succeeded) > bound {
		t.Errorf("%s: the pdf integrates to %.6f, but a share of %.6f of the samples succeeds", name, integral, succeeded)
	}
}

// sampled lists materials that isolate each lobe, and mixtures.
func sampled() map[string]func(*cuda.Material) {
	return map[string]func(*cuda.Material){
		"diffuse":         lambert,
		"metal":           metal,
		"plastic":         nil,
		"glass":           glass,
		"thin":            func(m *cuda.Material) { thinGlass(m); m.Specular = 0 },
		"thin with coat":  thinGlass,
		"dim glass":       dimGlass,
		"paint":           paint,
		"flakes":          flakes,
		"everything":      func(m *cuda.Material) { m.Metallic, m.Transmission, m.Ior = 0.3, 0.5, 1.8 },
		"everything thin": func(m *cuda.Material) { thinGlass(m); m.Metallic, m.Transmission = 0.3, 0.5 },
	}
}

func TestBsdfSamplesFollowPdf(t *testing.T) {
	frame := tableFrame(t, cuda.FrameEnergyCompensation)
	for name, change := range sampled() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var f family
			for _, r := range []float64{0.05, 0.1, 0.3, 0.6, 1} {
				for _, cos := range []float64{1, 0.6, 0.08} {
					p := probe.Point{Frame: frame, Material: material(r, change), Wo: toward(cos, 0.7)}
					checkSampling(t, &f, fmt.Sprintf("%s roughness %g cos %g", name, r, cos), &p)
					if p.Material.Transmission > 0 && p.Material.Flags == 0 {
						p.Inside = true
						checkSampling(t, &f, fmt.Sprintf("%s from inside, roughness %g cos %g", name, r, cos), &p)
					}
				}
				if name == "diffuse" {
					break // has no roughness
				}
			}
			f.judge(t)
		})
	}
}

// A shading normal that leans away from the geometric one cuts lobes off: samples that would leak must fail as the pdf says.
func TestBsdfSamplesFollowPdfUnderBentNormal(t *testing.T) {
	frame := tableFrame(t, cuda.FrameEnergyCompensation)
	var f family
	for _, name := range []string{"plastic", "everything", "thin with coat"} {
		for _, cos := range []float64{0.9, 0.3} {
			p := probe.Point{Frame: frame, Material: material(0.5, sampled()[name]), Wo: toward(cos, 0.7), Normal: toward(0.8, 2)}
			checkSampling(t, &f, fmt.Sprintf("%s cos %g", name, cos), &p)
		}
	}
	f.judge(t)
}

// The planted bug: a density whose roughness is 1 % off must be rejected.
func TestSamplingCatchesPlantedBug(t *testing.T) {
	frame := tableFrame(t, cuda.FrameEnergyCompensation)
	p := probe.Point{Frame: frame, Material: material(0.3, metal), Wo: toward(0.6, 0.7)}
	up, down := peaks(&p)
	g := newSphereGrid(gridSize, up, down, 0.05)
	observed := counted(&p, g, 1)
	p.Material.Roughness *= 1.01
	probability, _ := g.integratePdf(&p)
	r, err := tracertest.ChiSquare(observed, expectedCounts(probability), 5)
	if err != nil || r.P > significance/1000 {
		t.Errorf("a pdf of a roughness 1 %% off passes: p = %g, %v", r.P, err)
	}
}

// A sample carries the weight and the pdf that evalBsdf gives for its direction.
func TestBsdfWeightIsValueOverPdf(t *testing.T) {
	frame := tableFrame(t, cuda.FrameEnergyCompensation)
	for name, change := range sampled() {
		p := probe.Point{Frame: frame, Material: material(0.4, change), Wo: toward(0.5, 0.7)}
		var samples []probe.BsdfSample
		var directions [][3]float32
		drawn(&p, newRandom(2), 1<<14, func(s probe.BsdfSample) {
			samples = append(samples, s)
			directions = append(directions, s.Wi)
		})
		wrong := 0
		for i, v := range p.Eval(directions) {
			s := samples[i]
			for c := range 3 {
				if s.Pdf > 0 && (s.Pdf != v.Pdf || math.Abs(float64(s.Weight[c]*v.Pdf-v.F[c])) > 1e-5*float64(v.F[c])) {
					wrong++
					break
				}
			}
		}
		if wrong > 0 {
			t.Errorf("%s: %d of %d weights differ from f |cos| / pdf", name, wrong, len(samples))
		}
	}
}
