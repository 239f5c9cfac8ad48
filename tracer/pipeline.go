package tracer

import (
	"errors"
	"math"

	"glint/cuda"
	"glint/tracer/denoise"
	"glint/tracer/film"
	"glint/tracer/profile"
	"glint/tracer/schedule"
	"glint/tracer/settings"
	"glint/tracer/upscale"
	"glint/tracer/view"
)

// pipeline is what a frame goes through before it is displayed: a view is sampled and denoised at its own size, or at a
// fraction of that and then upscaled.
type pipeline struct {
	engine     *Engine
	native     *accumulator // at the view's size
	lowRes     *accumulator // nil: nothing is upscaled
	upscaler   *upscale.Upscaler
	resolution schedule.DynamicResolution
	gathers    bool // the small image has samples that are to be denoised with those of later calls
	preview    preview
}

func newPipeline(e *Engine, policy profile.Policy) (*pipeline, error) {
	p := &pipeline{engine: e, upscaler: upscale.New(e.device), resolution: schedule.NewDynamicResolution(schedule.GPUScales),
		preview: newPreview(e)}
	var err error
	p.native, err = newAccumulator(e, policy)
	return p, err
}

// render makes the next frame of a view, upscaled or not.
func (p *pipeline) render(plan *Plan) (view.Stats, error) {
	p.native.stopUnwanted(plan)
	scale := p.scale(plan)
	if scale == 1 {
		p.stopUpscaling()
		return p.renderNative(plan)
	}
	restarted, err := p.beginUpscaled(plan)
	if err != nil {
		return view.Stats{}, err
	}
	native := p.native.sampler.Samples() > 0 // there is an image at full size
	var stats view.Stats
	switch {
	case native && p.upscaler.Fresh() && !plan.View.Unseen:
		stats, err = p.resumeUpscaling(plan, scale)
	case plan.View.Moving || !native && p.upscaler.WarmingUp():
		stats, err = p.renderLowRes(plan, scale)
	default:
		stats, err = p.native.render(plan)
	}
	if samples := p.native.sampler.Samples(); err == nil && samples > 0 {
		err = p.upscaler.FadeIn(p.shownNative(plan), samples)
	}
	stats.Restarted = restarted
	return stats, err
}

// renderNative goes on with the image at the view's size. One that is rendered in pieces has a preview first, or only.
func (p *pipeline) renderNative(plan *Plan) (view.Stats, error) {
	if plan.piecemeal && !plan.View.Layers && !plan.View.Unseen && !showsData(&plan.Settings) {
		restarted, err := p.native.begin(plan)
		if err != nil {
			return view.Stats{}, err
		}
		if restarted {
			p.preview.newView()
		}
		if p.preview.wanted(plan, p.native) {
			stats, err := p.preview.render(plan, p.native.profiler.Policy())
			stats.Restarted = restarted
			return stats, err
		}
	}
	stats, err := p.native.render(plan)
	return stats, errors.Join(err, p.preview.rest(plan, p.native))
}

// showsData: what is asked for is not light, and is of the full size.
func showsData(s *settings.Settings) bool { return s.AOVView != "off" || s.ReuseView != "off" }

// scale is the share of the view's sides at which the next frame is rendered; 1 where nothing is upscaled.
func (p *pipeline) scale(plan *Plan) float64 {
	v, s := &plan.View, &plan.Settings
	switch {
	case !v.Live || v.Layers || showsData(s):
		return 1
	case plan.piecemeal:
		return 1 // it has a preview
	case v.Goal > 0:
		return p.resolution.Scale()
	}
	return s.RenderScale
}

// beginUpscaled makes everything ready for a frame of a view that is upscaled. It tells whether the view is new.
func (p *pipeline) beginUpscaled(plan *Plan) (restarted bool, err error) {
	u, sampler := p.upscaler, p.native.sampler
	if u.Continues(plan.Key) && plan.Key != sampler.Key() {
		if err := u.Remember(p.shownNative(plan), sampler.Samples()); err != nil {
			return false, err
		}
	}
	if err := u.Begin(plan.Key, plan.View.Width*plan.View.Height); err != nil {
		return false, err
	}
	if p.lowRes == nil {
		if p.lowRes, err = newAccumulator(p.engine, profile.Policy{}); err != nil {
			return false, err
		}
		p.lowRes.needGuides = true
	}
	if restarted, err = p.native.begin(plan); restarted {
		u.NewView()
	}
	return restarted, err
}

// resumeUpscaling begins to upscale a view of which there is an image at full size already, say after one of AOVs: that image
// stays on the screen, and becomes the history of the motion that follows.
func (p *pipeline) resumeUpscaling(plan *Plan, scale float64) (view.Stats, error) {
	stats, err := p.renderLowRes(plan, scale)
	if err == nil && !p.upscaler.Fresh() {
		err = p.upscaler.Seed(p.shownNative(plan))
	}
	return stats, err
}

// renderLowRes renders a small image and brings it to full size.
func (p *pipeline) renderLowRes(plan *Plan, scale float64) (view.Stats, error) {
	unseen := plan.View.Unseen && plan.Settings.Denoise != denoise.Off
	p.lowRes.replace = !unseen && !p.gathers
	p.gathers = unseen
	small := p.lowResPlan(plan, scale)
	p.lowRes.stopUnwanted(small)
	p.lowRes.profiler.SetPolicy(p.native.profiler.Policy())
	stats, err := p.lowRes.render(small)
	if err == nil && !p.gathers {
		err = p.upscale(plan, small)
	}
	stats.Samples = p.native.sampler.Samples()
	p.upscaler.Finish()
	return stats, err
}

