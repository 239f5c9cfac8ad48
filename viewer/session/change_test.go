package session

import (
	"strings"
	"testing"
	"time"

	"glint/tracer"
	"glint/tracer/settings"
)

// measured is a change whose samples took so long before and after, ms in each pair of turns.
func measured(before float64, after ...float64) *SettingChange {
	ms := func(x float64) time.Duration { return time.Duration(x * float64(time.Millisecond)) }
	c := &SettingChange{Of: &Side{}, what: "exec: wavefront"}
	for n := range measuredPairs {
		c.Pairs = append(c.Pairs, pair{ms(before), ms(after[n%len(after)])})
	}
	return c
}

func TestChangeText(t *testing.T) {
	for want, c := range map[string]*SettingChange{
		"10 ms → 5 ms a sample   2.00× as fast (2.00 to 2.00)":          measured(10, 5),
		"10 ms → 15 ms a sample   1.50× as slow (1.45 to 1.55)":         measured(10, 14.5, 15, 15.5),
		"10 ms → 10 ms a sample   no difference found (1.00× to 1.00×)": measured(10, 10),
		"10 ms → 12 ms a sample   no difference found (0.77× to 1.11×)": measured(10, 9, 12, 12, 13, 13),
		"measuring what it costs …":                                     {Of: &Side{}, what: "exec: wavefront"},
		"no effect in the megakernel engine":                            {Of: &Side{}, what: "exec: wavefront", idle: "no effect in the megakernel engine"},
	} {
		if got := c.text(); got != "exec: wavefront   "+want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestOneTurnThatWasHeldUp: it does not hide a difference.
func TestOneTurnThatWasHeldUp(t *testing.T) {
	c := measured(10, 5)
	c.Pairs[3].after *= 100
	if got := c.text(); !strings.HasSuffix(got, "2.00× as fast (2.00 to 2.00)") {
		t.Error(got)
	}
}

// TestSettingsThatCost: focus, exposure or seed change nothing of what samples cost.
func TestSettingsThatCost(t *testing.T) {
	for name, want := range map[string]bool{
		"integrator": true, "exec": true, "bounces": true, "restir-cap": true, "rr": true,
		"focus": false, "aperture": false, "exposure": false, "seed": false, "light-scale": false, "denoise": false, "aov-view": false,
	} {
		row, _ := settings.Lookup(tracer.SettingsTable(), name)
		if changesCost(row) != want {
			t.Errorf("--%s changes costs: %v", name, !want)
		}
	}
}
