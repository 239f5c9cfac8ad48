package viewer

import (
	"time"

	"glint/tracer"
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
	meter    meter
	score    score
	picture  picture
}

// meter is what a side has cost since it restarted.
type meter struct {
	samples int // whole ones
	spent   time.Duration
	whole   time.Duration // spent when the last sample became whole
	early   time.Duration // the same of the first sample, which also paid for small images and for memory
	warm    time.Duration // the same of sample warmSamples
}

// warmSamples are those that say little of what later ones cost: caches fill, and history is shared only at first.
const warmSamples = 16

func (m *meter) add(stats view.Stats) {
	if stats.Restarted {
		*m = meter{}
	}
	m.spent += stats.Elapsed
	if stats.Samples != m.samples {
		m.samples, m.whole = stats.Samples, m.spent
		switch m.samples {
		case 1:
			m.early = m.whole
		case warmSamples:
			m.warm = m.whole
		}
	}
}

// each is the mean cost of a sample; 0 before there is one.
func (m meter) each() time.Duration {
	if m.samples == 0 {
		return 0
	}
	return m.whole / time.Duration(m.samples)
}

// steady is what a sample costs once a view rests; 0 before that is known.
func (m meter) steady() time.Duration {
	switch {
	case m.samples >= 2*warmSamples:
		return (m.whole - m.warm) / time.Duration(m.samples-warmSamples)
	case m.samples > 1:
		return (m.whole - m.early) / time.Duration(m.samples-1)
	}
	return 0
}

// render calls the renderer some times (at least once) and brings the image to the graphics card. Only the last call
// resolves the image, and on a GPU only that one waits; so it is their sum that tells how long they took.
func (s *side) render(v view.View, trees *grove, calls int) error {
	if err := s.picture.resize(s.device, v.Width, v.Height); err != nil {
		return err
	}
	s.used = s.settings
	own := trees.through(s.settings)
	var sum view.Stats
	call := func(v view.View, target view.Target) error {
		stats, err := s.device.Render(v, own, target)
		if err != nil {
			return err
		}
		s.meter.add(stats)
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
	s.meter, s.score = meter{}, score{}
}

// perSide tells whether two sides may differ in a setting. What is looked at, and how it is displayed, they share.
func perSide(row settings.Setting) bool {
	switch row.Group {
	case "Light transport", "Execution", "Reuse", "Denoising", "Upscaling":
		return true
	}
	return false
}

// share copies the settings that sides have in common.
func share(to, from *settings.Settings) {
	for _, row := range tracer.SettingsTable() {
		if !perSide(row) {
			row.Copy(to, from)
		}
	}
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
