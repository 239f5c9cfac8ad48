package device

import (
	"errors"
	"fmt"
	"runtime"

	"glint/cuda"
	"glint/cuda/compiled"
	"glint/cuda/driver"
	"glint/cuda/optix"
	"glint/tracer/guard"
)

// Hardware traces rays by programs of OptiX. A kernel that has a program of its name is replaced by it in frames whose scene has a tree for
// hardware (cuda.SceneParams). The first error turns it off: kernels go on from there.
type Hardware struct {
	memory   Memory
	stream   *driver.Stream
	cuda     *driver.Context
	context  *optix.Context
	programs map[uint32]*programs // by variant
	pending  map[uint32]chan linked
	failed   error
}

// ErrCompiling says that programs are being compiled, which takes the driver seconds the first time.
var ErrCompiling = errors.New("the driver compiles the programs that trace rays in hardware")

// rayFeatures are those whose code slows rays down.
const rayFeatures = cuda.FeatureAlpha | cuda.FeaturePanes | cuda.FeatureVolumes

// variant is what the programs lack that serve scenes which lack so much. There are two, since the driver takes long for each: one for
// scenes without any of rayFeatures, and one for all.
func variant(lacks uint32) uint32 {
	if lacks&rayFeatures == rayFeatures {
		return rayFeatures
	}
	return 0
}

// linked is what comes of compiling.
type linked struct {
	programs *programs
	err      error
}

// open opens the library, once.
func (h *Hardware) open() error {
	if h.context != nil {
		return nil
	}
	library, err := optix.Open("")
	if err == nil {
		h.context, err = library.NewContext()
	}
	return err
}

// Prepare has programs compiled for frames of scenes that lack certain features. Until they are there it says [ErrCompiling].
func (h *Hardware) Prepare(lacks uint32) error {
	lacks = variant(lacks)
	if h.failed != nil || h.programs[lacks] != nil {
		return h.failed
	}
	if h.pending == nil {
		h.programs, h.pending = map[uint32]*programs{}, map[uint32]chan linked{}
	}
	if h.pending[lacks] == nil {
		h.compile(lacks)
	}
	select {
	case made := <-h.pending[lacks]:
		return h.receive(lacks, made)
	default:
		return ErrCompiling
	}
}

// compile begins to compile programs.
func (h *Hardware) compile(lacks uint32) {
	done := make(chan linked, 1)
	h.pending[lacks] = done
	var made linked
	context, cuda := h.context, h.cuda // which stay: see close
	guard.Go(func() (err error) {
		runtime.LockOSThread() // and never unlocked: the thread ends with what is current on it
		if err := cuda.MakeCurrent(); err != nil {
			return err
		}
		made.programs, err = newPrograms(context, lacks)
		return err
	}, func(err error) {
		made.err = err
		done <- made
	})
}

func (h *Hardware) receive(lacks uint32, made linked) error {
	delete(h.pending, lacks)
	if made.err == nil {
		if made.err = made.programs.record(h.memory); made.err != nil {
			made.err = errors.Join(made.err, made.programs.close(h.memory))
		}
	}
	if made.err != nil {
		h.failed = made.err
		return made.err
	}
	h.programs[lacks] = made.programs
	return nil
}

// wait waits for what is being compiled.
func (h *Hardware) wait() {
	for lacks, done := range h.pending {
		_ = h.receive(lacks, <-done) // which Prepare says
	}
}

// close gives everything back; trees are freed before. What is still being compiled keeps the context.
func (h *Hardware) close() (abandoned bool, err error) {
	var errs []error
	for lacks, done := range h.pending {
		select {
		case made := <-done:
			_ = h.receive(lacks, made)
		default:
		}
	}
	for _, p := range h.programs {
		errs = append(errs, p.close(h.memory))
	}
	abandoned = len(h.pending) > 0
	if h.context != nil && !abandoned {
		errs = append(errs, h.context.Close())
	}
	*h = Hardware{}
	return abandoned, errors.Join(errs...)
}

// of are the programs for a frame; nil: kernels trace.
func (h *Hardware) of(f *cuda.Frame) *programs {
	if f.Scene.Hardware == 0 || h.failed != nil {
		return nil
	}
	return h.programs[variant(f.Scene.Missing)]
}

// programs are what takes the place of kernels, for scenes that lack certain features.
type programs struct {
	module    *optix.Module
	pipelines [cuda.KernelCount]*optix.Pipeline // nil where a kernel has no program
	records   [cuda.KernelCount]Buffer
}

// recordedValues is how many arguments a program may have: more than there are waves.
const recordedValues = 1024

// newPrograms compiles and links them, on any thread on which the CUDA context is current.
func newPrograms(c *optix.Context, lacks uint32) (*programs, error) {
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
		if p.pipelines[k], err = p.module.NewPipeline(k.String()); err != nil {
			return nil, errors.Join(err, p.close(nil))
		}
	}
	return p, nil
}

// record copies the records of all programs to the device.
func (p *programs) record(m Memory) error {
	for k, pipeline := range p.pipelines {
		if pipeline == nil {
			continue
		}
		records, err := pipeline.Records(recordedValues)
		if err != nil {
			return err
		}
		if p.records[k], err = m.Alloc(len(records)); err != nil {
			return err
		}
		if err := m.Upload(p.records[k], records); err != nil {
			return err
		}
	}
	return nil
}

// close gives them back; memory that holds no records may be nil.
func (p *programs) close(m Memory) error {
	var errs []error
	for k, pipeline := range p.pipelines {
		if p.records[k].Size > 0 {
			m.Free(p.records[k])
		}
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
