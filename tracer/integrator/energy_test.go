package integrator_test

import (
	"math"
	"testing"

	"glint/tracer/builtin"
	"glint/tracer/settings"
	"glint/tracer/tracertest"
)

// TestEnergyGrowsWithBounces: every further scattering event can only add light.
func TestEnergyGrowsWithBounces(t *testing.T) {
	fx := tracertest.OnCPU(t)
	s := tracertest.Builtin(t, "box-closed", builtin.Options{})
	fx.Use(s, nil)
	before := 0.0
	for bounces := range 6 {
		img := fx.Render(tracertest.Shot{Camera: s.Cameras[0], Width: 32, Height: 32, Samples: 128,
			Settings: tracertest.Settings(func(s *settings.Settings) { s.Bounces, s.Roulette = bounces, false })})
		mean := tracertest.Mean(img)[1]
		if mean < before || bounces == 1 && mean <= before {
			t.Errorf("%d bounces: mean %.4f after %.4f with one less", bounces, mean, before)
		}
		before = mean
	}
}

// TestDirectIsOneBounce: the integrator direct is path with a single scattering event.
func TestDirectIsOneBounce(t *testing.T) {
	fx := tracertest.OnCPU(t)
	v := smallShot(t, fx, "cornell-glossy")
	v.Settings.Integrator = "direct"
	direct := fx.Render(v)
	v.Settings.Integrator, v.Settings.Bounces = "path", 1
	path := fx.Render(v)
	for i := range direct.Pix {
		if direct.Pix[i] != path.Pix[i] {
			t.Fatalf("value %d: direct %v, path with one bounce %v", i, direct.Pix[i], path.Pix[i])
		}
	}
}

// TestEveryBuiltinIsFinite: no scene may make a sample that is not a number (the fixture counts them) or a negative one, and
// all but the empty-handed show something.
func TestEveryBuiltinIsFinite(t *testing.T) {
	fx := tracertest.OnCPU(t)
	for _, info := range builtin.List() {
		s := tracertest.Builtin(t, info.Name, builtin.Options{Triangles: min(info.Triangles, 70_000)})
		fx.Use(s, nil)
		for _, integrator := range []string{"naive", "path"} {
			t.Run(info.Name+"/"+integrator, func(t *testing.T) {
				img := fx.Render(tracertest.Shot{Camera: s.Cameras[0], Width: 96, Height: 72, Samples: 4,
					Settings: tracertest.Settings(func(s *settings.Settings) { s.Integrator, s.Bounces = integrator, 32 })})
				for i, v := range img.Pix {
					if !(v >= 0) || math.IsInf(float64(v), 0) {
						t.Fatalf("value %d is %v", i, v)
					}
				}
				if mean := tracertest.Mean(img); !(mean[1] > 0.01) {
					t.Errorf("the picture is black: mean %v", mean)
				}
			})
		}
	}
}
