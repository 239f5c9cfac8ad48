package denoise_test

import (
	"testing"

	"glint/tracer/builtin"
	"glint/tracer/imageio"
	"glint/tracer/settings"
	"glint/tracer/tracertest"
	"glint/tracer/view"
)

// TestRestNeverGetsNoisier: what the built-in filter shows of a view that comes to rest is never farther from the truth than in
// motion, nor with twice the samples, but for the chance of 15 %; and with many it is not farther than the noisy image.
func TestRestNeverGetsNoisier(t *testing.T) {
	names, samples, truth := []string{"door-ajar"}, 64, 1024
	if tracertest.Long() {
		names, samples, truth = []string{"chess", "door-ajar"}, 512, 4096
	}
	for _, name := range names {
		s := tracertest.Builtin(t, name, builtin.Options{})
		v := view.View{Camera: s.DefaultCamera(1.5), Width: 96, Height: 64}
		reference := tracertest.OnFastest(t).Use(s, nil).Render(tracertest.Shot{Camera: v.Camera, Width: v.Width, Height: v.Height, Samples: truth,
			Settings: tracertest.Settings(func(s *settings.Settings) { s.Integrator, s.Seed = "path", 7 })})
		for _, integrator := range []string{"path", "restir-gi"} {
			for _, history := range []bool{false, true} {
				own := filtering(func(s *settings.Settings) { s.Integrator, s.DenoiseHistory = integrator, history })
				checkRest(t, s.Name, tracertest.OnFastest(t).Use(s, nil), v, own, samples, reference)
			}
		}
	}
}

// checkRest lets a view rest after eight frames in motion.
func checkRest(t *testing.T, name string, fx *tracertest.Fixture, v view.View, s settings.Settings, samples int, reference *imageio.Image) {
	t.Helper()
	const frames = 8
	before := 0.0
	shoot(fx, v, s, frames, nil, func(i int, img *imageio.Image) {
		if i >= frames/2 {
			before = max(before, tracertest.RelMSE(t, img, reference))
		}
	})
	t.Logf("%s, %s, history %v: relMSE %.4f at most in motion", name, s.Integrator, s.DenoiseHistory, before)
	v.Live, v.Frame = true, frames+1
	for n, next := 1, 1; n <= samples; n++ {
		v.Unseen = n < next
		if _, err := fx.Renderer.Render(v, s, view.Target{}); err != nil {
			t.Fatal(err)
		}
		if v.Unseen {
			continue
		}
		clean, err := fx.Renderer.Image().Denoised(v, s)
		if err != nil {
			t.Fatal(err)
		}
		noisy, err := fx.Renderer.Image().Radiance()
		if err != nil {
			t.Fatal(err)
		}
		now, raw := tracertest.RelMSE(t, clean, reference), tracertest.RelMSE(t, noisy, reference)
		t.Logf("%d samples: relMSE %.4f, noisy %.4f", n, now, raw)
		if now > 1.15*before {
			t.Errorf("%s, %s, history %v: relMSE rises from %.4f to %.4f at %d samples", name, s.Integrator, s.DenoiseHistory, before, now, n)
		}
		if now > raw {
			t.Errorf("%s, %s, history %v: relMSE %.4f at %d samples, noisy %.4f", name, s.Integrator, s.DenoiseHistory, now, n, raw)
		}
		before, next = now, 2*n
	}
}
