package tracer

import (
	"math"
	"time"

	"glint/cuda"
	"glint/tracer/film"
	"glint/tracer/profile"
	"glint/tracer/schedule"
	"glint/tracer/upscale"
	"glint/tracer/view"
)

// pipeline is what a frame goes through before it is displayed: a view is sampled and denoised at its own size, or at a
// fraction of that and then brought to full size.
type pipeline struct {
	engine   *Engine
	full     *accumulator // at the view's size
	small    *accumulator // nil until it is wanted
	upscaler *upscale.Upscaler
	images   schedule.Images
}

func newPipeline(e *Engine, policy profile.Policy) (*pipeline, error) {
	p := &pipeline{engine: e, upscaler: upscale.New(e.device), images: schedule.NewImages()}
	var err error
	p.full, err = newAccumulator(e, policy)
	return p, err
}

// render makes the next frame of a view: a sample, or what of one there is time for.
func (p *pipeline) render(plan *Plan) (w schedule.Work, stats view.Stats, err error) {
	restarted, err := p.begin(plan)
	if err != nil {
		return w, stats, err
	}
	for again := true; again; {
		begun := time.Now()
		w = p.images.Next(&plan.Request, &plan.Settings, plan.sliced, p.progress())
		if stats, err = p.do(w, plan); err != nil {
			return w, stats, err
		}
		again = false
		if w.Image == schedule.Stretched { // Renderer.Render measures others, with their display
			again = p.images.Learn(w, time.Since(begun), plan.Request.Moving, p.small.sampler.UnderWay())
		}
	}
	stats.Restarted = restarted
	return w, stats, nil
}

// begin makes the images those of a view. It tells whether the view is new.
func (p *pipeline) begin(plan *Plan) (restarted bool, err error) {
	if err := p.full.finishFrame(); err != nil {
		return false, err
	}
	p.full.stopUnwanted(plan)
	upscales := p.images.UpscaledFrom(&plan.Request, &plan.Settings, plan.sliced) < 1
	if upscales {
		err = p.beginUpscaling(plan)
	} else if p.upscaler.Held() {
		p.stopUpscaling()
	}
	if err != nil {
		return false, err
	}
	restarted, err = p.full.begin(plan)
	if restarted {
		p.images.Begin(&plan.Request, &plan.Settings, plan.sliced)
	}
	return restarted, err
}

// beginUpscaling makes everything ready for a frame of a view that is upscaled.
func (p *pipeline) beginUpscaling(plan *Plan) error {
	u, sampler := p.upscaler, p.full.sampler
	if u.Continues(plan.Key) && plan.Key != sampler.Key() {
		if err := u.Remember(p.shownFull(plan), sampler.Samples()); err != nil {
			return err
		}
	}
	return u.Begin(plan.Key, plan.Request.Width*plan.Request.Height)
}

// progress is what there is of the view's images.
func (p *pipeline) progress() schedule.Progress {
	of := p.full.sampler
	return schedule.Progress{Samples: of.Samples(), UnderWay: of.UnderWay(), Denoised: p.full.denoise.Samples(), Upscaled: p.upscaler.Frames()}
}

// do adds to an image, and brings it to full size where it is small.
func (p *pipeline) do(w schedule.Work, plan *Plan) (stats view.Stats, err error) {
	if w.Image == schedule.Full {
		stats, err = p.full.render(plan, w.StopAfter)
	} else {
		stats, err = p.renderSmall(w, plan)
	}
	if samples := p.full.sampler.Samples(); err == nil && p.upscaler.Held() && samples > 0 {
		err = p.upscaler.FadeIn(p.shownFull(plan), samples)
	}
	if err == nil && p.images.Retire(plan.showsDenoised, p.progress()) {
		err = p.small.release()
	}
	return stats, err
}

