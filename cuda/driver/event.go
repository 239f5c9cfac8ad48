package driver

import (
	"errors"
	"fmt"
	"unsafe"
)

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
