package viewer

import (
	"testing"
	"time"

	"glint/tracer"
	"glint/tracer/settings"
)

func TestWidgetForEachSetting(t *testing.T) {
	want := map[string]widget{
		"rr": checkbox, "tonemap": combo, "bounces": intDrag, "exposure": slider, "aperture": drag, "light-scale": drag,
		"env-rotation": slider,
	}
	kinds := map[widget]bool{}
	for _, row := range tracer.SettingsTable() {
		got := widgetOf(row)
		kinds[got] = true
		if w, ok := want[row.Name]; ok && got != w {
			t.Errorf("%s: widget %d, want %d", row.Name, got, w)
		}
		if (got == combo) != (len(row.Choices) > 0) {
			t.Errorf("%s: widget %d for %d choices", row.Name, got, len(row.Choices))
		}
	}
	if len(kinds) != int(drag)+1 {
		t.Errorf("the table uses the widgets %v only", kinds)
	}
}

func TestPanelShowsEverySetting(t *testing.T) {
	shown := 0
	for _, group := range settingGroups(tracer.SettingsTable()) {
		for _, row := range tracer.SettingsTable() {
			if row.Group == group {
				shown++
			}
		}
	}
	if shown != len(tracer.SettingsTable()) {
		t.Errorf("%d of %d rows are in a group", shown, len(tracer.SettingsTable()))
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
		{"sampling", -1, 1, "sampling: light"},
		{"bounces", 3, 1, "bounces: 11"},
		{"bounces", -100, 1, "bounces: 0"},
		{"exposure", 2, 50, "exposure: 0.5 EV"}, // not a length
		{"exposure", 1000, 1, "exposure: 16 EV"},
		{"aperture", 2, 0.5, "aperture: 0.1 m"},
		{"aperture", -1, 1, "aperture: 0 m"},
	} {
		row, ok := lookup(c.setting)
		if !ok {
			t.Fatalf("there is no setting %s", c.setting)
		}
		s := settings.Defaults()
		adjust(row, &s, c.steps, c.unit)
		if got := describe(row, s); got != c.want {
			t.Errorf("%s by %d: %q, want %q", c.setting, c.steps, got, c.want)
		}
	}
}

func TestRestarts(t *testing.T) {
	brighter, deeper := settings.Defaults(), settings.Defaults()
	brighter.Exposure++
	deeper.Bounces++
	if restarts(settings.Defaults(), brighter) || !restarts(settings.Defaults(), deeper) {
		t.Error("exposure does not restart accumulation, bounces do")
	}
}

func TestShotName(t *testing.T) {
	at := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
	for scene, want := range map[string]string{
		"duck.glb":          "duck.20260304-050607.0042samp.png",
		"/a/b/old.duck.glb": "old.duck.20260304-050607.0042samp.png",
		"what? a:b":         "what_ a_b.20260304-050607.0042samp.png",
		"":                  "scene.20260304-050607.0042samp.png",
		"..":                "scene.20260304-050607.0042samp.png",
	} {
		if got := shotName(scene, at, 42); got != want {
			t.Errorf("%q: %s, want %s", scene, got, want)
		}
	}
	if got := shotName("x", at, 123456); got != "x.20260304-050607.123456samp.png" {
		t.Error(got)
	}
}

func TestFrameLog(t *testing.T) {
	var l frameLog
	if ms, rate := l.recent(); ms != 0 || rate != 0 {
		t.Errorf("empty: %v ms, %v paths/s", ms, rate)
	}
	for range 1000 {
		l.add(10*time.Millisecond, 500)
	}
	l.add(30*time.Millisecond, 500)
	if ms, rate := l.recent(); ms < 10 || ms > 11 || rate < 45000 || rate > 50000 {
		t.Errorf("%v ms, %v paths/s", ms, rate)
	}
	if l.slowest() != 30 {
		t.Errorf("slowest %v", l.slowest())
	}
}

func TestGrouped(t *testing.T) {
	for n, want := range map[int]string{0: "0", 999: "999", 1000: "1 000", 1234567: "1 234 567"} {
		if got := grouped(n); got != want {
			t.Errorf("%d: %q", n, got)
		}
	}
}

func TestPace(t *testing.T) {
	var p pace
	if p.budget(frameGoal) != 30*time.Millisecond {
		t.Errorf("first budget %v", p.budget(frameGoal))
	}
	for range 200 { // everything but rendering takes 20 ms
		p.took(p.budget(frameGoal) + 20*time.Millisecond)
	}
	if got := p.budget(frameGoal); got < 19*time.Millisecond || got > 21*time.Millisecond {
		t.Errorf("budget %v of %v with 20 ms for the rest", got, frameGoal)
	}
	for range 200 {
		p.took(time.Second)
	}
	if p.budget(frameGoal) != 30*time.Millisecond {
		t.Errorf("budget %v where the goal is out of reach", p.budget(frameGoal))
	}
}

func TestAStepChangesEverySetting(t *testing.T) {
	for _, row := range tracer.SettingsTable() {
		up, down := settings.Defaults(), settings.Defaults()
		adjust(row, &up, 1, 1)
		adjust(row, &down, -1, 1)
		if sameValue(row, up, settings.Defaults()) && sameValue(row, down, settings.Defaults()) { // one may be out of range
			t.Errorf("a step does not change %s", row.Name)
		}
	}
}
