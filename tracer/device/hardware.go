package device

import (
	"errors"
	"fmt"

	"glint/cuda"
	"glint/cuda/compiled"
	"glint/cuda/driver"
	"glint/cuda/optix"
)

// Hardware traces rays by programs of OptiX. A kernel that has a program of its name is replaced by it in frames whose scene has a tree for
// hardware (cuda.SceneParams). The first error turns it off: kernels go on from there.
type Hardware struct {
	memory   Memory
	stream   *driver.Stream
	context  *optix.Context
	programs map[uint32]*programs // by what scenes lack (enum cuda.Feature)
	failed   error
}

// prepare opens the library, once, and compiles what is missing.
func (h *Hardware) prepare(lacks uint32) error {
	if h.context == nil {
		library, err := optix.Open("")
		if err != nil {
			return err
		}
		if h.context, err = library.NewContext(); err != nil {
			return err
		}
	}
	if h.programs[lacks] != nil {
		return nil
	}
	p, err := newPrograms(h.memory, h.context, lacks)
	if err != nil {
		return err
	}
	if h.programs == nil {
		h.programs = map[uint32]*programs{}
	}
	h.programs[lacks] = p
	return nil
}

// Close gives everything back; trees are freed before.
func (h *Hardware) Close() error {
	var errs []error
	for _, p := range h.programs {
		errs = append(errs, p.close(h.memory))
	}
	if h.context != nil {
		errs = append(errs, h.context.Close())
	}
	*h = Hardware{}
	return errors.Join(errs...)
}

// of are the programs for a frame; nil: kernels trace.
func (h *Hardware) of(f *cuda.Frame) *programs {
	if f.Scene.Hardware == 0 || h.failed != nil {
		return nil
	}
	return h.programs[f.Scene.Missing]
}

// programs are what takes the place of kernels, for scenes that lack certain features.
type programs struct {
	module    *optix.Module
	pipelines [cuda.KernelCount]*optix.Pipeline // nil where a kernel has no program
	records   [cuda.KernelCount]Buffer
}

// recordedValues is how many arguments a program may have: more than there are waves.
const recordedValues = 1024

func newPrograms(m Memory, c *optix.Context, lacks uint32) (*programs, error) {
	ptx, err := compiled.Rays(lacks)
	if err != nil {
		return nil, err
	}
	p := &programs{}
	if p.module, err = c.NewModule(ptx, "frame", uint64(SizeOf[cuda.Frame]())); err != nil {
		return nil, err
	}
	for k := range cuda.KernelCount {
		if !k.Program() {
			continue
		}
		if err := p.link(m, k); err != nil {
			return nil, errors.Join(err, p.close(m))
		}
	}
	return p, nil
}

func (p *programs) link(m Memory, k cuda.Kernel) (err error) {
	if p.pipelines[k], err = p.module.NewPipeline(k.String()); err != nil {
		return err
	}
	records, err := p.pipelines[k].Records(recordedValues)
	if err != nil {
		return err
	}
	if p.records[k], err = m.Alloc(len(records)); err != nil {
		return err
	}
	return m.Upload(p.records[k], records)
}

func (p *programs) close(m Memory) error {
	var errs []error
	for k, pipeline := range p.pipelines {
		m.Free(p.records[k])
		if pipeline != nil {
			errs = append(errs, pipeline.Close())
		}
	}
	return errors.Join(append(errs, p.module.Close())...)
}

// replace tells whether there is one for a kernel with that argument. Without programs there is none.
func (p *programs) replace(k cuda.Kernel, arg uint32) bool {
	return p != nil && p.pipelines[k] != nil && arg < recordedValues
}

// launch queues the program of a kernel, with the frame at an address of the device.
func (p *programs) launch(k cuda.Kernel, arg uint32, rays int, s *driver.Stream, frame driver.DevicePtr) error {
	if rays == 0 { // which OptiX refuses
		return nil
	}
	err := p.pipelines[k].Launch(s.Handle(), uint64(frame), p.records[k].Address, recordedValues, arg, rays)
	if err != nil {
		return fmt.Errorf("program %s: %w", k, err)
	}
	return nil
}
