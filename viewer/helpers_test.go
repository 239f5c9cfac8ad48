package viewer

import (
	"slices"
	"strings"
	"testing"

	"glint/tracer"
	"glint/tracer/builtin"
	"glint/viewer/session"
)

// TestHelpersInAWindow: another device adds samples to a view that rests, the panel names it, and while the view turns, or two sides are
// compared, the picture is the first device's alone.
func TestHelpersInAWindow(t *testing.T) {
	s, err := builtin.Make("cornell", builtin.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p := openProbe(t, func(o *Options, _ *fake) {
		o.Open, o.Tracer.Backend, o.Width, o.Height, o.Scene = session.OpenTracer, "cpu", 96, 64, s
		o.Helpers = []tracer.Options{{Backend: "cpu"}}
	})
	leaps := func() func(a *app) bool {
		last := 0
		return func(a *app) bool { // a call adds a sample, and helpers a block at least
			before := last
			last = a.session.Sides.Active.Stats.Samples
			return last-before >= 16 && before >= 16
		}
	}
	p.until("samples of another device", leaps())
	p.do(func(a *app) {
		lines := session.StatusLines(a.session.Frames)
		at := slices.IndexFunc(lines, func(l session.StatusLine) bool { return l.Name == "device" })
		if at < 0 || !strings.HasSuffix(lines[at].Value, "and, at rest, the processor") {
			t.Errorf("the panel says %v", lines)
		}
		a.session.Stage.Camera.Orbit(0.1, 0)
	})
	p.until("the new view", func(a *app) bool { return a.session.Sides.Active.Stats.Samples < 16 })
	p.until("samples of it of another device", leaps())
	p.do(func(a *app) { a.session.OpenSplit() })
	p.until("two sides", func(a *app) bool {
		return len(a.session.Sides.Sides) == 2 && a.session.Sides.Sides[1].Stats.Samples > 0
	})
	if err := p.quit(); err != nil {
		t.Error(err)
	}
}
