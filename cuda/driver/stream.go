package driver

import (
	"errors"
	"fmt"
	"unsafe"
)

// Stream is a queue of GPU work, done in order. A nil *Stream is the default stream.
type Stream struct {
	lib    *library
	handle uintptr
}

// NewStream makes a stream that waits for the default stream and is waited for by it: a plain copy or Memset is then in
// order with the stream's work.
func (c *Context) NewStream() (*Stream, error) {
	const ordered = 0 // CU_STREAM_DEFAULT
	s := &Stream{lib: c.lib}
	err := c.lib.call(cuStreamCreate, uintptr(unsafe.Pointer(&s.handle)), ordered)
	if err == nil {
		err = answered(cuStreamCreate, uint64(s.handle)) // 0 would be the default stream
	}
	if err != nil {
		return nil, fmt.Errorf("make a CUDA stream: %w", err)
	}
	return s, nil
}

// Handle is the CUstream, for other libraries that queue work; 0 is the default stream.
func (s *Stream) Handle() uintptr {
	if s == nil {
		return 0
	}
	return s.handle
}

// Synchronize waits until the stream is empty; kernels that failed report here.
func (s *Stream) Synchronize() error {
	if err := s.lib.call(cuStreamSynchronize, s.handle); err != nil {
		return fmt.Errorf("wait for a CUDA stream: %w", err)
	}
	return nil
}

// Wait makes later work of the stream wait for an event recorded in another one.
func (s *Stream) Wait(e *Event) error {
	return s.lib.call(cuStreamWaitEvent, s.handle, e.handle, 0)
}

// Close destroys the stream; its work is still done.
func (s *Stream) Close() error { return s.lib.call(cuStreamDestroy, s.handle) }

// CopyToDevice queues a copy of src to dst; src must not change before it is done.
func (s *Stream) CopyToDevice(dst DevicePtr, src HostMemory) error {
	host := uintptr(unsafe.Pointer(unsafe.SliceData(src.data)))
	err := s.lib.call(cuMemcpyHtoDAsync, uintptr(dst), host, uintptr(len(src.data)), s.handle)
	return memoryError("copy to the GPU", len(src.data), err)
}

// CopyToHost queues a copy of src to dst, which is filled when the stream gets there.
func (s *Stream) CopyToHost(dst HostMemory, src DevicePtr) error {
	host := uintptr(unsafe.Pointer(unsafe.SliceData(dst.data)))
	err := s.lib.call(cuMemcpyDtoHAsync, host, uintptr(src), uintptr(len(dst.data)), s.handle)
	return memoryError("copy from the GPU", len(dst.data), err)
}

// CopyOnDevice queues a copy of size bytes from src to dst, which must not overlap.
func (s *Stream) CopyOnDevice(dst, src DevicePtr, size uint64) error {
	err := s.lib.call(cuMemcpyDtoDAsync, uintptr(dst), uintptr(src), uintptr(size), s.handle)
	return memoryError("copy on the GPU", int(size), err)
}

// Memset queues the setting of size bytes to value.
func (s *Stream) Memset(dst DevicePtr, value byte, size uint64) error {
	err := s.lib.call(cuMemsetD8Async, uintptr(dst), uintptr(value), uintptr(size), s.handle)
	return memoryError("set", int(size), err)
}

// Event is a mark in a stream: when the GPU passed it, and whether it has.
type Event struct {
	lib    *library
	handle uintptr
}

// NewEvent makes an event that takes the time.
func (c *Context) NewEvent() (*Event, error) {
	const timed = 0 // CU_EVENT_DEFAULT
	e := &Event{lib: c.lib}
	err := c.lib.call(cuEventCreate, uintptr(unsafe.Pointer(&e.handle)), timed)
	if err == nil {
		err = answered(cuEventCreate, uint64(e.handle))
	}
	if err != nil {
		return nil, fmt.Errorf("make a CUDA event: %w", err)
	}
	return e, nil
}

// Record puts the mark at the end of the stream's work; nil is the default stream.
func (e *Event) Record(s *Stream) error {
	return e.lib.call(cuEventRecord, e.handle, s.Handle())
}

// Synchronize waits until the GPU has passed the mark.
func (e *Event) Synchronize() error {
	if err := e.lib.call(cuEventSynchronize, e.handle); err != nil {
		return fmt.Errorf("wait for a CUDA event: %w", err)
	}
	return nil
}

// Done reports whether the GPU has passed the mark; it does not wait. An event never recorded is done.
func (e *Event) Done() (bool, error) {
	err := e.lib.call(cuEventQuery, e.handle)
	var refused *Error
	if errors.As(err, &refused) && refused.Result == notReady {
		return false, nil
	}
	return err == nil, err
}

// ElapsedMs is the time on the GPU between two events it has passed, in milliseconds (resolution about 0.5 µs).
func ElapsedMs(start, end *Event) (float64, error) {
	var ms float32
	err := end.lib.call(cuEventElapsedTime, uintptr(unsafe.Pointer(&ms)), start.handle, end.handle)
	if err != nil {
		return 0, fmt.Errorf("time between CUDA events: %w", err)
	}
	return float64(ms), nil
}

// Close destroys the event.
func (e *Event) Close() error { return e.lib.call(cuEventDestroy, e.handle) }
