package tracer

import (
	"errors"
	"time"

	"glint/cuda"
	"glint/tracer/denoise"
	"glint/tracer/device"
	"glint/tracer/display"
	"glint/tracer/film"
	"glint/tracer/integrator"
	"glint/tracer/profile"
	"glint/tracer/view"
)

// accumulator adds samples to the image of one size, and keeps it denoised.
type accumulator struct {
	engine   *Engine
	film     *film.Film
	sampler  *integrator.Sampler
	denoise  *denoise.Stage
	errorMap *denoise.ErrorMap
	profiler *profile.Profiler
	scratch  *device.Scratch // that paths take, and on a GPU the denoiser, too

	bvh         string        // that the sample under way goes through: a choice of setting bvh
	replace     bool          // each frame is an image by itself
	movesBefore int           // of the scene, when the image before was rendered
	needGuides  bool          // whatever the settings say
	guidesSince int           // whole samples of the image when guides were first kept
	by          method        // how the image is rendered
	record      device.Buffer // what filters learn from; empty: it is not kept
}

// method is what integrators' memory and that of paths under way depend on.
type method struct{ integrator, exec string }

func newAccumulator(e *Engine, p profile.Policy) (*accumulator, error) {
	paths := device.NewScratch(e.device)
	pictures := paths
	if e.device.Info().Kind == device.KindCPU {
		pictures = nil // it denoises in the background, while paths go on
	}
	image, err := film.New(e.device)
	if err != nil {
		return nil, err
	}
	return &accumulator{engine: e, film: image, denoise: denoise.NewStage(e.device, e.library, pictures),
		errorMap: denoise.NewErrorMap(e.device, e.library, pictures), profiler: profile.New(p), scratch: paths,
		sampler: integrator.NewSampler(e.device, paths)}, nil
}

// frame fills in what all stages read of an image, each stage its own part. The sample's number is left out.
func (a *accumulator) frame(p *Plan) cuda.Frame {
	var f cuda.Frame
	a.engine.scene.Fill(&f, &p.Settings, a.bvh)
	a.engine.scene.FillMovement(&f, a.movesBefore)
	p.Request.Fill(&f, &p.Settings)
	integrator.Fill(&f, &p.Request, &p.Settings)
	a.sampler.Configure(&f, p.Settings.Integrator)
	if a.replace {
		f.Sampling.Flags |= cuda.FrameReplace
	}
	a.film.Fill(&f, film.Size{Width: p.Request.Width, Height: p.Request.Height}, p.Settings.Clamp)
	display.Fill(&f, &p.Settings)
	return f
}

// render adds a frame to the image, and denoises what is shown of a live view.
func (a *accumulator) render(p *Plan, stopAfter time.Duration) (view.Stats, error) {
	stats, err := a.sample(p, stopAfter)
	if err == nil && p.Settings.Denoise != denoise.Off && p.Request.Live && !p.Request.Unseen {
		stats.DenoiseError = a.denoise.Frame(a.source(p))
	}
	if err == nil && p.errorMap && p.Request.Live && !p.Request.Unseen {
		stats.DenoiseError = errors.Join(stats.DenoiseError, a.errorMap.Frame(a.source(p)))
	}
	if p.Settings.Denoise != denoise.Off {
		stats.Denoised, stats.Denoiser = a.denoise.Samples(), p.Settings.Denoise
		if stats.Denoised > 0 {
			stats.Denoiser = a.denoise.By()
		}
	}
	stats.Width, stats.Height = p.Request.Width, p.Request.Height
	return stats, err
}

// finishFrame waits for the frame before, so that input is answered in one frame, and takes what it has cost.
func (a *accumulator) finishFrame() error {
	return errors.Join(a.engine.device.Sync(), a.profiler.Collect(a))
}

// sample adds what the budget allows.
func (a *accumulator) sample(p *Plan, stopAfter time.Duration) (view.Stats, error) {
	stats := view.Stats{Integrator: p.Settings.Integrator, Scale: 1}
	restarted, err := a.begin(p)
	stats.Restarted = restarted
	if err != nil {
		return stats, err
	}
	if err := a.clearStale(); err != nil {
		return stats, err
	}
	if err := a.chooseBVH(p, &stats); err != nil {
		return stats, err
	}
	f := a.frame(p)
	if p.Settings.Exec == "wavefront" { // whose rays have kernels of their own
		stats.Rays, stats.RaysError = a.engine.scene.FillHardware(a.engine.device, &f, p.Settings.Rays, a.bvh)
	}
	a.profiler.Begin(a.engine.device)
	a.profiler.Fill(&f)
	stats.NonFinite = a.profiler.NonFinite()
	stats.Shortcuts = integrator.Shortcuts(a.task(p))
	stats.Paths, err = a.continueSample(p, &f, stopAfter)
	stats.Samples = a.sampler.Samples()
	return stats, err
}

