package device

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime"

	"glint/cuda"
	"glint/cuda/compiled"
	"glint/cuda/driver"
	"glint/cuda/images"
	"glint/tracer/guard"
)

// module is the kernels, loaded for scenes that lack certain features.
type module struct {
	lacks     uint32 // enum cuda.Feature; 0 suits every scene
	module    *driver.Module
	functions [cuda.KernelCount]*driver.Function
	frame     driver.DevicePtr // the __constant__ symbol
}

func loadModule(c *driver.Context, image images.Image, lacks uint32) (*module, error) {
	p := &module{lacks: lacks}
	var err error
	if p.module, err = c.LoadModule(image.Data); err != nil {
		return nil, fmt.Errorf("%s: %w", image.Target, err)
	}
	for k := range p.functions {
		if p.functions[k], err = p.module.Function(cuda.Kernel(k).String()); err != nil {
			return nil, errors.Join(err, p.module.Close())
		}
	}
	var size uint64
	if p.frame, size, err = p.module.Global("frame"); err == nil && size < uint64(SizeOf[cuda.Frame]()) {
		err = fmt.Errorf("the kernels' frame has %d bytes, and needs %d: %w", size, SizeOf[cuda.Frame](), driver.ErrBadAnswer)
	}
	if err != nil {
		return nil, errors.Join(err, p.module.Close())
	}
	return p, nil
}

// general is the module that suits every scene, and how it came about.
type general struct {
	*module
	target  images.Target // what was loaded
	refused error         // why machine code was not, though there is some for this GPU
}

// kernels is where compiled kernels come from.
type kernels struct {
	image func(major, minor int) (images.Image, error)
	ptx   func(lacks uint32, major int) (images.Image, error)
}

// loadGeneral loads machine code where there is some for a GPU of that compute capability. Where there is none, or the driver refuses it, the driver
// compiles PTX, which takes many seconds the first time.
func loadGeneral(from kernels, major, minor int, load func(images.Image) (*module, error)) (general, error) {
	image, err := from.image(major, minor)
	if err != nil {
		return general{}, err
	}
	m, err := load(image)
	if err == nil || image.Target.IsPTX() {
		return general{module: m, target: image.Target}, err
	}
	refused := err
	if image, err = from.ptx(0, major); err == nil {
		m, err = load(image)
	}
	if err != nil {
		return general{}, errors.Join(refused, err)
	}
	return general{module: m, target: image.Target, refused: refused}, nil
}

// String says how the kernels came about.
func (g general) String() string {
	switch {
	case g.refused != nil:
		return fmt.Sprintf("compiled by the driver (%s), which refused the machine code: %v", g.target, g.refused)
	case g.target.IsPTX():
		return fmt.Sprintf("compiled by the driver (%s)", g.target)
	}
	return fmt.Sprintf("machine code (%s)", g.target)
}

// report logs how the kernels were made, and for developers what each one takes.
func (g general) report(log *slog.Logger) {
	if g.refused != nil {
		log.Warn("the driver compiles the kernels, which takes long the first time", "why", g.refused)
	}
	if !log.Enabled(context.Background(), slog.LevelDebug) {
		return
	}
	log.Debug("kernels", "how", g.String())
	for _, f := range g.functions {
		if info, err := f.Info(); err == nil {
			log.Debug("kernel "+f.Name, "registers", info.Registers, "local bytes", info.LocalBytes, "shared bytes", info.SharedBytes)
		}
	}
}

// specialize compiles the kernels for scenes that lack so much, in a CUDA context of its own: in the device's context the
// compiler would hold up rendering. Only loading them, from the driver's cache, does.
func specialize(c *driver.Context, lacks uint32) (*module, error) {
	ptx, err := compiled.PTX(lacks, c.Device.Major)
	if err != nil {
		return nil, err
	}
	if err := errors.Join(c.CompileApart(ptx.Data), c.MakeCurrent()); err != nil {
		return nil, err
	}
	return loadModule(c, ptx, lacks)
}

// modules are the kernels in the variants that scenes have requested. The one for all scenes is there from the start. Another
// takes the driver seconds the first time, so it is compiled in the background and taken between two frames.
type modules struct {
	context *driver.Context
	ready   []*module
	pending map[uint32]chan compilation
	failed  map[uint32]error // what did not compile
	wanted  uint32           // what was requested last
}

type compilation struct {
	module *module
	err    error
}

// Specialize has a module compiled, unless it is there or on its way.
func (s *modules) Specialize(lacks uint32) {
	s.wanted = lacks
	if s.find(lacks) != nil || s.pending[lacks] != nil {
		return
	}
	done := make(chan compilation, 1)
	s.pending[lacks] = done
	var c compilation
	guard.Go(func() (err error) {
		runtime.LockOSThread() // and never unlocked: the thread ends with its context
		c.module, err = specialize(s.context, lacks)
		return err
	}, func(err error) {
		c.err = err
		done <- c
	})
}

func (s *modules) find(lacks uint32) *module {
	for _, p := range s.ready {
		if p.lacks == lacks {
			return p
		}
	}
	return nil
}

// best is the best module there is now for scenes that lack so much. One that does not compile is done without.
func (s *modules) best(lacks uint32) *module {
	if done := s.pending[lacks]; done != nil {
		select {
		case c := <-done:
			s.receive(lacks, c)
		default:
		}
	}
	if p := s.find(lacks); p != nil {
		return p
	}
	return s.ready[0]
}

func (s *modules) receive(lacks uint32, c compilation) {
	delete(s.pending, lacks)
	if c.err != nil {
		s.failed[lacks] = c.err
		general := *s.ready[0] // stands in, and is closed once
		general.lacks, general.module = lacks, nil
		c.module = &general
	}
	s.ready = append(s.ready, c.module)
}

// KernelsPending tells whether what was requested last is being compiled.
func (s *modules) KernelsPending() bool { return s.pending[s.wanted] != nil }

// WaitForKernels waits for what is being compiled.
func (s *modules) WaitForKernels() error {
	for lacks, done := range s.pending {
		s.receive(lacks, <-done)
	}
	return s.KernelsError()
}

// KernelsError tells why what was requested last did not compile.
func (s *modules) KernelsError() error { return s.failed[s.wanted] }

// close unloads everything. What is still being compiled keeps the context until the process ends: closing should not wait for it.
func (s *modules) close() (abandoned bool, err error) {
	if len(s.ready) > 0 {
		for lacks := range s.pending {
			s.best(lacks)
		}
	}
	for _, p := range s.ready {
		if p.module != nil {
			err = errors.Join(err, p.module.Close())
		}
	}
	s.ready = nil
	return len(s.pending) > 0, err
}
