package session

import (
	"fmt"

	"glint/tracer/integrator"
	"glint/tracer/settings"
)

// nearestStep is the nearest focus that keys reach, in units, since 0 means the look-at point.
const nearestStep = 0.01

// ReuseGroup is the group of settings that mean something only while ReSTIR renders.
const ReuseGroup = "Reuse"

// Editor changes the settings of the active side as keys do, and says so.
type Editor struct {
	*Comparison
	stage        *Stage
	lastDenoiser string // the one that was on last; empty before the first
	Marker       FocusMarker
}

// StepSetting changes a setting by steps and says so: of the active side, or of the other where it is about the light that only that shares.
func (e *Editor) StepSetting(setting string, by int) {
	row, ok := settings.Lookup(e.Table, setting)
	if !ok {
		return
	}
	side := e.Active
	if row.Group == ReuseGroup && e.Comparing() && !integrator.Reuses(side.Integrator()) {
		if other := e.Sides[1-e.ActiveIndex()]; integrator.Reuses(other.Integrator()) {
			side = other
		}
	}
	if setting == "focus" && e.Active.Settings.Focus == 0 {
		e.Active.Settings.Focus = e.stage.Camera.Distance() // where the lens focuses now
	}
	Adjust(row, &side.Settings, by, e.stage.Camera.Unit)
	if setting == "focus" {
		e.Active.Settings.Focus = max(e.Active.Settings.Focus, nearestStep*float64(e.stage.Camera.Unit))
	}
	e.say(row, side)
}

// saySetting tells a setting's value.
func (e *Editor) saySetting(name string) {
	if row, ok := settings.Lookup(e.Table, name); ok {
		e.say(row, e.Active)
	}
}

// say tells a setting's value, and whose it is where each side has its own.
func (e *Editor) say(row settings.Setting, side *Side) {
	text := Describe(row, side.Settings)
	if number := FNumber(side.Settings.Aperture, e.stage.Camera.Camera); row.Name == "aperture" && number != "" {
		text += " · " + number + " at " + FocalLength(e.stage.Camera.Camera)
	}
	if e.Comparing() && row.Scope == settings.PerImage {
		text = side.Name + "   " + text
	}
	e.Messages.Say(text)
}

// DimLights dims all lights to a quarter, or undoes that.
func (e *Editor) DimLights() {
	const dim = 0.25
	if e.Active.Settings.LightScale == 1 {
		e.Active.Settings.LightScale = dim
	} else {
		e.Active.Settings.LightScale = 1
	}
	e.saySetting("light-scale")
}

// ResetSettings takes all settings as they were at the start.
func (e *Editor) ResetSettings() {
	for _, s := range e.Sides {
		s.Settings = s.Start
	}
	e.Messages.Say("settings as at the start")
}

// UsualFPS is the frame rate that ToggleTarget sets: that of most displays.
const UsualFPS = 60

// ToggleTarget makes a moving view hold a frame rate, or not.
func (e *Editor) ToggleTarget() {
	if e.Active.Settings.TargetFPS > 0 {
		e.Active.Settings.TargetFPS = 0
		e.Messages.Say("frame rate: as it comes")
		return
	}
	e.Active.Settings.TargetFPS = UsualFPS
	e.Messages.Say(fmt.Sprintf("frame rate: %d fps, by the size of what is rendered", UsualFPS))
}

func (e *Editor) focusOn(depth, x, y float64) {
	e.Active.Settings.Focus = depth
	e.Marker = NewFocusMarker(x, y)
	e.saySetting("focus")
}

// FocusOnTarget focuses on the look-at point.
func (e *Editor) FocusOnTarget() {
	e.Active.Settings.Focus = 0
	e.Messages.Say("focus: the look-at point")
}

// denoises tells whether the active side is denoised, with auto by what its frames say.
func (e *Editor) denoises() bool { return Denoises(e.Active.Settings, e.Active.Stats) }

// ToggleDenoiser switches denoising off, or on again with the last denoiser; at first with the best.
func (e *Editor) ToggleDenoiser() {
	if e.denoises() {
		e.lastDenoiser, e.Active.Settings.Denoise = e.Active.Settings.Denoise, "off"
	} else {
		if e.lastDenoiser == "" {
			e.lastDenoiser = e.bestDenoiser()
		}
		e.Active.Settings.Denoise = e.lastDenoiser
	}
	e.saySetting("denoise")
}

// bestDenoiser is OIDN where it is found.
func (e *Editor) bestDenoiser() string {
	s := e.Active.Settings
	s.Denoise = "oidn"
	if e.Active.Device.CheckDenoiser(s) != nil {
		s.Denoise = "atrous"
	}
	return s.Denoise
}
