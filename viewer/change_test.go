package viewer

import (
	"context"
	"strings"
	"testing"
	"time"

	"glint/tracer/device"
	"glint/tracer/scene"
)

// TestChangesAreMeasured: what a key changes is measured in turns with what was before, and what only that needs is closed.
func TestChangesAreMeasured(t *testing.T) {
	p := openProbe(t, func(o *Options, f *fake) {
		o.Settings.Integrator, f.kind, f.interop = "path", device.KindCUDA, true
		f.cost = map[string]time.Duration{"path": 8 * time.Millisecond, "restir": 4 * time.Millisecond}
	})
	p.until("a cost", func(a *app) bool { return a.session.Sides.Active.Timer.Steady() > 0 })
	p.xdo("key", "1")
	p.until("turns", func(a *app) bool {
		return a.session.Frames.Change.Baseline != nil && len(a.session.Frames.Change.Pairs) > 0
	})
	p.do(func(a *app) {
		if b := a.session.Frames.Change.Baseline; b.Used.Integrator != "path" || a.session.Sides.Active.Used.Integrator != "restir" {
			t.Errorf("before: %s, now: %s", b.Used.Integrator, a.session.Sides.Active.Used.Integrator)
		}
	})
	p.until("the gain", func(a *app) bool {
		return strings.Contains(a.session.Frames.Change.ShownText(false), "integrator: restir   8 ms → 4 ms a sample   2.00× as fast (2.00 to 2.00)")
	})
	p.do(func(a *app) {
		if twin := p.fake.twins[0]; a.session.Frames.Change.Baseline != nil || !twin.closed || len(twin.attached) > 0 {
			t.Errorf("after the measurement the twin is closed: %v, and has %d buffers", twin.closed, len(twin.attached))
		}
		a.session.Stage.Camera.Orbit(0.1, 0)
	})
	p.until("another view", func(a *app) bool { return a.session.Frames.Change.Of == nil })
}

// TestMeasurementEnds: who moves on waits for nothing, and nothing of it stays behind.
func TestMeasurementEnds(t *testing.T) {
	p := openProbe(t, func(o *Options, f *fake) {
		o.Settings.Integrator, f.kind, f.interop = "path", device.KindCUDA, true
		f.cost = map[string]time.Duration{"path": 8 * time.Millisecond, "restir": 4 * time.Millisecond}
		o.Load = func(_ context.Context, path string, _ scene.Options) (*scene.Scene, error) { return aScene(path), nil }
	})
	var baseline *fake
	measure := func() {
		p.do(func(a *app) { a.session.Sides.Active.Settings.Integrator = "path" })
		p.until("a cost", func(a *app) bool {
			return a.session.Sides.Active.Used.Integrator == "path" && a.session.Sides.Active.Timer.Steady() > 0
		})
		p.do(func(a *app) { a.session.Sides.Active.Settings.Integrator = "restir" })
		p.until("a baseline", func(a *app) bool {
			return a.session.Sides.Active.Used.Integrator == "restir" && a.session.Frames.Change.Baseline != nil && a.session.Frames.Change.Baseline.Used.Integrator == "path"
		})
		baseline = p.fake.twins[len(p.fake.twins)-1]
	}
	for _, c := range []struct {
		name     string
		do, undo func(a *app)
	}{
		{"another view", func(a *app) { a.session.Stage.Camera.Orbit(0.1, 0) }, func(*app) {}},
		{"another seed", func(a *app) { a.session.Sides.Active.Settings.Seed++ }, func(*app) {}},
		{"another scene", func(a *app) { a.session.Loader.Open("b.glb") }, func(*app) {}},
		{"two sides", func(a *app) { a.session.OpenSplit() }, func(a *app) { a.session.Sides.CloseSplit() }},
	} {
		measure()
		p.do(func(a *app) {
			if a.session.Frames.Paths() == 0 || a.session.Frames.Elapsed() == 0 {
				t.Errorf("%s: what the baseline traces is not counted", c.name)
			}
			c.do(a)
		})
		p.until(c.name, func(a *app) bool {
			return a.session.Frames.Change.Baseline == nil && baseline.closed && len(baseline.attached) == 0
		})
		p.do(c.undo)
	}
	measure()
	if err := p.quit(); err != nil || !baseline.closed || len(baseline.attached) > 0 {
		t.Errorf("quit: %v; the twin is closed: %v, and has %d buffers", err, baseline.closed, len(baseline.attached))
	}
}

// TestChangesWithoutEffect: no cost is claimed of a setting that the engine ignores, nor of a choice that auto took before.
func TestChangesWithoutEffect(t *testing.T) {
	p := openProbe(t, func(_ *Options, f *fake) { f.cost = map[string]time.Duration{"auto": 100 * time.Millisecond} })
	for _, row := range []struct{ key, want string }{
		{"F5", "path compaction: scan   no effect in the megakernel engine"},
		{"F6", "shading order: key   no effect in the megakernel engine"},
		{"F4", "engine: megakernel   no effect: auto takes the same here"},
	} {
		p.until("a cost", func(a *app) bool { return a.session.Sides.Active.Timer.Steady() > 0 })
		p.xdo("key", row.key)
		p.until(row.want, func(a *app) bool { return a.session.Frames.Change.ShownText(false) == row.want })
	}
	p.xdo("key", "F4")
	p.xdo("key", "F4") // wavefront
	p.until("a cost", func(a *app) bool {
		return a.session.Sides.Active.Used.Exec == "wavefront" && a.session.Sides.Active.Timer.Steady() > 0
	})
	p.xdo("key", "F5")
	p.until("the measurement", func(a *app) bool { return a.session.Frames.Change.Measuring() })
}

// TestChangesThatCost: a click to focus says nothing of costs.
func TestChangesThatCost(t *testing.T) {
	p := openProbe(t, func(_ *Options, f *fake) {
		f.kind, f.cost = "cuda", map[string]time.Duration{"auto": 8 * time.Millisecond}
	})
	p.until("a cost", func(a *app) bool { return a.session.Sides.Active.Timer.Steady() > 0 })
	p.xdo("key", "e")
	p.until("another focus", func(a *app) bool { return a.session.Sides.Active.Used.Focus > 0 })
	p.do(func(a *app) {
		if a.session.Frames.Change.Of != nil || a.session.Frames.Change.ShownText(false) != "" {
			t.Errorf("focusing says %q", a.session.Frames.Change.ShownText(false))
		}
	})
}
