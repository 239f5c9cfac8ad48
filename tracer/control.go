package tracer

import "glint/cuda"

// Restart forgets what was accumulated and the histories of reuse, of denoisers and of upscaling: the next call of
// Render begins as the first one did. What was learnt of costs stays, and so does auto exposure, which twins share.
func (r *Renderer) Restart() {
	r.progress = progress{cost: r.progress.cost, image: r.progress.image}
	r.reuse = reuse{}
	r.eye = cuda.Camera{}
	r.denoise.history.forget()
	r.upscaler.restart()
}

// Finish waits until the device has done all that was asked of it: calls of Render without a target do not wait on a GPU.
func (r *Renderer) Finish() error { return r.device.sync() }
