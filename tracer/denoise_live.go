package tracer

import (
	"glint/cuda"
	"glint/tracer/settings"
	"glint/tracer/view"
)

// denoiseJob denoises in the background: on a processor that takes longer than a window may wait.
type denoiseJob struct {
	buffers *denoiseBuffers
	samples int
	by      recipe
	image   accumulationKey // what was denoised
	done    chan error
}

// inBackground tells whether a view is denoised while it goes on: where somebody waits for an answer of a processor.
func (r *Renderer) inBackground(v view.View) bool {
	return v.Budget > 0 && r.device.backend().Kind == "cpu"
}

// next is with how many samples an image is denoised again. A window that rests shows what there is until another picture
// would be visibly better, and renders meanwhile.
func (d *denoising) next(rests, background bool) int {
	switch {
	case background:
		return 2 * d.samples
	case rests:
		return d.samples + max(d.samples/8, 1)
	}
	return d.samples + 1
}

// denoiseFrame denoises a picture of a live view, at once or in the background, when there are samples enough.
func (r *Renderer) denoiseFrame(v view.View, s settings.Settings) error {
	d := &r.denoise
	if err := r.pollJob(); err != nil {
		return err
	}
	if !r.hasGuides() {
		return nil // not yet
	}
	background := r.inBackground(v)
	if d.by == recipeOf(s) && r.progress.samples < d.next(v.Window && r.progress.fresh > 1, background) {
		return nil
	}
	if !background {
		return r.denoiseNow(v, s)
	}
	if d.job != nil {
		return nil
	}
	return r.startJob(v, s)
}

// startJob takes a copy of the image and denoises that.
func (r *Renderer) startJob(v view.View, s settings.Settings) error {
	f, err := r.denoiserFrame(v, s)
	if err != nil {
		return err
	}
	work, err := r.backgroundWork(v, s, &f)
	if err != nil {
		return err
	}
	d := &r.denoise
	job := &denoiseJob{buffers: d.buffers, samples: r.progress.samples, by: recipeOf(s), image: r.progress.key, done: make(chan error, 1)}
	go func() { job.done <- work() }()
	d.job = job
	return nil
}

// backgroundWork copies what goes on to change, and tells what is to be done with it.
func (r *Renderer) backgroundWork(v view.View, s settings.Settings, f *cuda.Frame) (func() error, error) {
	input := launch{kernel: cuda.DenoiseInput, indices: v.Width * v.Height}
	if s.Denoise == "atrous" {
		input = atrousInput(f)
	}
	if err := r.device.setFrame(f); err != nil {
		return nil, err
	}
	if err := r.device.play([]launch{input}); err != nil {
		return nil, err
	}
	if s.Denoise == "oidn" {
		denoiser, task := r.denoise.oidn, r.denoise.task(v, s)
		return func() error { return denoiser.Denoise(task) }, nil
	}
	aside := r.device.aside()
	if err := aside.setFrame(f); err != nil {
		return nil, err
	}
	batch := atrousFilter(f)
	return func() error { return aside.play(batch) }, nil
}

// pollJob takes over what the background has finished.
func (r *Renderer) pollJob() error {
	job := r.denoise.job
	if job == nil {
		return nil
	}
	select {
	case err := <-job.done:
		return r.finishJob(job, err)
	default:
		return nil
	}
}

// finishJob shows a job's output if it is of the image that accumulates now.
func (r *Renderer) finishJob(job *denoiseJob, err error) error {
	d := &r.denoise
	d.job = nil
	switch {
	case job.buffers != d.buffers:
		giveBack(r.device, job.buffers.claims())
	case err == nil && job.image == r.progress.key:
		d.finish(job.samples, job.by)
	}
	return err
}

// stopDenoising gives the buffers back; a job under way gives back its own when it ends.
func (r *Renderer) stopDenoising() {
	r.dropDenoiseBuffers()
	r.denoise.history.free(r.device)
	if r.denoise.job != nil {
		_ = r.pollJob() // what it says is of no interest now
	}
}

// awaitJob waits for the background. What it says then is of no interest.
func (r *Renderer) awaitJob() {
	if job := r.denoise.job; job != nil {
		_ = r.finishJob(job, <-job.done)
	}
}
