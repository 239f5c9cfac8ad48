package viewer

import (
	"testing"

	"glint/tracer/profile"
	"glint/viewer/session"
)

// TestStatisticsKey: statistics are gathered only while they are shown.
func TestStatisticsKey(t *testing.T) {
	p := openProbe(t, func(_ *Options, f *fake) { f.kind = "cuda" })
	p.until("a calm watch", func(*app) bool { return p.fake.watch == profile.Policy{CountEvery: session.HiddenEvery} })
	p.xdo("key", "i")
	p.until("statistics", func(a *app) bool {
		return p.fake.watch == profile.Policy{TimeEvery: session.ShownEvery, CountEvery: session.ShownEvery} && a.session.Frames.Statistics.Entries > 1 && !a.hud.At.Page.Empty()
	})
	p.do(func(a *app) {
		if at := a.hud.At.Page.Min; !a.hud.WantsMouse(float64(at.X+5), float64(at.Y+5)) {
			t.Error("the mouse goes through the statistics")
		}
	})
	p.xdo("key", "i")
	p.until("a calm watch", func(a *app) bool {
		return p.fake.watch == profile.Policy{CountEvery: session.HiddenEvery} && a.session.Frames.Statistics.Entries == 0
	})
}
