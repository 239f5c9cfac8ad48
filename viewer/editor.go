package viewer

import (
	"fmt"

	"glint/tracer/settings"
	"glint/viewer/session"
)

// nearestStep is the nearest focus that keys reach, in units, since 0 means the look-at point.
const nearestStep = 0.01

// editor changes the settings of the active side as keys do, and says so.
type editor struct {
	*comparison
	stage        *stage
	lastDenoiser string // the one that was on last; empty before the first
	marker       session.FocusMarker
}

// step changes a setting by steps and says so.
func (e *editor) step(setting string, by int) {
	row, ok := settings.Lookup(e.table, setting)
	if !ok {
		return
	}
	if setting == "focus" && e.active.Settings.Focus == 0 {
		e.active.Settings.Focus = e.stage.controller.Distance() // where the lens focuses now
	}
	session.Adjust(row, &e.active.Settings, by, e.stage.controller.Unit)
	if setting == "focus" {
		e.active.Settings.Focus = max(e.active.Settings.Focus, nearestStep*float64(e.stage.controller.Unit))
	}
	e.saySetting(setting)
}

// saySetting tells a setting's value.
func (e *editor) saySetting(name string) {
	if row, ok := settings.Lookup(e.table, name); ok {
		e.messages.Say(session.Describe(row, e.active.Settings))
	}
}

// dimLights dims all lights to a quarter, or undoes that.
func (e *editor) dimLights() {
	const dim = 0.25
	if e.active.Settings.LightScale == 1 {
		e.active.Settings.LightScale = dim
	} else {
		e.active.Settings.LightScale = 1
	}
	e.saySetting("light-scale")
}

func (e *editor) resetSettings() {
	for _, s := range e.sides {
		s.Settings = s.Start
	}
	e.messages.Say("settings as at the start")
}

// usualFPS is the frame rate that toggleTarget asks for: that of most displays.
const usualFPS = 60

// toggleTarget makes a moving view hold a frame rate, or not.
func (e *editor) toggleTarget() {
	if e.active.Settings.TargetFPS > 0 {
		e.active.Settings.TargetFPS = 0
		e.messages.Say("frame rate: as it comes")
		return
	}
	e.active.Settings.TargetFPS = usualFPS
	e.messages.Say(fmt.Sprintf("frame rate: %d fps, by the size of what is rendered", usualFPS))
}

func (e *editor) focusOn(depth, x, y float64) {
	e.active.Settings.Focus = depth
	e.marker = session.NewFocusMarker(x, y)
	e.saySetting("focus")
}

func (e *editor) focusOnTarget() {
	e.active.Settings.Focus = 0
	e.messages.Say("focus: the look-at point")
}

// denoises tells whether the active side is denoised, with auto by what its frames say.
func (e *editor) denoises() bool { return session.Denoises(e.active.Settings, e.active.Stats) }

// toggleDenoiser switches denoising off, or on again with the last denoiser; at first with the best.
func (e *editor) toggleDenoiser() {
	if e.denoises() {
		e.lastDenoiser, e.active.Settings.Denoise = e.active.Settings.Denoise, "off"
	} else {
		if e.lastDenoiser == "" {
			e.lastDenoiser = e.bestDenoiser()
		}
		e.active.Settings.Denoise = e.lastDenoiser
	}
	e.saySetting("denoise")
}

// bestDenoiser is OIDN where it is found.
func (e *editor) bestDenoiser() string {
	s := e.active.Settings
	s.Denoise = "oidn"
	if e.active.Device.CheckDenoiser(s) != nil {
		s.Denoise = "atrous"
	}
	return s.Denoise
}
