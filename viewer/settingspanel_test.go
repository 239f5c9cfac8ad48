package viewer

import (
	"errors"
	"strings"
	"testing"
	"time"

	"glint/tracer/settings"
	"glint/tracer/tracertest"
	"glint/tracer/view"
)

// TestJudgementReason: the panel says what was measured for auto, first of the integrator in use, and why where it is not the better
// one.
func TestJudgementReason(t *testing.T) {
	judged := func(used string, j view.Judgement) view.Stats {
		j.Trials = [2]view.Trial{{Integrator: "path", Error: 0.0612, Samples: 3}, {Integrator: "restir", Error: 0.0418, Samples: 1}}
		return view.Stats{Integrator: used, Judgement: j}
	}
	now := time.Now()
	auto, named := settings.Defaults(), tracertest.Settings(func(s *settings.Settings) { s.Integrator = "path" })
	for _, c := range []struct {
		settings  settings.Settings
		stats     view.Stats
		text, why string
	}{
		{auto, view.Stats{Integrator: "restir"}, "", ""},
		{named, judged("path", view.Judgement{At: now}), "", ""},
		{auto, judged("restir", view.Judgement{At: now, Moving: true}), "0.042, path 0.061", "moving, measured at"},
		{auto, judged("restir", view.Judgement{At: now}), "0.042, path 0.061", "resting, measured at"},
		{auto, judged("restir", view.Judgement{At: now, Moving: true, Denoised: true}), "0.042, path 0.061", "moving and denoised"},
		{auto, judged("restir", view.Judgement{At: now}), "0.042, path 0.061", "1 sample by restir took as long as 3 samples by path."},
		{auto, judged("path", view.Judgement{At: now}), "0.061, restir 0.042", "too small to change"},
		{auto, judged("path", view.Judgement{At: now, Err: errors.New("out of memory")}), "not measured", "out of memory"},
	} {
		if got := judgementReason(c.settings, c.stats); got.value != c.text || !strings.Contains(got.why, c.why) {
			t.Errorf("%s by %s: %q because %q, want %q because … %q …", c.settings.Integrator, c.stats.Integrator, got.value, got.why, c.text, c.why)
		}
	}
}

// TestAutoIsToldWhatFits: a window on a GPU says for how many samples a frame has room, unless it compares two sides.
func TestAutoIsToldWhatFits(t *testing.T) {
	p := openProbe(t, func(_ *Options, f *fake) {
		f.kind, f.cost = "cuda", map[string]time.Duration{"auto": 4 * time.Millisecond, "path": 4 * time.Millisecond}
	})
	p.until("room", func(*app) bool { return p.fake.view.Fits > 1 })
	p.do((*app).openSplit)
	p.until("none", func(a *app) bool { return a.comparing() && p.fake.view.Fits == 0 })
	p.do((*app).closeSplit)
	p.until("room again", func(*app) bool { return p.fake.view.Fits > 1 })
}
