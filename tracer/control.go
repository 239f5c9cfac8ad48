package tracer

// Restart forgets what was accumulated and the histories of reuse and of denoisers: the next call of Render begins as the first one did.
func (r *Renderer) Restart() {
	r.progress = progress{cost: r.progress.cost, image: r.progress.image}
	r.reuse = reuse{}
	r.upscaler.frames = 0
	r.denoise.history.forget()
}

// Finish waits until the device has done all that was asked of it: calls of Render without a target do not wait on a GPU.
func (r *Renderer) Finish() error { return r.device.sync() }
