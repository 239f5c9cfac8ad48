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
	used     settings.Settings // in the last call of Render
	stats    view.Stats
	timer    sampleTimer
	refError refError
	picture  picture
}

// sampleTimer measures what the samples of a side cost, since it restarted.
type sampleTimer struct {
	samples int // whole ones
	spent   time.Duration
	whole   time.Duration // spent when the last sample became whole
	first   time.Duration // the same of the first sample, which also paid for small images and for memory
	warmup  time.Duration // the same of sample warmSamples
}

// warmSamples are those that say little of what later ones cost: caches fill, and history is shared only at first.
const warmSamples = 16

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

// steady is what a sample costs once a view rests; 0 before that is known.
func (t sampleTimer) steady() time.Duration {
	switch {
	case t.samples >= 2*warmSamples:
		return (t.whole - t.warmup) / time.Duration(t.samples-warmSamples)
	case t.samples > 1:
		return (t.whole - t.first) / time.Duration(t.samples-1)
	}
	return 0
}

// render calls the renderer some times (at least once) and brings the image to the graphics card. Only the last call
// resolves the image, and on a GPU only that one waits; so it is their sum that tells how long they took.
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
	unseen.Undenoised = true
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

// restart throws the samples away, and what was said about them.
func (s *side) restart() {
	s.device.Restart()
	s.timer, s.refError = sampleTimer{}, refError{}
}

// share copies the settings that sides have in common: what is looked at, and how it is displayed.
func share(table []settings.Setting, to, from *settings.Settings) {
	for _, row := range table {
		if row.Scope != settings.PerImage {
			row.Copy(to, from)
		}
	}
}

// restarts tells whether the change from one to another throws the accumulated image away.
func restarts(table []settings.Setting, from, to settings.Settings) bool {
	return differ(table, from, to, func(row settings.Setting) bool { return row.Restarts })
}

// differ tells whether two sets of settings differ in one of the rows that count.
func differ(table []settings.Setting, from, to settings.Settings, counts func(settings.Setting) bool) bool {
	return from != to && slices.ContainsFunc(table, func(row settings.Setting) bool { return counts(row) && !row.Same(&from, &to) })
}

// integrator is what renders: what auto stands for, once that is known.
func (s *side) integrator() string {
	if s.stats.Integrator != "" && s.settings.Integrator == "auto" {
		return s.stats.Integrator
	}
	return s.settings.Integrator
}

// counterpart is what one would compare settings with: reuse with path tracing, anything else with reuse. Integrator is
// what those settings' own amounts to.
func counterpart(s settings.Settings, integrator string) settings.Settings {
	s.Integrator = "restir-gi"
	if integrator != "path" {
		s.Integrator = "path"
	}
	return s
}
