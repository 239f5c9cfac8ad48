package session

import (
	"testing"

	"glint/tracer"
	"glint/tracer/settings"
)

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