// renderSmall adds to a small image, and brings it to full size.
func (p *pipeline) renderSmall(w schedule.Work, plan *Plan) (stats view.Stats, err error) {
	if p.small == nil {
		if p.small, err = newAccumulator(p.engine, profile.Policy{}); err != nil {
			return stats, err
		}
	}
	a, small := p.small, p.engine.planSmall(plan, w)
	a.replace, a.needGuides = w.Alone, w.Image == schedule.Upscaled
	if w.Restart {
		a.restart()
	}
	if err := a.finishFrame(); err != nil {
		return stats, err
	}
	a.stopUnwanted(small)
	a.profiler.SetPolicy(p.full.profiler.Policy())
	stats, err = a.render(small, w.StopAfter)
	stats.Samples = p.full.sampler.Samples()
	switch {
	case err != nil:
	case w.Image == schedule.Stretched:
		stats.Denoised, stats.Scale = 0, max(int(math.Round(1/w.Scale)), 2)
	case !w.Wait:
		err = p.upscale(w, plan, small)
	}
	return stats, err
}

// upscale brings the small image to full size.
func (p *pipeline) upscale(w schedule.Work, plan, small *Plan) error {
	f := p.small.frame(small)
	p.small.film.FillAOVs(&f)
	if small.showsDenoised {
		p.small.denoise.FillShown(&f)
	}
	p.small.sampler.FillLastSample(&f, !w.Alone && p.small.sampler.Samples() > 1)
	if err := p.upscaler.Gather(f); err != nil {
		return err
	}
	full := p.full.frame(plan)
	if err := p.upscaler.Upscale(full, small.Request.Width, small.Request.Height, w.Series, w.Index); err != nil || !w.Seed {
		return err
	}
	return p.upscaler.Seed(p.shownFull(plan))
}

// shownFull is a frame of the image at full size, with what is shown of it.
func (p *pipeline) shownFull(plan *Plan) cuda.Frame {
	f := p.full.frame(plan)
	if plan.showsDenoised {
		p.full.denoise.FillShown(&f)
	}
	return f
}

// fillShown chooses what is shown: an AOV, the upscaled or the denoised image where there is one, or the image.
func (p *pipeline) fillShown(f *cuda.Frame, plan *Plan) {
	n := p.full
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
	case p.fillStretched(f, plan):
	case plan.showsDenoised:
		n.denoise.FillShown(f)
	}
}

// fillStretched has the stretched image shown as long as there is nothing better at full size.
func (p *pipeline) fillStretched(f *cuda.Frame, plan *Plan) bool {
	if !p.stretched(plan) {
		return false
	}
	var small cuda.Frame
	if plan.showsDenoised {
		p.small.denoise.FillShown(&small)
	}
	p.small.film.FillPreview(f, small.Denoise.Denoised)
	f.Display.Shown = cuda.ShownPreview
	return true
}

func (p *pipeline) stretched(plan *Plan) bool {
	return plan.sliced && p.images.Stretched(plan.showsDenoised, p.progress())
}

// samplesShown is of how many samples the picture is that fillShown chooses.
func (p *pipeline) samplesShown(plan *Plan) int {
	n := p.full
	switch {
	case schedule.ShowsData(&plan.Settings) || p.upscaler.Shows():
	case p.stretched(plan):
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
	if stats.ErrorMapSamples = p.full.errorMap.Samples(); stats.ErrorMapSamples > 0 {
		stats.ErrorMapBy = p.full.errorMap.By()
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
	all := []*accumulator{p.full}
	if p.small != nil {
		all = append(all, p.small)
	}
	return all
}

func (p *pipeline) memory() profile.Memory {
	m := p.full.memory()
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
	p.full.restart()
	if p.small != nil {
		p.small.restart()
	}
	p.images.Restart()
	p.upscaler.Restart()
}

// stopUpscaling gives back what upscaling took.
func (p *pipeline) stopUpscaling() {
	p.upscaler.Stop()
	p.images.StopUpscaling()
	p.closeSmall()
}

func (p *pipeline) closeSmall() {
	if p.small != nil {
		p.small.close()
		p.small = nil
	}
}

func (p *pipeline) close() {
	p.upscaler.Stop()
	p.closeSmall()
	p.full.close()
}
