package tracer

import "errors"

// denoiseJob denoises in the background: on a processor that takes longer than a window may wait.
type denoiseJob struct {
	buffers *denoiseBuffers
	samples int
	image   accumulationKey // what was denoised
	done    chan error
}

// denoiseFrame denoises a picture of a live view: at once on a GPU, and where nobody waits for an answer; else in the
// background, after as many samples again as the picture before had.
func (r *Renderer) denoiseFrame(v View, s Settings) error {
	d := &r.denoise
	if err := r.pollJob(); err != nil {
		return err
	}
	if r.progress.samples == 0 || r.film.aovs.planes == 0 {
		return nil // not yet
	}
	if v.Budget == 0 || r.device.backend().Kind != "cpu" {
		return r.denoiseNow(v, s)
	}
	if d.job != nil || r.progress.samples < 2*d.samples {
		return nil
	}
	return r.startJob(v, s)
}

// startJob takes a copy of the image and denoises that.
func (r *Renderer) startJob(v View, s Settings) error {
	if err := r.readyDenoiser(v); err != nil {
		return err
	}
	if err := r.gatherInputs(v, s); err != nil {
		return err
	}
	d := &r.denoise
	job := &denoiseJob{buffers: d.buffers, samples: r.progress.samples, image: r.progress.key, done: make(chan error, 1)}
	denoiser, task := d.denoiser, d.task(v, s)
	go func() { job.done <- denoiser.Denoise(task) }()
	d.job = job
	return nil
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
		d.shown, d.samples = 1-d.shown, job.samples
	}
	return err
}

// stopDenoising gives the buffers back; a job under way gives back its own when it ends.
func (r *Renderer) stopDenoising() {
	r.dropDenoiseBuffers()
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

// closeOIDN closes the device that denoisers of the stage shared.
func (s *stage) closeOIDN() error {
	if s.oidn == nil {
		return nil
	}
	err := s.oidn.Close()
	s.oidn, s.oidnWhy = nil, errors.New("closed")
	return err
}
