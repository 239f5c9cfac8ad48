package tracer

import (
	"errors"
	"runtime"

	"glint/cuda"
	"glint/cuda/driver"
)

// program is the kernels as a module of the driver, for scenes that lack certain features.
type program struct {
	lacks     uint32 // enum cuda.Feature; 0 suits every scene
	module    *driver.Module
	functions [cuda.KernelCount]*driver.Function
	frame     driver.DevicePtr // the __constant__ symbol
}

func loadProgram(c *driver.Context, lacks uint32) (*program, error) {
	p := &program{lacks: lacks}
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

// tailorProgram compiles the kernels for scenes that lack so much. Who renders is held up only while they are loaded, once the
// driver has them in its cache.
func tailorProgram(c *driver.Context, lacks uint32) (*program, error) {
	if err := errors.Join(c.CompileApart(ptxFor(c, lacks)), c.MakeCurrent()); err != nil {
		return nil, err
	}
	return loadProgram(c, lacks)
}

// programs are the kernels in the forms that scenes have asked for. The one for all scenes is there from the start. Another
// takes the driver seconds the first time, so it is compiled beside the rendering and taken between two frames.
type programs struct {
	context *driver.Context
	ready   []*program
	coming  map[uint32]chan compiled
	failed  error
}

type compiled struct {
	*program
	err error
}

// ask has a program compiled, unless it is there or on its way.
func (s *programs) ask(lacks uint32) {
	if s.find(lacks) != nil || s.coming[lacks] != nil {
		return
	}
	done := make(chan compiled, 1)
	s.coming[lacks] = done
	go func() {
		runtime.LockOSThread() // and never unlocked: the thread ends with its context
		p, err := tailorProgram(s.context, lacks)
		done <- compiled{p, err}
	}()
}

func (s *programs) find(lacks uint32) *program {
	for _, p := range s.ready {
		if p.lacks == lacks {
			return p
		}
	}
	return nil
}

// take is the best there is now for scenes that lack so much. A program that does not compile is done without.
func (s *programs) take(lacks uint32) *program {
	if done := s.coming[lacks]; done != nil {
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

func (s *programs) receive(lacks uint32, c compiled) {
	delete(s.coming, lacks)
	if c.err != nil {
		s.failed = errors.Join(s.failed, c.err)
		c.program = &program{}
		*c.program = *s.ready[0]
		c.lacks, c.module = lacks, nil
	}
	s.ready = append(s.ready, c.program)
}

// settle waits for what is being compiled, and tells what did not compile.
func (s *programs) settle() error {
	for lacks, done := range s.coming {
		s.receive(lacks, <-done)
	}
	err := s.failed
	s.failed = nil
	return err
}

// close unloads everything. What is still being compiled keeps the context until the process ends: nobody should have to wait for it.
func (s *programs) close() (abandoned bool, err error) {
	if len(s.ready) > 0 {
		for lacks := range s.coming {
			s.take(lacks)
		}
	}
	for _, p := range s.ready {
		if p.module != nil {
			err = errors.Join(err, p.module.Close())
		}
	}
	s.ready = nil
	return len(s.coming) > 0, err
}
