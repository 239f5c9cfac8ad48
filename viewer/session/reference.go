package session

import (
	"time"

	"glint/tracer/diagnose"
	"glint/tracer/imageio"
	"glint/tracer/metric"
	"glint/tracer/schedule"
	"glint/tracer/settings"
	"glint/tracer/view"
)

// How errors are measured.
const (
	measureEvery = time.Second
	outliers     = 0.001 // share of the pixels that the trimmed error leaves out
	// ReferenceFactor is how many times as many samples as a side a reference must have as well: what its own error is, is known badly at first.
	ReferenceFactor = 4
	longestWait     = 1e5 // s: what takes longer is not said
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
	quality    quality
}

// quality is how good a reference is: the difference from what it was before tells its variance.
type quality struct {
	before    *imageio.Image // some samples ago
	samples   int            // that this had
	began     time.Time      // when it had those
	perSample float64        // RelMSE of one sample; 0: not known yet
	rate      float64        // samples a second
}

// after is the quality of a reference that has so many samples now. R is the mean of n samples and R' of the first m of them, so the mean of
// (R − R')² is the variance of a sample times (n − m) / (n m).
func (q quality) after(now *imageio.Image, samples int, at time.Time) quality {
	switch {
	case q.before == nil || samples < q.samples:
		return quality{before: now, samples: samples, began: at}
	case samples < 2*q.samples:
		return q
	}
	difference, err := metric.RelMSE(q.before, now)
	if err != nil {
		return q
	}
	n, m := float64(samples), float64(q.samples)
	return quality{before: now, samples: samples, began: at, perSample: difference * n * m / (n - m), rate: (n - m) / at.Sub(q.began).Seconds()}
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

// errorJob is what it takes to measure a side's error.
type errorJob struct {
	side    *Side
	image   *imageio.Image
	samples int
	spent   time.Duration
	at      time.Time
	before  RefError // what was measured last
}

// rate is how many samples a second the side makes; negative before that is known.
func (e errorJob) rate() float64 {
	if e.before.Samples == 0 || e.before.Samples > e.samples || !e.at.After(e.before.at) {
		return -1
	}
	return float64(e.samples-e.before.Samples) / e.at.Sub(e.before.at).Seconds()
}

// measure compares with the reference. Where that fails, the error stays unknown.
func (e errorJob) measure(refImage *imageio.Image, refSamples int, q quality) RefError {
	all, err := metric.RelMSE(e.image, refImage)
	if err != nil {
		return RefError{Samples: e.samples}
	}
	trimmed, err := metric.TrimmedRelMSE(e.image, refImage, outliers)
	if err != nil {
		return RefError{Samples: e.samples}
	}
	tiles, err := metric.TileErrors(e.image, refImage, diagnose.Tiles)
	if err != nil {
		return RefError{Samples: e.samples}
	}
	r := RefError{RelMSE: all, Trimmed: trimmed, Samples: e.samples, RefSamples: refSamples, Tiles: tiles, Spent: e.spent, at: e.at}
	if q.perSample == 0 {
		return r
	}
	r.Own = q.perSample / float64(refSamples)
	n := float64(e.samples)
	times := max(q.perSample/(diagnose.UsableNoise*max(all-r.Own, 1e-12))/n, ReferenceFactor) // as many samples as the side must the reference have
	left := times*n - float64(refSamples)
	r.Known = left <= 0
	if rate := e.rate(); !r.Known && q.rate > 0 && rate >= 0 { // the side goes on as well
		if gain := q.rate - times*rate; gain > 0 && left < longestWait*gain {
			r.Wait = time.Duration(left / gain * float64(time.Second))
		} else {
			r.Wait = -1
		}
	}
	return r
}
