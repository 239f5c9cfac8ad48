package session

import (
	"time"

	"glint/tracer/imageio"
	"glint/tracer/metric"
	"glint/tracer/schedule"
	"glint/tracer/settings"
	"glint/tracer/view"
)

// How errors are measured.
const (
	measureEvery    = time.Second
	ReferenceFactor = 4     // times as many samples as a side: from there on its own noise hardly counts
	outliers        = 0.001 // share of the pixels that the trimmed error leaves out
)

// Reference is a third image of the view, which accumulates while two sides are compared.
type Reference struct {
	Device     Renderer
	settings   settings.Settings
	Stats      view.Stats
	spent      time.Duration // in this frame
	pace       schedule.Pace
	measuredAt time.Time
	measuring  bool // errors are being computed
}

// referenceSettings are those of a path tracer that converges to what both sides show. Where they show different things, it
// follows A. It has a seed of its own: with a side's seed it would repeat that side's noise.
func referenceSettings(table []settings.Setting, a, b settings.Settings) settings.Settings {
	s := settings.Defaults()
	Share(table, &s, &a)
	s.Integrator, s.Sampling, s.Denoise = "path", "mis", "off"
	s.Bounces = max(a.Bounces, b.Bounces)
	s.Show, s.EnergyCompensation, s.Fresnel, s.BVH = a.Show, a.EnergyCompensation, a.Fresnel, a.BVH
	s.Seed = max(a.Seed, b.Seed) + 1
	return s
}

// tooFew tells whether the reference has too few samples to measure a side's error.
func (r *Reference) tooFew(s *Side) bool {
	return s.Timer.Samples == 0 || r.Stats.Samples < ReferenceFactor*s.Timer.Samples
}

// errorJob is what it takes to measure a side's error.
type errorJob struct {
	side    *Side
	image   *imageio.Image
	samples int
}

// measure compares with the reference. Where that fails, the error stays unknown.
func (e errorJob) measure(refImage *imageio.Image, refSamples int) RefError {
	all, err := metric.RelMSE(e.image, refImage)
	if err != nil {
		return RefError{}
	}
	trimmed, err := metric.TrimmedRelMSE(e.image, refImage, outliers)
	if err != nil {
		return RefError{}
	}
	return RefError{Known: true, RelMSE: all, Trimmed: trimmed, Samples: e.samples, RefSamples: refSamples}
}
