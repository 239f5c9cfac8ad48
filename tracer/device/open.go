package device

import (
	"errors"
	"fmt"
	"log/slog"

	"glint/cuda/driver"
)

// Options choose the device.
type Options struct {
	Backend string       // auto, cuda or cpu
	Ordinal int          // of the GPU
	Log     *slog.Logger // may be nil
}

// Open finds a device. With Backend auto it takes CUDA when that works, else the CPU, and says why.
func Open(o Options) (Device, error) {
	switch o.Backend {
	case KindCPU:
		return NewCPU(""), nil
	case KindCUDA, "auto", "":
		gpu, err := openCUDA(o.Ordinal)
		if err == nil {
			if o.Log != nil {
				gpu.general.report(o.Log)
			}
			return gpu, nil
		}
		if o.Backend == KindCUDA || errors.Is(err, driver.ErrOrdinal) {
			return nil, fmt.Errorf("open the CUDA backend: %w", err)
		}
		return NewCPU(err.Error()), nil
	}
	return nil, fmt.Errorf("backend %q is unknown: use auto, cuda or cpu", o.Backend)
}
