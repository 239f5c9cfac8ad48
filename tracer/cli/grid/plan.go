package grid

import (
	"slices"
	"time"

	"glint/tracer"
	"glint/tracer/denoise"
	"glint/tracer/integrator"
	"glint/tracer/settings"
)

// trial is an integrator with a denoiser under way.
type trial struct {
	integrator, denoiser string
	settings             settings.Settings
	renderer             *tracer.Renderer
	ms                   float64              // of a sample
	gathering            float64              // of one that is shared with the next
	denoising            [costSamples]float64 // of a frame of one sample, two, and more
}

// Frames are timed to find the cost of a trial: of few samples, since then the denoiser traces camera rays of its own, and of as many as
// let it do without.
const (
	costFrames  = 9 // of each number of samples
	costSamples = denoise.EdgeSamples
)

// stage is what a sample is for.
type stage int

const (
	alone    stage = iota // it is shared by itself, and another one follows in the frame
	gathered              // it is shared with the next
	shown                 // it ends the frame
)

// cost is the times of samples, by what they were for.
type cost struct {
	alone, gathered []float64
	shown           [costSamples][]float64 // as the first of a frame, the second, and the third
}

func (c *cost) add(as stage, n int, ms float64) {
	switch as {
	case alone:
		c.alone = append(c.alone, ms)
	case gathered:
		c.gathered = append(c.gathered, ms)
	case shown:
		c.shown[n] = append(c.shown[n], ms)
	}
}

// median sorts its values.
func median(values []float64) float64 {
	slices.Sort(values)
	return values[len(values)/2]
}

// frame is the samples that fit in a time, at least one: as many as are shared each by itself, and what room is left for others
// that are shared with one of these.
func (t *trial) frame(d time.Duration) []stage {
	fits := func(full, extra int) bool {
		return t.sampling(full, extra)+t.denoisingOf(full+extra) <= milliseconds(d)
	}
	full, extra := max(int(milliseconds(d)/t.ms), 1), 0
	for full > 1 && !fits(full, 0) {
		full--
	}
	if integrator.Reuses(t.integrator) {
		extra = full * (t.settings.RestirPaths - 1)
	}
	for extra > 0 && !fits(full, extra) {
		extra--
	}
	var frame []stage
	for i := range full {
		frame = append(append(frame, slices.Repeat([]stage{gathered}, (extra+full-1-i)/full)...), alone)
	}
	frame[len(frame)-1] = shown
	return frame
}

// sampling is the planned time of a frame's samples [ms]: those shared alone, and extra ones shared with the next.
func (t *trial) sampling(full, extra int) float64 {
	return float64(full)*t.ms + float64(extra)*t.gathering
}

const (
	planWindow = 3    // frames of the warm-up between two plans
	planSlack  = 1.02 // a frame that takes up to so many times its budget is not shortened: times vary by about as much
)

// replan corrects the plan of a frame by the time that such frames took [ms]. frame plans by the cost of a first sample, which is the
// highest: only that traces rays to find how far away reflections are, and later ones need fewer guides. So a corrected plan never has
// fewer samples than frame gives. It has more than the plan now only with mayGrow, when enough frames follow to check that they fit.
func (t *trial) replan(d time.Duration, now []stage, took float64, mayGrow bool) []stage {
	extra := len(slices.DeleteFunc(slices.Clone(now), func(as stage) bool { return as != gathered }))
	scale := min(max((took-t.denoisingOf(len(now)))/t.sampling(len(now)-extra, extra), 0.1), 1)
	corrected := *t
	corrected.ms, corrected.gathering = t.ms*scale, t.gathering*scale
	next := corrected.frame(d)
	if len(next) > len(now) && !mayGrow || len(next) < len(now) && took <= planSlack*milliseconds(d) {
		return now
	}
	return next
}

// denoisingOf is the time of denoising a frame of so many samples.
func (t *trial) denoisingOf(samples int) float64 {
	return t.denoising[min(samples, costSamples)-1]
}

func milliseconds(d time.Duration) float64 { return float64(d) / 1e6 }
