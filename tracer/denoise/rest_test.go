package denoise_test

import (
	"fmt"
	"testing"

	"glint/tracer/builtin"
	"glint/tracer/imageio"
	"glint/tracer/scene"
	"glint/tracer/schedule"
	"glint/tracer/settings"
	"glint/tracer/tracertest"
	"glint/tracer/view"
)

// TestRestNeverGetsNoisier: what the built-in filter shows of a view that comes to rest is never farther from the truth than in
// motion, nor with twice the samples, but for the chance of 15 %; and with many it is not farther than the noisy image.
func TestRestNeverGetsNoisier(t *testing.T) {
	names, samples, truth := []string{"door-ajar"}, 32, 1024
	if tracertest.Long() {
		names, samples, truth = []string{"chess", "door-ajar"}, 512, 4096
	}
	for _, name := range names {
		s := tracertest.Builtin(t, name, builtin.Options{})
		v := schedule.Request{View: view.View{Camera: s.DefaultCamera(1.5), Width: 96, Height: 64}}
		reference := tracertest.OnFastest(t).Use(s, nil).Render(tracertest.Shot{Camera: v.Camera, Width: v.Width, Height: v.Height, Samples: truth,
			Settings: tracertest.Settings(func(s *settings.Settings) { s.Integrator, s.Seed = "path", 7 })})
		for _, integrator := range []string{"path", "restir-gi"} {
			for _, history := range []bool{false, true} {
				own := filtering(func(s *settings.Settings) { s.Integrator, s.DenoiseHistory = integrator, history })
				checkRest(t, s, v, own, samples, reference)
			}
		}
	}
}

// rest is how far a view that comes to rest is from the truth: relMSE of what is shown in motion, and then with 1, 2, 4, … samples, and of
// the noisy image with those.
type rest struct {
	motion       float64
	shown, noisy []float64
}

// measureRest lets a view rest after eight frames in motion.
func measureRest(fx *tracertest.Fixture, v schedule.Request, s settings.Settings, samples int, reference *imageio.Image) rest {
	const frames = 8
	var r rest
	shoot(fx, v, s, frames, nil, func(i int, img *imageio.Image) {
		if i >= frames/2 {
			r.motion += tracertest.RelMSE(fx.T, img, reference) / (frames / 2)
		}
	})
	v.Live, v.Frame = true, frames+1
	for n, next := 1, 1; n <= samples; n++ {
		v.Unseen = n < next
		if _, err := fx.Renderer.Render(v, s, view.Target{}); err != nil {
			fx.T.Fatal(err)
		}
		if v.Unseen {
			continue
		}
		clean, err := fx.Renderer.Image().Denoised(v, s)
		if err != nil {
			fx.T.Fatal(err)
		}
		noisy, err := fx.Renderer.Image().Radiance()
		if err != nil {
			fx.T.Fatal(err)
		}
		r.shown = append(r.shown, tracertest.RelMSE(fx.T, clean, reference))
		r.noisy = append(r.noisy, tracertest.RelMSE(fx.T, noisy, reference))
		next = 2 * n
	}
	return r
}

// checkRest compares means of several runs: single pictures of a few samples differ by more than is to be told.
func checkRest(t *testing.T, sc *scene.Scene, v schedule.Request, s settings.Settings, samples int, reference *imageio.Image) {
	t.Helper()
	const runs = 4
	var mean rest
	for run := range runs {
		s.Seed = run
		r := measureRest(tracertest.OnFastest(t).Use(sc, nil), v, s, samples, reference)
		if run == 0 {
			mean.shown, mean.noisy = make([]float64, len(r.shown)), make([]float64, len(r.noisy))
		}
		mean.motion += r.motion / runs
		for i := range r.shown {
			mean.shown[i] += r.shown[i] / runs
			mean.noisy[i] += r.noisy[i] / runs
		}
	}
	name := fmt.Sprintf("%s, %s, history %v", sc.Name, s.Integrator, s.DenoiseHistory)
	t.Logf("%s: relMSE %.4f in motion", name, mean.motion)
	before := mean.motion
	for i, now := range mean.shown {
		t.Logf("%d samples: relMSE %.4f, noisy %.4f", 1<<i, now, mean.noisy[i])
		if now > 1.15*before {
			t.Errorf("%s: relMSE rises from %.4f to %.4f at %d samples", name, before, now, 1<<i)
		}
		if now > mean.noisy[i] {
			t.Errorf("%s: relMSE %.4f at %d samples, noisy %.4f", name, now, 1<<i, mean.noisy[i])
		}
		before = now
	}
}
