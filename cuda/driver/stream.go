package driver

import (
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
	if err = answered(err, cuStreamCreate, &s.handle); err != nil { // 0 would be the default stream
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
	return during("wait for a CUDA stream", s.lib.call(cuStreamSynchronize, s.handle))
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

// Event is a mark in a stream: when the GPU passed it.
type Event struct {
	lib    *library
	handle uintptr
}

// NewEvent makes an event that takes the time.
func (c *Context) NewEvent() (*Event, error) {
	const timed = 0 // CU_EVENT_DEFAULT
	e := &Event{lib: c.lib}
	err := c.lib.call(cuEventCreate, uintptr(unsafe.Pointer(&e.handle)), timed)
	if err = answered(err, cuEventCreate, &e.handle); err != nil {
		return nil, fmt.Errorf("make a CUDA event: %w", err)
	}
	return e, nil
}

// Record puts the mark at the end of the stream's work; nil is the default stream.
func (e *Event) Record(s *Stream) error {
	return e.lib.call(cuEventRecord, e.handle, s.Handle())
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
