package session

import (
	"errors"
	"strings"
	"testing"
	"time"

	"glint/tracer"
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
		if got := JudgementReason(c.settings, c.stats); got.Value != c.text || !strings.Contains(got.Why, c.why) {
			t.Errorf("%s by %s: %q because %q, want %q because … %q …", c.settings.Integrator, c.stats.Integrator, got.Value, got.Why, c.text, c.why)
		}
	}
}

func TestAdjust(t *testing.T) {
	for _, c := range []struct {
		setting string
		steps   int
		unit    float32
		want    string
	}{
		{"rr", 1, 1, "Russian roulette: off"},
		{"integrator", 1, 1, "integrator: naive"}, // round the end
		{"sampling", -1, 1, "light sampling: light"},
		{"bounces", 3, 1, "bounces: 11"},
		{"bounces", -100, 1, "bounces: 0"},
		{"exposure", 2, 50, "exposure: 0.5 EV"}, // not a length
		{"exposure", 1000, 1, "exposure: 16 EV"},
		{"aperture", 2, 0.5, "aperture: 0.1 m"},
		{"aperture", -1, 1, "aperture: 0 m"},
	} {
		row, ok := settings.Lookup(tracer.SettingsTable(), c.setting)
		if !ok {
			t.Fatalf("there is no setting %s", c.setting)
		}
		s := settings.Defaults()
		Adjust(row, &s, c.steps, c.unit)
		if got := Describe(row, s); got != c.want {
			t.Errorf("%s by %d: %q, want %q", c.setting, c.steps, got, c.want)
		}
	}
}

func TestRestarts(t *testing.T) {
	brighter, deeper := settings.Defaults(), settings.Defaults()
	brighter.Exposure++
	deeper.Bounces++
	table := tracer.SettingsTable()
	if Restarts(table, settings.Defaults(), brighter) || !Restarts(table, settings.Defaults(), deeper) {
		t.Error("exposure does not restart accumulation, bounces do")
	}
}

func TestAStepChangesEverySetting(t *testing.T) {
	for _, row := range tracer.SettingsTable() {
		up, down := settings.Defaults(), settings.Defaults()
		Adjust(row, &up, 1, 1)
		Adjust(row, &down, -1, 1)
		if usual := settings.Defaults(); row.Same(&up, &usual) && row.Same(&down, &usual) { // one may be out of range
			t.Errorf("a step does not change %s", row.Name)
		}
	}
}