// continueSample continues the sample under way.
func (a *accumulator) continueSample(p *Plan, f *cuda.Frame, stopAfter time.Duration) (paths uint64, err error) {
	if err := a.keepAOVs(p, f); err != nil {
		return 0, err
	}
	done, err := a.sampler.Sample(f, a.task(p), a.extraPasses(p), stopAfter)
	if done.Whole {
		a.profiler.Finish(f)
		a.errorMap.Finish(f)
		if f.Sampling.Flags&cuda.FrameReplace != 0 {
			a.film.Restart() // AOVs began anew, too
		}
	}
	return done.Paths, err
}

// task is what the next sample is to be.
func (a *accumulator) task(p *Plan) *integrator.Task {
	return &integrator.Task{View: p.Request, Settings: p.Settings, Key: a.sampler.Key(), Samples: a.sampler.Samples()}
}

// begin begins the image anew when it would show something else from now on.
func (a *accumulator) begin(p *Plan) (bool, error) {
	size := film.Size{Width: p.Request.Width, Height: p.Request.Height}
	if a.film.Size() != size {
		a.sampler.Free()
		a.denoise.Stop() // what it shows is of another size, and its next picture may be long in coming
		a.errorMap.Stop()
	}
	if by := (method{p.Settings.Integrator, p.Settings.Exec}); a.by != by {
		a.by = by
		a.sampler.Restart() // another way to render carries nothing over, and may need much less
		a.sampler.Free()
	}
	before := a.sampler.Key()
	resized, err := a.film.Resize(size)
	if err != nil || !a.sampler.Begin(p.Key, resized) {
		return false, err
	}
	if a.movesBefore = before.Moves; !p.Key.Follows(before.Moves) {
		a.denoise.Restart() // nobody knows where things were
	}
	a.profiler.Forget()
	a.denoise.Forget()
	a.errorMap.Forget()
	a.guidesSince = 0
	a.film.Restart()
	return true, nil
}

// clearStale clears the buffers of an image that has begun anew, once somebody adds to it or reads it: while a view is
// upscaled nobody does.
func (a *accumulator) clearStale() error {
	if !a.sampler.TakeNeedsClear() {
		return nil
	}
	return errors.Join(a.film.Clear(), a.sampler.ClearViews(), a.errorMap.Clear())
}

// chooseBVH takes the BVH that settings ask for, and builds it when it is not there: in the background where a window goes on
// with another meanwhile. Between passes of a sample it stays: hits name its triangles.
func (a *accumulator) chooseBVH(p *Plan, stats *view.Stats) (err error) {
	scene, method := a.engine.scene, p.Settings.BVH
	if a.sampler.HitsUnderWay() && scene.HasBVH(a.bvh) {
		return nil
	}
	if p.Request.Window {
		a.bvh, stats.BVHError = scene.RequestBVH(a.engine.device, a, method)
		return nil
	}
	a.bvh = method
	return scene.EnsureBVH(a.engine.device, method)
}

// keepAOVs has the kernels keep what is wanted besides light.
func (a *accumulator) keepAOVs(p *Plan, f *cuda.Frame) error {
	anew, err := a.film.EnsureAOVs(a.planesWanted(p), a.sampler.Weight())
	if err != nil {
		return err
	}
	if anew { // guides come first in a sample: one under way has none any more
		a.guidesSince = a.sampler.Samples()
		if a.sampler.UnderWay() {
			a.guidesSince++
		}
		a.denoise.Forget()
	}
	if err := a.film.EnsureMovement(a.film.AOVs() > 0 && p.Request.Live && a.engine.scene.Animated()); err != nil {
		return err
	}
	a.film.FillAOVs(f)
	if denoise.Follows(&p.Request, &p.Settings, p.sliced) {
		f.Sampling.Flags |= cuda.FrameReflections
	}
	if denoise.BuiltIn(p.Settings.Denoise) && f.Film.AovPlanes < cuda.AovPlanes && !p.Settings.HidesBackground() {
		f.Sampling.Flags |= cuda.FrameKeepSky
	}
	if !p.errorMap {
		return nil
	}
	return a.errorMap.Prepare(f, p.errorMapBy, a.sampler.Samples() == 0 && !a.sampler.UnderWay())
}

