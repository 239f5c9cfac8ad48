package viewer

import (
	"os"
	"testing"

	"glint/tracer/tracertest"
	"glint/viewer/session"
)

// TestHardwareRaysOnGPU: rays that hardware traces survive a drag, another size, another scene, two sides and an animation.
func TestHardwareRaysOnGPU(t *testing.T) {
	if os.Getenv(keepDisplay) == "" {
		t.Skipf("set %s=1 on a GPU machine with a display to trace rays in hardware", keepDisplay)
	}
	p := openProbe(t, func(o *Options, _ *fake) {
		o.Open, o.Tracer.Backend, o.Width, o.Height = session.OpenTracer, "cuda", 960, 540
		o.Settings.Integrator, o.Settings.Exec, o.Settings.Rays = "path", "wavefront", "hardware"
	})
	traced := func(when string) {
		t.Helper()
		p.untilAtLast("rays by hardware "+when, func(a *app) bool {
			for _, s := range a.session.Sides.Sides {
				if s.Stats.RaysError != nil {
					t.Fatalf("%s: %v", when, s.Stats.RaysError)
				}
				if s.Stats.Rays != "hardware" || s.Stats.Samples < 2 {
					return false
				}
			}
			return a.session.Loader.Loading == nil
		})
		p.do(func(a *app) {
			t.Logf("%s: %d samples, %.2f ms a frame", when, a.session.Sides.Active.Stats.Samples, a.session.Frames.History.Recent())
		})
	}
	traced("at the start")
	for range 60 {
		p.do(func(a *app) { a.session.Stage.Camera.Orbit(0.01, 0) })
	}
	traced("after a drag")
	p.do(func(a *app) { a.display.window.SetSize(700, 500) })
	traced("at another size")
	p.do(func(a *app) { a.session.Loader.Open("cornell-glossy") })
	p.untilAtLast("another scene", func(a *app) bool { return a.session.Stage.Shown.Scene.Name == "cornell-glossy" })
	traced("in another scene")
	p.do(func(a *app) { a.session.ToggleSplit() })
	p.untilAtLast("two sides", func(a *app) bool { return a.session.Sides.Comparing() })
	traced("on two sides")
	p.do(func(a *app) { a.session.ToggleSplit() })
	path := tracertest.MovingFile(t)
	p.do(func(a *app) { a.session.Loader.Open(path) })
	p.untilAtLast("an animation", func(a *app) bool {
		return a.session.Stage.Shown.Scene.Motion != nil && a.session.Stage.Player.Seconds > 0.5
	})
	traced("in an animation")
	p.do(func(a *app) { compareWithFilm(t, a) })
	if err := p.quit(); err != nil {
		t.Error(err)
	}
}
