package tracer

import "glint/tracer/view"

// AutoDenoiser is what auto stands for.
func AutoDenoiser(v view.View, backend string) string { return autoDenoiser(v, backend) }

// NextPicture is with how many samples an image is denoised again after one of so many.
func NextPicture(samples int, rests, background bool) int {
	return (&denoising{samples: samples}).next(rests, background)
}

// HoldDenoiser has a job work on what the denoiser's buffers hold until it is told to end.
func (r *Renderer) HoldDenoiser() (end func()) {
	r.awaitJob()
	job := &denoiseJob{buffers: r.denoise.buffers, done: make(chan error, 1)}
	r.denoise.job = job
	return func() { job.done <- nil }
}

// PreviewBytes is the memory of the small image that is shown while nothing is complete: as much as was needed so far.
func (r *Renderer) PreviewBytes() int { return r.film.preview.size }
