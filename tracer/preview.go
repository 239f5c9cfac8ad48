package tracer

import (
	"math"
	"time"

	"glint/cuda"
	"glint/tracer/profile"
	"glint/tracer/upscale"
	"glint/tracer/view"
)

// preview is a small image of a view that is rendered in pieces. On a processor a whole sample takes longer than a window may
// wait, so a view that moves is shown by whole small images alone, and one that rests by a few of them before the first sample.
type preview struct {
	engine     *Engine
	image      *accumulator // nil until it is wanted
	resolution upscale.DynamicResolution
	views      int   // so far: each has noise of its own
	samples    int   // of this view
	plan       *Plan // of what the image shows; nil: nothing of this view
}

const (
	// previewSamples are taken of a view that rests: together they cost less than a sample at its size.
	previewSamples = 8
	// previewPatience is for how many samples at full size a preview waits for them to be denoised.
	previewPatience = 16
	// previewOverrun is how many times the budget a preview may take before it is given up for a smaller one.
	previewOverrun = 8
)

func newPreview(e *Engine) preview {
	return preview{engine: e, resolution: upscale.NewDynamicResolution(upscale.CPUScales)}
}

// newView says that what is looked at has changed.
func (p *preview) newView() {
	p.views++
	p.samples, p.plan = 0, nil
}

// wanted tells whether the next call goes on with the preview of an image.
func (p *preview) wanted(plan *Plan, native *accumulator) bool {
	if native.sampler.Samples() > 0 || native.sampler.UnderWay() {
		return false
	}
	return plan.View.Moving || p.samples == 0 || p.samples < previewSamples && p.resolution.Scale() < 1
}

// render adds a sample to the preview and denoises it, at the size at which the last ones have taken as long as the budget
// allows; at a smaller one where that takes many times as long, as when a scene has lost its tree.
func (p *preview) render(plan *Plan, profiling profile.Policy) (view.Stats, error) {
	if p.image == nil {
		var err error
		if p.image, err = newAccumulator(p.engine, profile.Policy{}); err != nil {
			return view.Stats{}, err
		}
	}
	for {
		begun, scale := time.Now(), p.resolution.Scale()
		v, s := plan.smaller(scale, p.views)
		v.Budget = 0
		small := p.engine.Plan(v, s)
		if !p.resolution.Smallest() { // at that, something must be shown
			small.stopAfter = previewOverrun * plan.View.Budget
		}
		p.image.stopUnwanted(small)
		p.image.profiler.SetPolicy(profiling)
		stats, err := p.image.render(small)
		if err != nil {
			return stats, err
		}
		if p.image.sampler.UnderWay() {
			p.image.restart()
			p.resolution.GiveUp()
			continue
		}
		p.samples, p.plan = p.samples+1, small
		p.resolution.Took(plan.View.Budget, time.Since(begun))
		stats.Samples, stats.Denoised, stats.Scale = 0, 0, max(int(math.Round(1/scale)), 2)
		return stats, nil
	}
}

// shows tells whether there is nothing better at full size.
func (p *preview) shows(native *accumulator) bool {
	if p.plan == nil {
		return false
	}
	samples := native.sampler.Samples()
	return samples == 0 || p.plan.showsDenoised && native.denoise.Samples() == 0 && samples < previewPatience
}

// rest gives the small image back once nobody sees it. A view that moves on makes it anew.
func (p *preview) rest(native *accumulator) error {
	if p.image == nil || p.shows(native) {
		return nil
	}
	p.plan = nil
	return p.image.release()
}

// fillShown has the preview shown as long as there is nothing better at full size.
func (p *preview) fillShown(f *cuda.Frame, native *accumulator) bool {
	if !p.shows(native) {
		return false
	}
	var small cuda.Frame
	if p.plan.showsDenoised {
		p.image.denoise.FillShown(&small)
	}
	p.image.film.FillPreview(f, small.Denoise.Denoised)
	f.Display.Shown = cuda.ShownPreview
	return true
}

func (p *preview) restart() {
	if p.image != nil {
		p.image.restart()
	}
	p.samples, p.plan = 0, nil
}

func (p *preview) close() {
	if p.image != nil {
		p.image.close()
		p.image = nil
	}
}
