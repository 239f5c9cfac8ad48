package tracer

import (
	"math"
	"time"

	"glint/cuda"
	"glint/tracer/profile"
	"glint/tracer/schedule"
	"glint/tracer/view"
)

// preview is a small image of a view that is rendered in pieces. On a processor a whole sample takes longer than a window may
// wait, so a view that moves is shown by whole small images alone, and one that rests by a few of them before the first sample.
type preview struct {
	engine     *Engine
	image      *accumulator // nil until it is wanted
	resolution schedule.DynamicResolution
	views      int     // so far: each has noise of its own
	samples    int     // of this view
	scale      float64 // of its sides; 0: none yet
	plan       *Plan   // of what the image shows; nil: nothing of this view
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
	return preview{engine: e, resolution: schedule.NewDynamicResolution(schedule.CPUScales)}
}

// newView says that what is looked at has changed.
func (p *preview) newView() {
	p.views++
	p.samples, p.scale, p.plan = 0, 0, nil
}

// wanted tells whether the next call goes on with the preview of an image.
func (p *preview) wanted(plan *Plan, native *accumulator) bool {
	if native.sampler.Samples() > 0 || native.sampler.UnderWay() {
		return false
	}
	return plan.View.Moving || p.samples == 0 || p.samples < previewSamples && p.scale < 1
}

// render adds a sample to the preview and denoises it, at the size at which the last ones have taken as long as the budget
// allows. The preview of a view never gets coarser, except where a sample takes many times the budget while the view moves, as
// when a scene has lost its tree.
func (p *preview) render(plan *Plan, profiling profile.Policy) (view.Stats, error) {
	if p.image == nil {
		var err error
		if p.image, err = newAccumulator(p.engine, profile.Policy{}); err != nil {
			return view.Stats{}, err
		}
	}
	for {
		begun := time.Now()
		p.scale = max(p.scale, p.resolution.Scale())
		v, s := plan.smaller(p.scale, p.views)
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
		switch givenUp := p.image.sampler.UnderWay(); {
		case givenUp && p.samples > 0 && !plan.View.Moving:
			p.resolution.GiveUp()
			p.samples = previewSamples // what there is stays until there is a sample at full size
		case givenUp:
			p.image.restart()
			p.resolution.GiveUp()
			p.scale = 0
			continue
		default:
			p.samples, p.plan = p.samples+1, small
			p.resolution.Record(plan.View.Budget, time.Since(begun))
		}
		stats.Samples, stats.Denoised, stats.Scale = 0, 0, max(int(math.Round(1/p.scale)), 2)
		return stats, nil
	}
}

// shows tells whether there is nothing better at full size for a plan. A smooth preview is better than noise only as long as a
// smooth picture is wanted.
func (p *preview) shows(plan *Plan, native *accumulator) bool {
	if p.plan == nil {
		return false
	}
	samples, waits := native.sampler.Samples(), plan.showsDenoised && p.plan.showsDenoised && native.denoise.Samples() == 0
	return samples == 0 || waits && samples < previewPatience
}

// rest gives the small image back once nobody sees it. A view that moves on makes it anew.
func (p *preview) rest(plan *Plan, native *accumulator) error {
	if p.image == nil || p.shows(plan, native) {
		return nil
	}
	p.plan = nil
	return p.image.release()
}

// fillShown has the preview shown as long as there is nothing better at full size.
func (p *preview) fillShown(f *cuda.Frame, plan *Plan, native *accumulator) bool {
	if !p.shows(plan, native) {
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
	p.samples, p.scale, p.plan = 0, 0, nil
}

func (p *preview) close() {
	if p.image != nil {
		p.image.close()
		p.image = nil
	}
}
