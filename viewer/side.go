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
	shown    shownImage
	calls    int           // of Render in the last frame
	cost     time.Duration // of each of them; 0: not known for what is rendered now
}

// shownImage is what a side's picture shows.
type shownImage struct {
	stats    view.Stats
	settings settings.Settings
	at       time.Time
}

// How old a picture gets while a sample is under way: what there is of it is shown now and then, and more often while
// exposure follows the light.
const (
	partEvery   = 500 * time.Millisecond
	adaptsEvery = 100 * time.Millisecond
)

// outdated tells whether there is more to be seen than is shown.
func (i *shownImage) outdated(stats view.Stats, s settings.Settings, now time.Time) bool {
	oldest := partEvery
	if s.AutoExposure {
		oldest = adaptsEvery
	}
	was := i.stats
	return stats.Restarted || stats.Scale > 1 || s != i.settings || now.Sub(i.at) >= oldest || stats.Samples != was.Samples ||
		stats.Denoised != was.Denoised || stats.ErrorMapSamples != was.ErrorMapSamples
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
	if err := s.begin(v); err != nil {
		return err
	}
	var sum view.Stats
	unseen := v
	unseen.SkipDenoise = true
	for range calls - 1 {
		if err := s.call(unseen, view.Target{}, &sum); err != nil {
			return err
		}
	}
	if err := s.picture.fill(func(t view.Target) error { return s.call(v, t, &sum) }); err != nil {
		return err
	}
	s.stats, s.calls, s.cost = sum, calls, sum.Elapsed/time.Duration(calls)
	return nil
}

// renderSlice goes on with the sample under way for the view's budget. Film takes as long as many paths do, so the image is
// brought to the graphics card only when it shows something new; fresh tells whether it was.
func (s *side) renderSlice(v view.View, now time.Time) (fresh bool, err error) {
	if err := s.begin(v); err != nil {
		return false, err
	}
	var stats view.Stats
	if err := s.call(v, view.Target{}, &stats); err != nil {
		return false, err
	}
	s.stats = stats
	if !s.shown.outdated(stats, s.used, now) {
		return false, nil
	}
	s.shown = shownImage{stats, s.used, now}
	return true, s.picture.fill(func(t view.Target) error { return s.device.Show(v, s.used, t) })
}

// begin makes room for the image, which is made with the settings as they are now.
func (s *side) begin(v view.View) error {
	if v.Width != s.picture.width || v.Height != s.picture.height {
		s.shown = shownImage{}
	}
	s.used = s.settings
	return s.picture.resize(s.device, v.Width, v.Height)
}

// call calls the renderer once, and adds to what a frame's calls have told.
func (s *side) call(v view.View, t view.Target, sum *view.Stats) error {
	stats, err := s.device.Render(v, s.used, t)
	if err != nil {
		return err
	}
	s.timer.add(stats)
	stats.Restarted = stats.Restarted || sum.Restarted
	stats.Elapsed += sum.Elapsed
	stats.Paths += sum.Paths
	*sum = stats
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
