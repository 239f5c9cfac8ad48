package device

import (
	"errors"
	"fmt"

	"glint/cuda/driver"
)

// glBuffers are GL buffer objects that kernels may write.
type glBuffers struct {
	context *driver.Context
	stream  *driver.Stream
	of      map[uint32]*driver.GLBuffer
}

func (b *glBuffers) Reach([]byte) (address uint64, release func(), ok bool) { return 0, nil, false }

func (b *glBuffers) Attach(gl uint32) error {
	registered, err := b.context.RegisterGLBuffer(gl)
	if err != nil {
		return err
	}
	b.of[gl] = registered
	return nil
}

func (b *glBuffers) Detach(gl uint32) error {
	registered, ok := b.of[gl]
	if !ok {
		return nil
	}
	delete(b.of, gl)
	return registered.Close()
}

func (b *glBuffers) Map(gl uint32) (uint64, error) {
	registered, ok := b.of[gl]
	if !ok {
		return 0, fmt.Errorf("GL buffer %d is not attached", gl)
	}
	p, _, err := registered.Map(b.stream)
	return uint64(p), err
}

func (b *glBuffers) Unmap(gl uint32) error { return b.of[gl].Unmap(b.stream) }

func (b *glBuffers) close() error {
	var errs []error
	for gl := range b.of {
		errs = append(errs, b.Detach(gl))
	}
	return errors.Join(errs...)
}
