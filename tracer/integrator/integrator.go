// Package integrator is the passes of each integrator and engine, and how far they have come with an image.
//
// An integrator is a row of the table and a file: it fills in its own part of the frame and lists its passes, and a Sampler
// runs them, whole or in pieces.
package integrator

import (
	"slices"

	"glint/cuda"
	"glint/tracer/device"
	"glint/tracer/schedule"
	"glint/tracer/settings"
)

// Row is an integrator that setting integrator names: what traces its paths, and what it does besides.
type Row struct {
	Name, Help string
	reuses     bool // samples of other pixels and frames
	engines    engines
	new        func(device.Device) Integrator
}

// Table lists the integrators.
func Table() []Row {
	return []Row{
		{"naive", "finds lights by chance", false, pathEngines, plain(func(f *cuda.Frame) { f.Sampling.Strategy = cuda.SamplingNaive })},
		{"direct", "stops at the first surface", false, pathEngines, plain(func(f *cuda.Frame) { f.Sampling.Bounces = min(f.Sampling.Bounces, 1) })},
		{"path", "does it all", false, pathEngines, plain(func(*cuda.Frame) {})},
		{"restir", "shares light between pixels and frames", true, restirEngines, newRestir},
		{"restir-gi", "shares indirect light alone", true, restirEngines, newRestirGI},
	}
}

// lookup finds a row by its name; the table has it.
func lookup(name string) Row {
	table := Table()
	return table[slices.IndexFunc(table, func(r Row) bool { return r.Name == name })]
}

// Reuses tells whether an integrator takes samples of other pixels and frames.
func Reuses(name string) bool {
	return slices.ContainsFunc(Table(), func(r Row) bool { return r.Name == name && r.reuses })
}

// Choices are the words of setting integrator, except auto.
func Choices() []settings.Choice {
	var choices []settings.Choice
	for _, row := range Table() {
		choices = append(choices, settings.Choice{Name: row.Name, Help: row.Help})
	}
	return choices
}

// samplingOf translates the words of setting sampling.
var samplingOf = map[string]uint32{"bsdf": cuda.SamplingBsdf, "light": cuda.SamplingLight, "mis": cuda.SamplingMis}

// filmStride keeps the seeds of a film's pictures from meeting those of other pictures, or of frames that share history.
const filmStride = 0x85ebca6b

// freePanes is how many panes a path may pass without any counting as a scattering event: windows should not need more bounces. The
// wavefront engine makes as many waves more.
const freePanes = 8

// MostVertices is how many vertices a path may have: its bounces, the panes that it may pass, and where it ends.
func MostVertices(s *settings.Settings) int { return s.Bounces + freePanes + 1 }

// Fill fills in how paths are sampled.
func Fill(f *cuda.Frame, v *schedule.Request, s *settings.Settings) {
	f.Sampling.Seed = uint32(s.Seed) + uint32(v.Frame)*filmStride
	f.Sampling.Strategy = samplingOf[s.Sampling]
	f.Sampling.Bounces = uint32(s.Bounces)
	f.Sampling.RouletteDepth = uint32(s.RouletteMinDepth)
	if f.Scene.Missing&cuda.FeaturePanes == 0 {
		f.Sampling.Panes = freePanes
	}
	f.Sampling.Flags = flags(s)
}

func flags(s *settings.Settings) uint32 {
	var flags uint32
	for _, row := range []struct {
		on   bool
		flag uint32
	}{
		{s.Roulette, cuda.FrameRoulette},
		{s.Antialias, cuda.FrameAntialias},
		{s.Cull, cuda.FrameCull},
		{s.HidesBackground(), cuda.FrameHideBackground},
		{s.EnergyCompensation, cuda.FrameEnergyCompensation},
		{s.Fresnel == "schlick", cuda.FrameSchlick},
		{s.Show == "indirect", cuda.FrameNoDirect},
		{s.Show == "direct", cuda.FrameNoIndirect},
	} {
		if row.on {
			flags |= row.flag
		}
	}
	return flags
}

// stateless is an integrator that keeps nothing from sample to sample, and is done when its paths are.
type stateless struct{ configure func(*cuda.Frame) }

func plain(configure func(*cuda.Frame)) func(device.Device) Integrator {
	return func(device.Device) Integrator { return stateless{configure} }
}

func (i stateless) Configure(f *cuda.Frame) { i.configure(f) }

func (stateless) Prepare(*cuda.Frame, *Task) error        { return nil }
func (stateless) Passes(*cuda.Frame, *Task) []device.Pass { return nil }
func (stateless) Finish(*cuda.Frame)                      {}
func (stateless) Reset()                                  {}
func (stateless) Free()                                   {}
func (stateless) Bytes() int                              { return 0 }
