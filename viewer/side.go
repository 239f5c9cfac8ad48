package viewer

import (
	"slices"
	"time"

	"glint/tracer/settings"
	"glint/tracer/view"
)

// side is one way to render the view, and the image it makes. There is one, or two while they are compared.
type side struct {
	name     string
	device   renderer
	settings settings.Settings
	used     settings.Settings // those of the last call of Render
	stats    view.Stats
	timer    sampleTimer
	refError refError
	picture  picture
}

// sampleTimer measures what the samples of a side have cost since it restarted.
type sampleTimer struct {
	samples int           // whole ones
	spent   time.Duration // in all
	whole   time.Duration // spent when the last sample was completed
	first   time.Duration // spent after the first sample, which includes previews and allocations
	warmup  time.Duration // spent after warmSamples samples
}

// warmSamples is how many samples are no measure of later ones: caches fill, and ReSTIR shares history at first.
const warmSamples = 16

// add accounts for a call of Render.
func (t *sampleTimer) add(stats view.Stats) {
	if stats.Restarted {
		*t = sampleTimer{}
	}
	t.spent += stats.Elapsed
	if stats.Samples != t.samples {
		t.samples, t.whole = stats.Samples, t.spent
		switch t.samples {
		case 1:
			t.first = t.whole
		case warmSamples:
			t.warmup = t.whole
		}
	}
}

// mean is the mean cost of a sample; 0 before there is one.
func (t sampleTimer) mean() time.Duration {
	if t.samples == 0 {
		return 0
	}
	return t.whole / time.Duration(t.samples)
}

// steady is what a sample costs without warmup; 0 before that is known.
func (t sampleTimer) steady() time.Duration {
	switch {
	case t.samples >= 2*warmSamples:
		return (t.whole - t.warmup) / time.Duration(t.samples-warmSamples)
	case t.samples > 1:
		return (t.whole - t.first) / time.Duration(t.samples-1)
	}
	return 0
}

// render calls the renderer one or more times and brings the image to the graphics card. Only the last call resolves the
// image, and on a GPU only that one waits, so only the sum of the times is meaningful.
func (s *side) render(v view.View, calls int) error {
	if err := s.picture.resize(s.device, v.Width, v.Height); err != nil {
		return err
	}
	s.used = s.settings
	var sum view.Stats
	call := func(v view.View, target view.Target) error {
		stats, err := s.device.Render(v, s.used, target)
		if err != nil {
			return err
		}
		s.timer.add(stats)
		stats.Restarted = stats.Restarted || sum.Restarted
		stats.Elapsed += sum.Elapsed
		stats.Paths += sum.Paths
		sum = stats
		return nil
	}
	unseen := v
	unseen.SkipDenoise = true
	for range calls - 1 {
		if err := call(unseen, view.Target{}); err != nil {
			return err
		}
	}
	if err := s.picture.fill(func(t view.Target) error { return call(v, t) }); err != nil {
		return err
	}
	s.stats = sum
	return nil
}

// restart discards the samples, and what was measured of them.
func (s *side) restart() {
	s.device.Restart()
	s.timer, s.refError = sampleTimer{}, refError{}
}

// share copies the settings that all sides have in common: what is looked at, and how it is displayed.
func share(table []settings.Setting, to, from *settings.Settings) {
	for _, row := range table {
		if row.Scope != settings.PerImage {
			row.Copy(to, from)
		}
	}
}

// restarts tells whether a change of settings discards the accumulated image.
func restarts(table []settings.Setting, from, to settings.Settings) bool {
	return differ(table, from, to, func(row settings.Setting) bool { return row.Restarts })
}

// differ tells whether two sets of settings differ in one of the rows that count.
func differ(table []settings.Setting, from, to settings.Settings, counts func(settings.Setting) bool) bool {
	return from != to && slices.ContainsFunc(table, func(row settings.Setting) bool {
		return counts(row) && !row.Same(&from, &to)
	})
}

// integrator is the name of the integrator: what auto stands for, once that is known.
func (s *side) integrator() string {
	if s.stats.Integrator != "" && s.settings.Integrator == "auto" {
		return s.stats.Integrator
	}
	return s.settings.Integrator
}

// counterpart is what settings are compared with at first: path tracing with ReSTIR, anything else with path tracing.
// integrator is the one that the settings amount to.
func counterpart(s settings.Settings, integrator string) settings.Settings {
	s.Integrator = "restir-gi"
	if integrator != "path" {
		s.Integrator = "path"
	}
	return s
}
