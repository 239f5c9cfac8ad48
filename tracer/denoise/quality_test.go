package denoise_test

import (
	"testing"

	"glint/tracer/builtin"
	"glint/tracer/imageio"
	"glint/tracer/metric"
	"glint/tracer/scene"
	"glint/tracer/schedule"
	"glint/tracer/settings"
	"glint/tracer/tracertest"
	"glint/tracer/view"
)

// TestDenoisersCompared prints errors of live views of restir-gi at one sample a frame. The
// built-in filter may be half as far again from the truth as OIDN at quality fast.
func TestDenoisersCompared(t *testing.T) {
	tracertest.NeedsOIDN(t)
	if !tracertest.Long() {
		t.Skip("GLINT_LONG=1 renders references for minutes")
	}
	for _, name := range []string{"chess", "door-ajar", "mixed-reflection"} {
		s := tracertest.Builtin(t, name, builtin.Options{})
		v := schedule.Request{View: view.View{Camera: s.DefaultCamera(16.0 / 9), Width: 320, Height: 180}}
		reference := tracertest.OnFastest(t).Use(s, nil).Render(tracertest.Shot{Camera: v.Camera, Width: v.Width, Height: v.Height, Samples: 512,
			Settings: tracertest.Settings(func(s *settings.Settings) { s.Integrator, s.Seed = "path", 7 })})
		for _, seen := range []struct {
			name   string
			frames int
			camera func(int) scene.Camera
		}{
			{"first frame", 1, nil},
			{"frame 8, resting", 8, nil},
			{"frame 8, orbit of 0.5° a frame", 8, func(i int) scene.Camera { return tracertest.Orbited(v.Camera, 0.5*float64(i-7)) }},
		} {
			errorOf := func(denoise string, history bool) float64 {
				own := tracertest.Settings(func(s *settings.Settings) {
					s.Integrator, s.RestirMode, s.Denoise, s.DenoiseHistory = "restir-gi", "interactive", denoise, history
				})
				img := shoot(tracertest.OnFastest(t).Use(s, nil), v, own, seen.frames, seen.camera, nil)
				rel, flip := errorsOf(t, img, reference)
				t.Logf("%s | %s | %s, history %v | relMSE %.4f | FLIP %.3f", name, seen.name, denoise, history, rel, flip)
				return rel
			}
			oidn, atrous := errorOf("oidn", false), errorOf("atrous", true)
			errorOf("oidn", true)
			if atrous > 1.5*oidn {
				t.Errorf("%s, %s: relMSE %.4f by atrous, %.4f by OIDN", name, seen.name, atrous, oidn)
			}
		}
	}
}

// errorsOf are relMSE of all pixels, and FLIP.
func errorsOf(t *testing.T, img, reference *imageio.Image) (rel, flip float64) {
	t.Helper()
	rel, err := metric.RelMSE(img, reference)
	if err != nil {
		t.Fatal(err)
	}
	seen, err := metric.HDRFLIP(img, reference, metric.DefaultPixelsPerDegree)
	if err != nil {
		t.Fatal(err)
	}
	return rel, seen.Mean()
}
