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
	start    settings.Settings // those that it began with
	used     settings.Settings // those of the last call of Render
	view     view.View         // of that call
	stats    view.Stats
	timer    sampleTimer
	refError refError
	picture  Picture
	shown    shownImage
	pace     pace
}

// Picture is where a side's image is seen.
type Picture interface {
	// Resize makes room for an image of so many pixels.
	Resize(device attacher, width, height int) error
	// Fill has render write the next image.
	Fill(render func(view.Target) error) error
	// Transfer is how images get here, and why not in the fastest way; the reason may be empty.
	Transfer() (way, why string)
	// Release frees everything.
	Release()
}

// attacher registers GL buffers with the device that renders.
type attacher interface {
	Attach(buffer uint32) error
	Detach(buffer uint32) error
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

// outdated tells whether there is more to be seen than is shown. A denoised picture stays until there is another.
func (i *shownImage) outdated(stats view.Stats, s settings.Settings, now time.Time) bool {
	was, age := i.stats, now.Sub(i.at)
	switch {
	case stats.Restarted || stats.Scale > 1 || s != i.settings || stats.Shown != was.Shown || stats.Denoised != was.Denoised || stats.ErrorMapSamples != was.ErrorMapSamples:
		return true
	case s.AutoExposure && age >= adaptsEvery:
		return true
	case stats.Denoised > 0 && s.AOVView == "off" && s.ReuseView == "off":
		return false
	}
	return stats.Samples != was.Samples || age >= partEvery
}

// sampleTimer measures what the samples of a side have cost since it restarted.
type sampleTimer struct {
	samples int           // whole ones
	before  int           // those of them that there were when the timer began
	spent   time.Duration // in all
	whole   time.Duration // spent when the last sample was completed
	first   lap           // the first sample, which includes previews and allocations
	warmup  lap           // warmSamples samples
}

// lap is how much had been spent at some sample.
type lap struct {
	samples int // 0: not reached
	spent   time.Duration
}

// How many samples are no measure of later ones (caches fill, and ReSTIR shares history at first), and how many are one: as
// many again, or few that took long.
const (
	warmSamples = 16
	fewSamples  = 4
	longEnough  = time.Second
)

// add accounts for a call of Render. A timer that begins while the image goes on counts what is new.
func (t *sampleTimer) add(stats view.Stats) {
	if stats.Restarted {
		*t = sampleTimer{}
	} else if *t == (sampleTimer{}) && stats.Samples > 1 {
		t.samples, t.before = stats.Samples, stats.Samples
		return
	}
	t.spent += stats.Elapsed
	if stats.Samples == t.samples {
		return
	}
	t.samples, t.whole = stats.Samples, t.spent
	now := lap{t.samples, t.whole}
	if t.first.samples == 0 {
		t.first = now
	}
	if t.warmup.samples == 0 && t.timed() >= warmSamples {
		t.warmup = now
	}
}

// timed is how many samples the timer has seen.
func (t sampleTimer) timed() int { return t.samples - t.before }

// mean is the mean cost of a sample; 0 before there is one.
func (t sampleTimer) mean() time.Duration {
	if t.timed() == 0 {
		return 0
	}
	return t.whole / time.Duration(t.timed())
}

// steady is what a sample costs without warmup; 0 before enough of them say so.
func (t sampleTimer) steady() time.Duration {
	since := func(l lap) (cost time.Duration, samples int) {
		if l.samples == 0 || t.samples == l.samples {
			return 0, 0
		}
		return (t.whole - l.spent) / time.Duration(t.samples-l.samples), t.samples - l.samples
	}
	if cost, samples := since(t.warmup); samples >= warmSamples {
		return cost
	}
	if cost, samples := since(t.first); samples >= fewSamples && t.whole-t.first.spent >= longEnough {
		return cost
	}
	return 0
}

// render calls the renderer one or more times and brings the image to the graphics card. Only the last call resolves the
// image, and on a GPU only that one waits, so only the sum of the times is meaningful. When interrupted, or when auto turns to
// another integrator, whose calls cost something else, it stops early.
func (s *side) render(v view.View, calls int, interrupted func() bool) error {
	if err := s.begin(v); err != nil {
		return err
	}
	var sum view.Stats
	unseen := v
	unseen.Unseen, v.Gathers = true, false
	made := 1
	for ; made < calls && (made == 1 || sum.Integrator == s.stats.Integrator) && !interrupted(); made++ {
		if err := s.call(unseen, view.Target{}, &sum); err != nil {
			return err
		}
	}
	if err := s.picture.Fill(func(t view.Target) error { return s.call(v, t, &sum) }); err != nil {
		return err
	}
	now := after(made, sum.Elapsed)
	if unseen.Gathers {
		now = now.gathered(s.pace)
	}
	s.stats, s.pace = sum, now.expecting(sum.Beside, s.stats.Beside)
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
	return true, s.picture.Fill(func(t view.Target) error { return s.device.Show(v, s.used, t) })
}

// begin makes room for the image, which is made with the settings as they are now.
func (s *side) begin(v view.View) error {
	if v.Width != s.view.Width || v.Height != s.view.Height {
		s.shown = shownImage{}
	}
	s.used = s.settings
	return s.picture.Resize(s.device, v.Width, v.Height)
}

// call calls the renderer once, and adds to what a frame's calls have told.
func (s *side) call(v view.View, t view.Target, sum *view.Stats) error {
	stats, err := s.device.Render(v, s.used, t)
	if err != nil {
		return err
	}
	s.view = v
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
	s.Integrator = "restir"
	if integrator != "path" {
		s.Integrator = "path"
	}
	return s
}
