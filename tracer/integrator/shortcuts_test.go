package integrator_test

import (
	"strings"
	"testing"

	"glint/tracer/integrator"
	"glint/tracer/schedule"
	"glint/tracer/settings"
	"glint/tracer/tracertest"
	"glint/tracer/view"
)

// Shortcuts are told while they act, and only then.
func TestShortcutsAreTold(t *testing.T) {
	interactive := func(s *settings.Settings) { s.RestirMode = "interactive" }
	for name, c := range map[string]struct {
		change  func(*settings.Settings)
		live    bool
		samples int
		want    string // what shortcuts begin with
	}{
		"path":              {func(s *settings.Settings) { s.Integrator, s.RestirMIS = "path", "naive" }, true, 0, ""},
		"as it comes":       {func(*settings.Settings) {}, true, 0, ""},
		"interactive":       {interactive, true, 0, "basic weights, history of 30 frames at most, boiling filter"},
		"has come to rest":  {interactive, true, 8, ""},
		"of a still":        {interactive, false, 0, ""},
		"naive":             {func(s *settings.Settings) { s.RestirMIS = "naive" }, false, 3, "naive weights"},
		"nothing is shared": {func(s *settings.Settings) { s.RestirMIS, s.RestirSpatial, s.RestirTemporal = "basic", false, false }, true, 0, ""},
	} {
		s := tracertest.Settings(func(s *settings.Settings) { s.Integrator = "restir" })
		c.change(&s)
		var begins []string
		for _, what := range integrator.Shortcuts(&integrator.Task{View: schedule.Request{Live: c.live}, Settings: s, Samples: c.samples}) {
			first, _, _ := strings.Cut(what, ":")
			begins = append(begins, first)
		}
		if got := strings.Join(begins, ", "); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// What shortcuts made a little wrong leaves the mean once the view rests: the first frame without them replaces it, and those
// that follow are added. Frames that share history without shortcuts stay.
func TestShortcutsLeaveTheMean(t *testing.T) {
	const settle = 3
	for mode, want := range map[string][]float32{"interactive": {1, 2, 3, 1, 2, 3}, "reference": {1, 2, 3, 4, 5, 6}} {
		fx := tracertest.OnCPU(t)
		s, camera := tracertest.Ground(0.5, 40)
		fx.Use(s, tracertest.Constant(1))
		set := tracertest.Settings(func(s *settings.Settings) {
			s.Integrator, s.RestirMode, s.RestirSettle = "restir", mode, settle
		})
		for frame, samples := range want {
			fx.Frame(schedule.Request{View: view.View{Camera: camera, Width: 8, Height: 8}, Live: true}, set, view.Target{})
			film := tracertest.ReadBuffer[[4]float32](t, fx.Device, fx.Device.LastFrame.Film.Accumulation)
			if got := film[27][3]; got != samples {
				t.Errorf("%s: the mean of frame %d is that of %g frames, want %g", mode, frame, got, samples)
			}
		}
	}
}
