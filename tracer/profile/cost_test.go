package profile_test

import (
	"slices"
	"testing"
	"time"

	"glint/tracer/builtin"
	"glint/tracer/profile"
	"glint/tracer/schedule"
	"glint/tracer/settings"
	"glint/tracer/tracertest"
	"glint/tracer/view"
)

// TestWatchCost: watching one frame in eight slows frames by no more than 1 %. Only a machine that does nothing else can tell:
// it runs with GLINT_LONG=1, and is strict on a GPU.
func TestWatchCost(t *testing.T) {
	if !tracertest.Long() {
		t.Skip("runs with GLINT_LONG=1")
	}
	const rounds, frames, most = 15, 40, 1.01
	watches := []profile.Policy{{}, {TimeEvery: 8, CountEvery: 8}, {TimeEvery: 1}, {CountEvery: 1}}
	fx := tracertest.OnFastest(t)
	cuda := fx.Renderer.Engine().Backend().Kind == "cuda"
	s := tracertest.Builtin(t, "chess", builtin.Options{})
	fx.Use(s, nil)
	v := schedule.Request{View: view.View{Camera: s.Cameras[0], Width: 160, Height: 120}, Live: true}
	if cuda {
		v.Width, v.Height = 1200, 1200
	}
	for _, engine := range []string{"megakernel", "wavefront"} {
		own := tracertest.Settings(func(s *settings.Settings) { s.Exec, s.Integrator = engine, "restir-gi" })
		took := make([][]time.Duration, len(watches))
		for range rounds {
			for i, w := range watches {
				fx.Renderer.SetProfilePolicy(w)
				took[i] = append(took[i], timeFrames(fx, v, own, frames))
			}
		}
		for i, w := range watches {
			slices.Sort(took[i])
			ratio := took[i][rounds/2].Seconds() / took[0][rounds/2].Seconds()
			t.Logf("%s, %+v: %.3f ms a frame, × %.4f", engine, w, took[i][rounds/2].Seconds()*1e3/frames, ratio)
			if cuda && i == 1 && ratio > most {
				t.Errorf("%s: watching costs %.2f %%", engine, 100*(ratio-1))
			}
		}
	}
}

// time is how long so many frames take.
func timeFrames(fx *tracertest.Fixture, v schedule.Request, s settings.Settings, frames int) time.Duration {
	fx.T.Helper()
	begun := time.Now()
	for range frames {
		fx.Frame(v, s, view.Target{})
	}
	if err := fx.Renderer.Finish(); err != nil {
		fx.T.Fatal(err)
	}
	return time.Since(begun)
}
