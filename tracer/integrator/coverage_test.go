package integrator_test

import (
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl32"

	"glint/tracer/scene"
	"glint/tracer/settings"
	"glint/tracer/tracertest"
)

// TestCoverageIsSpreadEvenly: a black pane of alpha 0.3 in front of a white sky. What shows through is 0.7 in the mean, and far nearer to it
// than by chance where a pixel has sixteen samples, or where sixteen pixels of a square have one each.
func TestCoverageIsSpreadEvenly(t *testing.T) {
	const alpha, size = 0.3, 64
	s, camera := tracertest.Ground(0, 60)
	s.Materials[0].AlphaMode, s.Materials[0].BaseColor[3] = scene.AlphaBlend, alpha
	s.Materials[0].Specular = 0
	render := func(samples int) []float64 {
		img := tracertest.OnFastest(t).Use(s, tracertest.Constant(1)).Render(tracertest.Shot{Camera: camera, Width: size, Height: size, Samples: samples,
			Settings: tracertest.Settings(func(*settings.Settings) {})})
		seen := make([]float64, size*size)
		for i := range seen {
			seen[i] = float64(img.Pix[3*i])
		}
		return seen
	}
	squares := make([]float64, size*size/16)
	for i, x := range render(1) {
		squares[i/size/4*(size/4)+i%size/4] += x / 16
	}
	chance := math.Sqrt(alpha * (1 - alpha) / 16)
	for name, row := range map[string]struct {
		means []float64
		most  float64 // of the deviation by chance
	}{"pixels of 16 samples": {render(16), 0.65}, "squares of 16 pixels": {squares, 0.3}} {
		means := row.means
		sum, error2 := 0.0, 0.0
		for _, x := range means {
			sum += x
			error2 += (x - (1 - alpha)) * (x - (1 - alpha))
		}
		n := float64(len(means))
		mean, rms := sum/n, math.Sqrt(error2/n)
		t.Logf("%s: mean %.4f, standard deviation %.4f, by chance %.4f", name, mean, rms, chance)
		if math.Abs(mean-(1-alpha)) > 5*chance/math.Sqrt(n) || !(rms < row.most*chance) {
			t.Errorf("%s: mean %.4f, standard deviation %.4f, by chance %.4f", name, mean, rms, chance)
		}
	}
}

// TestEnginesAgreeOnCoverage: a ray is stopped or not, whichever kernel traces it. Guides are found by others than paths.
func TestEnginesAgreeOnCoverage(t *testing.T) {
	s, camera := tracertest.Ground(0.5, 60)
	pane := tracertest.Matte(0.8)
	pane.AlphaMode, pane.BaseColor[3] = scene.AlphaBlend, 0.5
	tracertest.AddQuad(s, mgl32.Vec3{-1, 0.2, 1}, mgl32.Vec3{2, 0, 0}, mgl32.Vec3{0, 0, -2}, pane)
	fx := tracertest.OnFastest(t).Use(s, tracertest.Gradient())
	for _, integrator := range []string{"path", "restir"} {
		v := tracertest.Shot{Camera: camera, Width: 50, Height: 37, Samples: 3, Settings: tracertest.Settings(func(o *settings.Settings) { o.Integrator = integrator })}
		for _, engine := range othersThanMegakernel(fx, v) {
			t.Errorf("%s: %s gives another picture than the megakernel", integrator, engine)
		}
	}
}

// TestCoverageOfTwoPanes: whether one pane stops a ray says nothing about the next.
func TestCoverageOfTwoPanes(t *testing.T) {
	s, camera := tracertest.Ground(0, 60)
	s.Materials[0].Specular = 0
	s.Materials[0].AlphaMode, s.Materials[0].BaseColor[3] = scene.AlphaBlend, 0.5
	tracertest.AddQuad(s, mgl32.Vec3{-50, 0.5, 50}, mgl32.Vec3{100, 0, 0}, mgl32.Vec3{0, 0, -100}, s.Materials[0])
	img := tracertest.OnFastest(t).Use(s, tracertest.Constant(1)).Render(tracertest.Shot{Camera: camera, Width: 16, Height: 16, Samples: 1024,
		Settings: tracertest.Settings(func(*settings.Settings) {})})
	for i := 0; i < len(img.Pix); i += 3 {
		if x := float64(img.Pix[i]); math.Abs(x-0.25) > 5*math.Sqrt(0.25*0.75/1024) {
			t.Fatalf("pixel %d: %.4f pass both, want 0.25", i/3, x)
		}
	}
}
