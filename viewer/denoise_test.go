package viewer

import (
	"errors"
	"strings"
	"testing"
	"time"

	"glint/tracer"
	"glint/tracer/settings"
	"glint/tracer/view"
)

func TestDenoiseLine(t *testing.T) {
	for _, row := range []struct {
		stats       view.Stats
		value, help string
	}{
		{view.Stats{}, "not yet", "being made"},
		{view.Stats{Denoised: 4096, Denoiser: "atrous"}, "after 4 096 samples by atrous", ""},
		{view.Stats{Denoised: 1, Denoiser: "atrous", Instead: errors.New("OIDN 2 was not found")}, "after 1 samples by atrous", "not found"},
		{view.Stats{Undenoised: errors.New("OIDN 2 was not found (here, there): run `make oidn`")}, "no: OIDN 2 was not found", "make oidn"},
	} {
		line := denoiseLine(row.stats)
		if line.value != row.value || !strings.Contains(line.why, row.help) {
			t.Errorf("%+v: %q because %q", row.stats, line.value, line.why)
		}
	}
}

func TestLegendOfAOV(t *testing.T) {
	s := settings.Defaults()
	if l := legendOf(s, "path"); l.name != "" {
		t.Errorf("a legend of %q without a view", l.name)
	}
	for _, aov := range tracer.AOVs() {
		s.AOVView = aov.Name
		if l := legendOf(s, "path"); l.name != aov.Name || l.help == "" {
			t.Errorf("%s: legend %+v", aov.Name, l)
		}
	}
}

// TestDenoisedWindow: a resting view is denoised in the background while the window goes on answering, and views of AOVs
// take turns.
func TestDenoisedWindow(t *testing.T) {
	p := openProbe(t, func(o *Options, _ *fake) {
		o.open, o.Tracer.Backend, o.Width, o.Height = openTracer, "cpu", 320, 240
	})
	p.xdo("key", "l")
	var why error
	p.until("a denoised image", func(a *app) bool {
		why = a.stats.Undenoised
		return a.settings.Denoise != "off" && (a.stats.Denoised > 0 || why != nil)
	})
	if why != nil {
		t.Fatal(why)
	}
	slowest := time.Duration(0)
	p.until("a later one", func(a *app) bool {
		slowest = max(slowest, a.stats.Elapsed)
		return a.stats.Denoised >= 8
	})
	t.Logf("a call of Render took %v at most", slowest)
	p.xdo("key", "u")
	p.until("direct light", func(a *app) bool { return a.settings.AOVView == "direct" && a.stats.Samples > 0 })
}
