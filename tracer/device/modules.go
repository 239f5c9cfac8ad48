package device

import (
	"errors"
	"runtime"

	"glint/cuda"
	"glint/cuda/driver"
)

// module is the kernels as the driver has compiled them for scenes that lack certain features.
type module struct {
	lacks     uint32 // enum cuda.Feature; 0 suits every scene
	module    *driver.Module
	functions [cuda.KernelCount]*driver.Function
	frame     driver.DevicePtr // the __constant__ symbol
}

func loadModule(c *driver.Context, lacks uint32) (*module, error) {
	p := &module{lacks: lacks}
	var err error
	if p.module, err = c.LoadModule(ptxFor(c, lacks)); err != nil {
		return nil, err
	}
	for k := range p.functions {
		if p.functions[k], err = p.module.Function(cuda.Kernel(k).String()); err != nil {
			return nil, errors.Join(err, p.module.Close())
		}
	}
	if p.frame, _, err = p.module.Global("frame"); err != nil {
		return nil, errors.Join(err, p.module.Close())
	}
	return p, nil
}

func ptxFor(c *driver.Context, lacks uint32) []byte {
	return cuda.PTX(c.Device.Major*10+c.Device.Minor, lacks)
}

// specialize compiles the kernels for scenes that lack so much, in a CUDA context of its own: in the device's context the
// compiler would hold up rendering. Only loading them, from the driver's cache, does.
func specialize(c *driver.Context, lacks uint32) (*module, error) {
	if err := errors.Join(c.CompileApart(ptxFor(c, lacks)), c.MakeCurrent()); err != nil {
		return nil, err
	}
	return loadModule(c, lacks)
}

// modules are the kernels in the forms that scenes have asked for. The one for all scenes is there from the start. Another
// takes the driver seconds the first time, so it is compiled in the background and taken between two frames.
type modules struct {
	context *driver.Context
	ready   []*module
	pending map[uint32]chan compiled
	failed  map[uint32]error // what did not compile
	wanted  uint32           // what was requested last
}

type compiled struct {
	module *module
	err    error
}

// request has a module compiled, unless it is there or on its way.
func (s *modules) request(lacks uint32) {
	s.wanted = lacks
	if s.find(lacks) != nil || s.pending[lacks] != nil {
		return
	}
	done := make(chan compiled, 1)
	s.pending[lacks] = done
	go func() {
		runtime.LockOSThread() // and never unlocked: the thread ends with its context
		p, err := specialize(s.context, lacks)
		done <- compiled{p, err}
	}()
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

func (s *modules) receive(lacks uint32, c compiled) {
	delete(s.pending, lacks)
	if c.err != nil {
		s.failed[lacks] = c.err
		general := *s.ready[0] // stands in, and is closed once
		general.lacks, general.module = lacks, nil
		c.module = &general
	}
	s.ready = append(s.ready, c.module)
}

// wait waits for what is being compiled.
func (s *modules) wait() error {
	for lacks, done := range s.pending {
		s.receive(lacks, <-done)
	}
	return s.failure()
}

// failure tells why what was requested last did not compile.
func (s *modules) failure() error { return s.failed[s.wanted] }

// close unloads everything. What is still being compiled keeps the context until the process ends: nobody should have to wait for it.
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
