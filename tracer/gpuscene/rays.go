package gpuscene

import (
	"errors"
	"fmt"

	"glint/cuda"
	"glint/tracer/device"
)

// hardwareRays has hardware trace the rays of a scene where setting rays asks for it.
type hardwareRays struct {
	trees  rayTrees
	failed error // why it cannot
}

// fill fills in what hardware needs: Scene.FillHardware.
func (r *hardwareRays) fill(b rayTreeBuilder, f *cuda.Frame, rays string) (by string, err error) {
	switch {
	case rays != "hardware":
		return "", nil
	case r.failed != nil:
		return "software", nil
	}
	err = r.prepare(b, f)
	switch {
	case err == nil:
		return "hardware", nil
	case errors.Is(err, device.ErrCompiling):
		return "software, until the programs of hardware are compiled", nil
	}
	r.trees.free(b.device)
	f.Scene.Hardware = 0
	r.failed = fmt.Errorf("rays are traced in software: %w", err)
	return "software", r.failed
}

func (r *hardwareRays) prepare(b rayTreeBuilder, f *cuda.Frame) (err error) {
	if b.hardware, err = b.device.Hardware(); err != nil {
		return err
	}
	if err := b.hardware.Prepare(f.Scene.Missing); err != nil {
		return err
	}
	b.opaque = f.Scene.Missing&cuda.FeatureAlpha != 0
	if err := r.trees.ensure(b); err != nil {
		return err
	}
	f.Scene.Hardware = r.trees.handle()
	return nil
}
