package session

import (
	"time"

	"glint/tracer/diagnose"
	"glint/tracer/schedule"
	"glint/tracer/settings"
)

// Black looks whether the picture is black once the view rests, and says why.
type Black struct {
	frames *Frames
	stage  *Stage
	loader *Loader
	cause  *diagnose.Cause // nil: it is not
	of     looked          // what it was when it was looked at last
}

// looked tells one picture from another.
type looked struct {
	changed  time.Time
	settings settings.Settings
}

const (
	blackAfter   = time.Second // of rest
	blackSamples = 2           // that a picture must have
)

// look looks at a picture that rests, once.
func (b *Black) look(now time.Time) {
	side, shown := b.frames.Active, b.stage.Shown
	changed := b.frames.Rendered.changed
	is := looked{changed, side.Settings}
	if is == b.of {
		return
	}
	b.cause, b.of = nil, looked{}
	if shown == nil || b.loader.Loading != nil || schedule.ShowsData(&side.Settings) ||
		!shown.Prepared.Dark && (now.Sub(changed) < blackAfter || side.Stats.Samples < blackSamples) {
		return
	}
	film, err := side.Device.Radiance()
	if err != nil {
		return // there is none yet
	}
	b.of = is
	v := side.View
	exposure := side.Settings.Exposure
	if side.Settings.AutoExposure {
		exposure += side.Stats.Metered
	}
	cause, black, err := diagnose.Black(diagnose.Picture{
		Settings: side.Settings, Radiance: film, Exposure: exposure, Dark: shown.Prepared.Dark, Radius: shown.Scene.Bounds().Radius(),
		Pick: func(s settings.Settings, x, y float32) (float32, bool, error) {
			return side.Device.Pick(v, &s, int(x*float32(v.Width)), int(y*float32(v.Height)))
		},
	})
	if err != nil {
		b.frames.log.Debug("look why the picture is black", "err", err)
	}
	if black && err == nil {
		b.cause = &cause
	}
}

// mend does what is said to mend it. It tells whether the whole scene is to be seen.
func (b *Black) mend() (frame bool) {
	c := b.cause
	if c == nil {
		return false
	}
	b.cause = nil
	if c.Change != nil {
		c.Change(&b.frames.Active.Settings)
	}
	if c.Environment != "" {
		b.loader.OpenEnvironment(c.Environment)
	}
	return c.Frame
}