// lowResPlan is the plan of the small image: the same view at a share of its size.
func (p *pipeline) lowResPlan(plan *Plan, scale float64) *Plan {
	v, s := plan.smaller(scale, p.upscaler.Views())
	if p.lowRes.replace {
		s.RestirSettle = math.MaxInt // every frame shares history
	}
	return p.engine.Plan(v, s)
}

// upscale brings the small image to full size.
func (p *pipeline) upscale(plan, small *Plan) error {
	f := p.lowRes.frame(small)
	p.lowRes.film.FillAOVs(&f)
	if small.showsDenoised {
		p.lowRes.denoise.FillShown(&f)
	}
	p.lowRes.sampler.FillLastSample(&f, !p.lowRes.replace && p.lowRes.sampler.Samples() > 1)
	if err := p.upscaler.Gather(f); err != nil {
		return err
	}
	return p.upscaler.Upscale(p.native.frame(plan), small.View.Width, small.View.Height)
}

// shownNative is a frame of the image at full size, with what is shown of it.
func (p *pipeline) shownNative(plan *Plan) cuda.Frame {
	f := p.native.frame(plan)
	if plan.showsDenoised {
		p.native.denoise.FillShown(&f)
	}
	return f
}

// fillShown chooses what is shown: an AOV, the upscaled or the denoised image where there is one, or the image.
func (p *pipeline) fillShown(f *cuda.Frame, plan *Plan) {
	n := p.native
	n.film.FillAOVs(f)
	n.errorMap.Fill(f)
	aov, viewed := film.LookupAOV(plan.Settings.AOVView)
	if aov.Shown == cuda.ShownTrust && n.errorMap.Samples() == 0 {
		viewed = false // not yet
	}
	switch {
	case viewed && n.film.AOVs() == int(cuda.AovPlanes):
		f.Display.Shown = aov.Shown
	case p.upscaler.FillShown(f):
	case plan.piecemeal && p.preview.fillShown(f, plan, n):
	case plan.showsDenoised:
		n.denoise.FillShown(f)
	}
}

// samplesShown is of how many samples the picture is that fillShown chooses.
func (p *pipeline) samplesShown(plan *Plan) int {
	n := p.native
	switch {
	case showsData(&plan.Settings) || p.upscaler.Shows():
	case plan.piecemeal && p.preview.shows(plan, n):
		return 0
	case plan.showsDenoised && n.denoise.Samples() > 0:
		return n.denoise.Samples()
	}
	return n.sampler.Samples()
}

// report adds to the statistics of a frame what there is of its image.
func (p *pipeline) report(plan *Plan, stats *view.Stats) {
	stats.Shown = p.samplesShown(plan)
	stats.DenoiserFallback = plan.Fallback
	stats.KernelsError = p.engine.device.KernelsError()
	switch {
	case p.engine.device.KernelsPending():
		stats.Background = "compiling kernels for this scene"
	case p.engine.scene.BuildsBVH():
		stats.Background = "building the tree that was asked for"
	}
	if stats.ErrorMapSamples = p.native.errorMap.Samples(); stats.ErrorMapSamples > 0 {
		stats.ErrorMapBy = p.native.errorMap.By()
	}
}

// took tells the time of a frame that was shown, for the next one's resolution.
func (p *pipeline) took(plan *Plan, stats view.Stats) {
	if small := stats.Width < plan.View.Width; plan.View.Goal > 0 && (small || p.lowRes == nil) {
		p.resolution.Record(plan.View.Goal, stats.Elapsed)
	}
}

// statistics are what frames have cost since somebody last asked.
func (p *pipeline) statistics() (profile.Statistics, error) {
	if err := p.engine.device.Sync(); err != nil {
		return profile.Statistics{}, err
	}
	profilers := []*profile.Profiler{}
	for _, a := range p.accumulators() {
		if err := a.profiler.Collect(a); err != nil {
			return profile.Statistics{}, err
		}
		profilers = append(profilers, a.profiler)
	}
	return profile.Take(p.memory(), profilers...), nil
}

func (p *pipeline) accumulators() []*accumulator {
	all := []*accumulator{p.native}
	for _, small := range []*accumulator{p.lowRes, p.preview.image} {
		if small != nil {
			all = append(all, small)
		}
	}
	return all
}

func (p *pipeline) memory() profile.Memory {
	m := p.native.memory()
	m.Upscaler = p.upscaler.Bytes()
	for _, small := range p.accumulators()[1:] {
		m.Upscaler += small.memory().Device()
	}
	m.Scene = p.engine.tables.Size
	if p.engine.scene != nil {
		m.Scene += p.engine.scene.Bytes()
	}
	m.HostPeak = profile.PeakMemory()
	return m
}

func (p *pipeline) restart() {
	p.native.restart()
	if p.lowRes != nil {
		p.lowRes.restart()
		p.gathers = false
	}
	p.preview.restart()
	p.upscaler.Restart()
}

// stopUpscaling gives back what upscaling took.
func (p *pipeline) stopUpscaling() {
	if p.lowRes == nil {
		return
	}
	p.upscaler.Stop()
	p.lowRes.close()
	p.lowRes, p.gathers = nil, false
}

func (p *pipeline) close() {
	p.stopUpscaling()
	p.preview.close()
	p.native.close()
}
