package viewer

import (
	"testing"
	"time"

	"glint/tracer/schedule"
	"glint/viewer/session"
)

// TestTargetFrameRate: on a GPU a call of Render is told what it may take while a frame rate is asked for, and on a processor
// the frame is cut to fit.
func TestTargetFrameRate(t *testing.T) {
	for _, kind := range []string{"cuda", "cpu"} {
		t.Run(kind, func(t *testing.T) {
			p := openProbe(t, func(_ *Options, f *fake) { f.kind = kind })
			p.xdo("key", "F10")
			p.until("a goal", func(a *app) bool {
				a.session.Stage.Camera.Orbit(0.01, 0)
				v := p.fake.view
				goal, budget := v.Goal > 0 && v.Goal < schedule.FrameTime(session.UsualFPS), v.Budget > 0 && v.Budget < schedule.FrameTime(session.UsualFPS)
				return a.session.Sides.Active.Settings.TargetFPS == session.UsualFPS && v.Moving && goal == (kind == "cuda") && budget == (kind == "cpu")
			})
			p.xdo("key", "F10")
			p.until("no goal", func(a *app) bool {
				a.session.Stage.Camera.Orbit(0.01, 0)
				return a.session.Sides.Active.Settings.TargetFPS == 0 && p.fake.view.Goal == 0
			})
			p.xdo("key", "F9")
			p.until("a smaller image", func(*app) bool { return p.fake.settings.RenderScale < 1 && p.fake.settings.RenderScale > 0.9 })
			p.xdo("key", "shift+F9")
			p.until("full size", func(*app) bool { return p.fake.settings.RenderScale == 1 })
		})
	}
}

// TestFramesAreFilled: on a GPU a frame has room for many samples, more at rest than while the view moves, and their number
// grows from what has been measured, not from a guess.
func TestFramesAreFilled(t *testing.T) {
	const cost = time.Millisecond
	p := openProbe(t, func(o *Options, f *fake) {
		f.kind, f.cost = "cuda", map[string]time.Duration{"path": cost}
		o.Settings.Integrator = "path"
	})
	calls := func(a *app) int { return a.session.Sides.Active.Pace.Calls }
	p.until("a resting frame full of samples", func(a *app) bool {
		return calls(a) > 20 && time.Duration(calls(a))*cost <= schedule.RestFrameTime
	})
	p.until("a moving frame with fewer", func(a *app) bool {
		a.session.Stage.Camera.Orbit(0.01, 0)
		return a.session.Frames.Rendered.View.Moving && calls(a) > 4 && time.Duration(calls(a))*cost < schedule.FrameTime(schedule.UsualRefresh)
	})
	if p.fake.careless > 0 {
		t.Errorf("%d calls were denoised that nobody sees", p.fake.careless)
	}
}
