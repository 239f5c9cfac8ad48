package tracer

import "glint/tracer/oidn"

func (d *cpuDevice) openOIDN(l *oidn.Library) (*oidn.Device, error) { return l.CPU() }

// openOIDN shares context, memory and stream.
func (d *gpuDevice) openOIDN(l *oidn.Library) (*oidn.Device, error) {
	return l.CUDA(d.context.Device.Ordinal, d.stream.Handle())
}

// aside is the same processor and memory with a frame of its own.
func (d *cpuDevice) aside() device { return &cpuDevice{variant: d.variant} }

// aside is itself: what is queued on a GPU holds nobody up.
func (d *gpuDevice) aside() device { return d }

func (d *cpuDevice) timed(work func() error) error { return work() }

func (d *gpuDevice) timed(work func() error) error { return d.stopwatch.aroundAll(d.stream, work) }
