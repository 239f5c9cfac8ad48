package session

import (
	"slices"
	"time"

	"glint/tracer/device"
	"glint/tracer/schedule"
	"glint/tracer/settings"
	"glint/tracer/view"
)

// Side is one way to render the view, and the image it makes. There is one, or two while they are compared.
type Side struct {
	Name     string
	Device   Renderer
	Settings settings.Settings
	Start    settings.Settings // those that it began with
	Used     settings.Settings // those of the last call of Render
	View     schedule.Request  // of that call
	Stats    view.Stats
	Timer    schedule.SampleTimer
	RefError RefError
	Picture  Picture
	shown    schedule.Shown
	Pace     schedule.Pace
	undo     func(a *settings.Settings) // of what this side has changed of side A's; nil: the device is side A's
}

// RefError is a side's error against the reference. The zero value says that it is not known.
type RefError struct {
	Known               bool
	RelMSE              float64       // mean of (I−R)²/(R²+0.01)
	Trimmed             float64       // the same without the worst 0.1 % of the pixels
	Samples, RefSamples int           // of the side and of the reference
	Own                 float64       // RelMSE of the reference itself
	Tiles               []float64     // RelMSE of parts of the picture
	Spent               time.Duration // by the side
	Wait                time.Duration // until the reference will be good enough; 0: that is not known, negative: never
	at                  time.Time
}

// Picture is where a side's image is seen.
type Picture interface {
	// Resize makes room for an image of so many pixels.
	Resize(device Attacher, width, height int) error
	// Fill has render write the next image.
	Fill(render func(view.Target) error) error
	// Transfer is how images get here, and why not in the fastest way; the reason may be empty.
	Transfer() (way, why string)
	// Release frees everything.
	Release()
}

// Attacher registers GL buffers with the device that renders.
type Attacher interface {
	Attach(buffer uint32) error
	Detach(buffer uint32) error
}

// Sliced tells whether a call of Render is a slice of time: on a processor a sample takes several.
func (s *Side) Sliced() bool { return s.Device.Backend().Kind == device.KindCPU }

// Render calls the renderer one or more times and brings the image to the graphics card. Only the last call resolves the
// image, and on a GPU only that one waits, so only the sum of the times is meaningful. When interrupted, it stops early.
func (s *Side) Render(v schedule.Request, calls int, interrupted func() bool) error {
	if err := s.begin(v); err != nil {
		return err
	}
	var sum view.Stats
	unseen := v
	unseen.Unseen, v.DeferReuse = true, false
	made := 1
	for ; made < calls && !interrupted(); made++ {
		if err := s.Call(unseen, view.Target{}, &sum); err != nil {
			return err
		}
	}
	if err := s.Picture.Fill(func(t view.Target) error { return s.Call(v, t, &sum) }); err != nil {
		return err
	}
	now := schedule.PaceAfter(made, sum.Elapsed)
	if unseen.DeferReuse {
		now = now.Deferred(s.Pace)
	}
	s.Stats, s.Pace = sum, now
	return nil
}

// RenderSlice goes on with the sample under way for the view's budget. Display takes as long as many paths do, so the image is
// brought to the graphics card only when it shows something new, or only whole samples; fresh tells whether it was.
func (s *Side) RenderSlice(v schedule.Request, now time.Time, whole bool) (fresh bool, err error) {
	if err := s.begin(v); err != nil {
		return false, err
	}
	var stats view.Stats
	if err := s.Call(v, view.Target{}, &stats); err != nil {
		return false, err
	}
	s.Stats = stats
	same := stats.Samples > 0 && stats.Samples == s.shown.Stats.Samples && s.Used == s.shown.Settings
	if whole && same || !s.shown.Outdated(stats, s.Used, now) {
		return false, nil
	}
	s.shown = schedule.Shown{Stats: stats, Settings: s.Used, At: now}
	return true, s.Picture.Fill(func(t view.Target) error { return s.Device.Show(v, s.Used, t) })
}

// begin makes room for the image, which is made with the settings as they are now.
func (s *Side) begin(v schedule.Request) error {
	if v.Width != s.View.Width || v.Height != s.View.Height {
		s.shown = schedule.Shown{}
	}
	s.Used = s.Settings
	return s.Picture.Resize(s.Device, v.Width, v.Height)
}

// Call calls the renderer once, and adds its figures to those of the frame's other calls.
func (s *Side) Call(v schedule.Request, t view.Target, sum *view.Stats) error {
	stats, err := s.Device.Render(v, s.Used, t)
	if err != nil {
		return err
	}
	s.View = v
	s.Timer.Add(stats)
	stats.Restarted = stats.Restarted || sum.Restarted
	stats.Elapsed += sum.Elapsed
	stats.Paths += sum.Paths
	*sum = stats
	return nil
}

// Restart discards the samples, and what was measured of them.
func (s *Side) Restart() {
	s.Device.Restart()
	s.Timer, s.RefError = schedule.SampleTimer{}, RefError{}
}

// Share copies the settings that all sides have in common: what is looked at, and how it is displayed.
func Share(table []settings.Setting, to, from *settings.Settings) {
	for _, row := range table {
		if row.Scope != settings.PerImage {
			row.Copy(to, from)
		}
	}
}

// Restarts tells whether a change of settings discards the accumulated image.
func Restarts(table []settings.Setting, from, to settings.Settings) bool {
	return Differ(table, from, to, func(row settings.Setting) bool { return row.Restarts })
}

// Differ tells whether two sets of settings differ in one of the rows that count.
func Differ(table []settings.Setting, from, to settings.Settings, counts func(settings.Setting) bool) bool {
	return from != to && slices.ContainsFunc(table, func(row settings.Setting) bool {
		return counts(row) && !row.Same(&from, &to)
	})
}

// Integrator is the name of the integrator: what auto stands for, once that is known.
func (s *Side) Integrator() string {
	if s.Stats.Integrator != "" && s.Settings.Integrator == "auto" {
		return s.Stats.Integrator
	}
	return s.Settings.Integrator
}

// Counterpart is what settings are compared with at first: path tracing with ReSTIR, anything else with path tracing.
// integrator is the one that the settings amount to.
func Counterpart(s settings.Settings, integrator string) settings.Settings {
	s.Integrator = "restir"
	if integrator != "path" {
		s.Integrator = "path"
	}
	return s
}
