package session

import (
	"time"

	"glint/tracer/diagnose"
	"glint/tracer/schedule"
	"glint/tracer/settings"
)

// Black says why the picture of a view that rests is black.
type Black struct {
	frames *Frames
	stage  *Stage
	loader *Loader
	cause  *diagnose.Cause // nil: it is not
	bright float64         // of what was looked at: diagnose.Brightness
	of     looked
}

// looked is what a picture was when it was looked at.
type looked struct {
	changed  time.Time
	samples  int
	settings settings.Settings
}

const (
	blackAfter   = time.Second // of rest
	blackSamples = 2           // that a picture must have
)

// look looks at a picture that rests: once, and again with twice the samples as long as it is black. Other settings that do not change its
// light, such as exposure, need no look.
func (b *Black) look(now time.Time) {
	side, shown, changed := b.frames.Active, b.stage.Shown, b.frames.Rendered.changed
	samples := side.Stats.Samples
	switch {
	case shown == nil, b.loader.Loading != nil, schedule.ShowsData(&side.Settings):
		b.cause, b.of.settings = nil, settings.Settings{}
		return
	case shown.Prepared.Dark:
	case changed != b.of.changed && (now.Sub(changed) < blackAfter || samples < blackSamples):
		b.cause = nil
		return
	case changed != b.of.changed, b.cause != nil && samples >= 2*b.of.samples:
		film, err := side.Device.Radiance()
		if err != nil {
			return // there is none yet
		}
		b.bright, b.of = diagnose.Brightness(film), looked{changed: changed, samples: samples}
	}
	if b.of.settings == side.Settings && !shown.Prepared.Dark {
		return
	}
	b.of.settings = side.Settings
	v := side.View
	cause, black, err := diagnose.Black(diagnose.Picture{
		Settings: side.Settings, Bright: b.bright, Dark: shown.Prepared.Dark, Around: shown.Prepared.LitFromAround(), Radius: shown.Scene.Bounds().Radius(),
		Pick: func(s settings.Settings, x, y float32) (float32, bool, error) {
			return side.Device.Pick(v, &s, int(x*float32(v.Width)), int(y*float32(v.Height)))
		},
	})
	if err != nil {
		b.frames.log.Debug("look why the picture is black", "err", err)
	}
	if b.cause = nil; black && err == nil {
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