// planesWanted is how many planes of AOVs somebody asks for.
func (a *accumulator) planesWanted(p *Plan) int {
	switch {
	case p.Request.Layers || p.Settings.AOVView != "off":
		return int(cuda.AovPlanes)
	case a.needGuides, p.Settings.HidesBackground():
		return int(cuda.AovFilterPlanes)
	}
	planes := a.denoise.Planes(p.Settings.Denoise, denoise.Remembers(&p.Request, &p.Settings, p.sliced))
	if p.Request.Window && a.sampler.Samples() > 0 {
		return max(planes, a.film.AOVs()) // a denoiser that is switched off and on again finds the guides of all samples
	}
	return planes
}

// extraPasses keep what the integrator does not.
func (a *accumulator) extraPasses(p *Plan) []device.Pass {
	var passes []device.Pass
	if p.errorMap {
		passes = append(passes, a.errorMap.Passes()...)
	}
	if view := p.Settings.AOVView; p.Request.Layers || view == "direct" || view == "indirect" {
		passes = append(passes, device.Pass{Kernel: cuda.TracePaths, Frame: a.film.DirectPass})
	}
	return passes
}

// source is the image as package denoise takes it.
func (a *accumulator) source(p *Plan) *denoise.Source {
	asked := p.Settings
	asked.DenoiseQuality = p.asked.DenoiseQuality
	options := p.options
	options.Record = a.record.Address
	if p.Settings.AutoExposure {
		options.EV = a.engine.autoExposure.EV()
	}
	return &denoise.Source{View: p.Request, Settings: asked, Options: options, Key: a.sampler.Key(), Samples: a.sampler.Samples(),
		SinceReplace: a.sampler.SinceReplace(), Weight: a.sampler.Weight(), Independent: a.sampler.Independent(), Image: a.sampler.Image(),
		Background: p.sliced, Guided: a.film.AOVs() > 0 && a.sampler.Samples() > a.guidesSince,
		Frame: func() cuda.Frame {
			f := a.frame(p)
			a.sampler.FillLastSample(&f, false)
			a.film.FillAOVs(&f)
			return f
		}}
}

// Counters and Queues are what the profiler reads back.
func (a *accumulator) Counters() ([cuda.CounterCount]uint64, error) { return a.film.Counters() }

// Queues are those of the last frame.
func (a *accumulator) Queues() ([]profile.Queue, error) {
	extension, shadow, err := a.sampler.Queues()
	queues := make([]profile.Queue, len(extension))
	for i := range queues {
		queues[i] = profile.Queue{Extension: extension[i], Shadow: shadow[i]}
	}
	return queues, err
}

// stopUnwanted gives back what the plan has no use for.
func (a *accumulator) stopUnwanted(p *Plan) {
	if p.Settings.Denoise == denoise.Off {
		a.denoise.Stop()
	}
	if !p.errorMap {
		a.errorMap.Stop()
	}
}

func (a *accumulator) restart() {
	a.sampler.Restart()
	a.denoise.Restart()
}

// release gives the image back: the next one begins as the first did. What frames have cost is kept.
func (a *accumulator) release() error {
	err := a.finishFrame()
	a.restart()
	a.sampler.Free()
	a.denoise.Stop()
	a.errorMap.Stop()
	a.film.FreeImages()
	a.forgetBVH()
	return err
}

func (a *accumulator) memory() profile.Memory {
	integrators, pool, firstHits := a.sampler.Memory()
	return profile.Memory{Film: a.film.Bytes(), Restir: integrators, Pool: pool, Hits: firstHits,
		Denoiser: a.film.AOVBytes() + a.denoise.Bytes() + a.errorMap.Bytes(), Scratch: a.scratch.Saved()}
}

// recordings are what filters learn from, of so many pixels.
func (a *accumulator) recordings(pixels int) []device.Allocation {
	return []device.Allocation{{Buffer: &a.record, Bytes: 4 * pixels * int(cuda.RecordPlanes)}}
}

func (a *accumulator) close() {
	a.denoise.Close()
	a.errorMap.Close()
	a.sampler.Free()
	a.film.Close()
	device.Release(a.engine.device, a.recordings(0))
	a.forgetBVH()
}

// forgetBVH says that it asks for no BVH any more.
func (a *accumulator) forgetBVH() {
	if a.engine.scene != nil {
		a.engine.scene.ForgetUser(a)
	}
}
