package viewer

import (
	"testing"
	"time"
)

// TestAutoIsToldWhatFits: a window on a GPU says for how many samples a frame has room, unless it compares two sides.
func TestAutoIsToldWhatFits(t *testing.T) {
	p := openProbe(t, func(_ *Options, f *fake) {
		f.kind, f.cost = "cuda", map[string]time.Duration{"auto": 4 * time.Millisecond, "path": 4 * time.Millisecond}
	})
	p.until("room", func(*app) bool { return p.fake.view.Fits > 1 })
	p.do(func(a *app) { a.session.OpenSplit() })
	p.until("none", func(a *app) bool { return a.session.Sides.Comparing() && p.fake.view.Fits == 0 })
	p.do(func(a *app) { a.session.Sides.CloseSplit() })
	p.until("room again", func(*app) bool { return p.fake.view.Fits > 1 })
}
