package tracer

// Restart forgets what was accumulated and the history of reuse: the next call of Render begins as the first one did.
func (r *Renderer) Restart() {
	r.progress = progress{cost: r.progress.cost}
	r.reuse = reuse{}
	r.upscaler.frames = 0
}

// Finish waits until the device has done all that was asked of it: calls of Render without a target do not wait on a GPU.
func (r *Renderer) Finish() error { return r.device.sync() }
