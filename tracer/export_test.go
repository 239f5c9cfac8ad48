package tracer

import "glint/cuda"

// OpenVariant opens the CPU backend on one build of the kernels, whatever this processor would take.
func OpenVariant(v cuda.Variant) (*Renderer, error) {
	d := newCPUDevice("")
	d.variant = v
	return newRenderer(&stage{device: d})
}
