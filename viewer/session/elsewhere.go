package session

import (
	"cmp"
	"errors"
	"fmt"

	"glint/tracer"
	"glint/tracer/device"
	"glint/tracer/schedule"
	"glint/tracer/settings"
)

// Elsewhere compares a device with another: side B shows what side A shows, on an engine of its own.
type Elsewhere struct {
	keeper  *Keeper
	backend string // of side B; empty: the GPU where a processor renders, else the processor
	begin   func() // before there are two sides: Session.showDivider
}

// Toggle opens side B on another device, shows both side by side, or closes B.
func (e *Elsewhere) Toggle() {
	c := e.keeper.frames.Comparison
	switch {
	case !c.elsewhere():
		c.CloseSplit()
		e.Open()
	case c.Compare.Show != SideBySide:
		c.Compare.Show = SideBySide
	default:
		c.CloseSplit()
	}
}

// on is the device of side B.
func (e *Elsewhere) on() tracer.Options {
	on := e.keeper.on
	on.Backend = e.backend
	if on.Backend == "" {
		on.Backend = device.KindCPU
		if e.keeper.frames.Sides[0].Sliced() {
			on.Backend = device.KindCUDA
		}
	}
	return on
}

// Open opens side B. Both sides begin with what side A's settings amount to, without a denoiser: so both draw the same samples.
func (e *Elsewhere) Open() {
	frames := e.keeper.frames
	c, a := frames.Comparison, frames.Sides[0]
	if a.Device == nil || e.keeper.stage.Shown == nil {
		return
	}
	if c.Comparing() { // which somebody has begun meanwhile
		if frames.elsewhere() {
			return
		}
		c.CloseSplit()
	}
	on := e.on()
	next, err := e.keeper.open(on)
	if err != nil && on.Backend == device.KindCUDA {
		c.log.Info("open another device", "err", err)
		c.Messages.Warn("glint sees no GPU here: " + ShortReason(cmp.Or(errors.Unwrap(err), err)))
		return
	}
	if next, err = e.keeper.withScene(next, err); err != nil {
		c.Messages.Warn("Compare: " + err.Error())
		return
	}
	frames.Change.Drop(c.log)
	e.begin()
	before, alike := a.Settings, a.Settings
	alike.Integrator, alike.Denoise = a.Integrator(), "off"
	a.Settings = alike
	b := &Side{Name: "B", Device: next, Settings: alike, Start: a.Start}
	b.undo = func(s *settings.Settings) {
		if s.Integrator == alike.Integrator {
			s.Integrator = before.Integrator
		}
		if s.Denoise == alike.Denoise {
			s.Denoise = before.Denoise
		}
	}
	c.Compare.Pacing = schedule.EqualSamples
	c.compareWith(b)
	c.Messages.Say(fmt.Sprintf("A on %s, B on %s, without a denoiser", deviceName(a.Device), deviceName(b.Device)))
}

// do does what a command asks of it.
func (e *Elsewhere) do(command Command) {
	if _, asked := command.(OpenElsewhere); asked {
		e.Open()
	}
}

// deviceName is a short name of what renders.
func deviceName(r Renderer) string {
	if of := r.Backend(); of.Kind != device.KindCPU {
		return of.Device
	}
	return "CPU"
}
