package session

import (
	"errors"
	"strings"
	"testing"

	"glint/tracer/film"
	"glint/tracer/integrator"
	"glint/tracer/settings"
	"glint/tracer/view"
)

func TestLegendText(t *testing.T) {
	view := integrator.LookupReuseView("confidence")
	if got := legendText(view, "restir-gi"); got != view.Help {
		t.Errorf("the legend says %q, want %q", got, view.Help)
	}
	if got := legendText(view, "path"); !strings.Contains(got, "path shares nothing") {
		t.Errorf("without reuse the legend says %q", got)
	}
}

func TestLegendOfAOV(t *testing.T) {
	s := settings.Defaults()
	if l := LegendOf(s, view.Stats{Integrator: "path"}); l.Name != "" {
		t.Errorf("a legend of %q without a view", l.Name)
	}
	for _, aov := range film.AOVs() {
		s.AOVView = aov.Name
		if l := LegendOf(s, view.Stats{Integrator: "path", ErrorMapSamples: 8}); l.Name != aov.Name || l.Help == "" {
			t.Errorf("%s: legend %+v", aov.Name, l)
		}
	}
}

// TestLegendWithoutAnErrorMap: nothing is said of colours that are not shown.
func TestLegendWithoutAnErrorMap(t *testing.T) {
	s := settings.Defaults()
	s.AOVView = TrustView
	for want, row := range map[string]struct {
		denoise string
		stats   view.Stats
	}{
		"choose one": {"off", view.Stats{}},
		"none is on": {"auto", view.Stats{}},
		"being made": {"atrous", view.Stats{}},
		"no OIDN":    {"oidn", view.Stats{DenoiseError: errors.New("no OIDN (here)")}},
	} {
		s.Denoise = row.denoise
		if l := LegendOf(s, row.stats); len(l.Colors) > 0 || !strings.Contains(l.Help, want) {
			t.Errorf("%s: %d colours, and it says %q", row.denoise, len(l.Colors), l.Help)
		}
	}
	if l := LegendOf(s, view.Stats{ErrorMapSamples: 8}); len(l.Colors) == 0 {
		t.Error("with a map there are no colours")
	}
}
