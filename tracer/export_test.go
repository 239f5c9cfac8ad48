package tracer

import "glint/cuda"

// OpenVariant opens the CPU backend on one build of the kernels, whatever this processor would take.
func OpenVariant(v cuda.Variant) (*Renderer, error) {
	d := newCPUDevice("")
	d.variant = v
	return newRenderer(&stage{device: d})
}

// Reseed lets the image go on with samples of another seed, as if it had been begun with that one.
func (r *Renderer) Reseed(seed int) {
	r.progress.key.settings.Seed = seed
	r.reuse.key.settings.Seed = seed
}
