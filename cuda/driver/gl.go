package driver

import (
	"errors"
	"fmt"
	"unsafe"
)

// GLBuffer is an OpenGL buffer object that kernels may write. All its methods need the GL context current on the
// calling thread, as is the CUDA context.
type GLBuffer struct {
	lib    *library
	handle uintptr // CUgraphicsResource
}

// RegisterGLBuffer makes a buffer object known to CUDA, to be overwritten whole each time it is mapped. It fails where
// OpenGL runs on another device or in software: copy the image then.
func (c *Context) RegisterGLBuffer(buffer uint32) (*GLBuffer, error) {
	const writeDiscard = 2 // CU_GRAPHICS_REGISTER_FLAGS_WRITE_DISCARD
	b := &GLBuffer{lib: c.lib}
	err := c.lib.call(cuGraphicsGLRegisterBuffer, uintptr(unsafe.Pointer(&b.handle)), uintptr(buffer), writeDiscard)
	if err = answered(err, cuGraphicsGLRegisterBuffer, &b.handle); err != nil {
		return nil, fmt.Errorf("share OpenGL buffer %d with CUDA: %w", buffer, interopError(err))
	}
	return b, nil
}

// interopError replaces the advice of a refused registration: some results are those of a missing GPU, but it is OpenGL
// that runs elsewhere, and the context is well. A lost context or full memory stays what it is.
func interopError(err error) error {
	var e *Error
	if !errors.As(err, &e) || errors.Is(err, ErrDeviceLost) || errors.Is(err, ErrOutOfMemory) {
		return err
	}
	elsewhere := *e
	elsewhere.kind = nil
	elsewhere.Advice = "OpenGL runs in software or on another device; the image has to be copied"
	return &elsewhere
}

// Map hands the buffer to CUDA: work queued after it in the stream may write it. The address is good until Unmap and may
// be another one the next time.
func (b *GLBuffer) Map(s *Stream) (p DevicePtr, size uint64, err error) {
	if err := b.lib.call(cuGraphicsMapResources, 1, uintptr(unsafe.Pointer(&b.handle)), s.Handle()); err != nil {
		return 0, 0, fmt.Errorf("map an OpenGL buffer: %w", err)
	}
	err = b.lib.call(cuGraphicsResourceGetMappedPointer,
		uintptr(unsafe.Pointer(&p)), uintptr(unsafe.Pointer(&size)), b.handle)
	if err = answered(err, cuGraphicsResourceGetMappedPointer, &p); err != nil {
		return 0, 0, errors.Join(fmt.Errorf("map an OpenGL buffer: %w", err), b.Unmap(s))
	}
	return p, size, nil
}

// Unmap hands the buffer back to OpenGL, whose later commands wait for the stream's work.
func (b *GLBuffer) Unmap(s *Stream) error {
	return during("unmap an OpenGL buffer", b.lib.call(cuGraphicsUnmapResources, 1, uintptr(unsafe.Pointer(&b.handle)), s.Handle()))
}

// Close unregisters the buffer; do it before the buffer object is deleted.
func (b *GLBuffer) Close() error { return b.lib.call(cuGraphicsUnregisterResource, b.handle) }
