package driver

import (
	"errors"
	"fmt"
	"unsafe"

	"github.com/ebitengine/purego"
)

// What callers ask an error for, by errors.Is.
var (
	// ErrNotFound: the driver's library cannot be loaded, so there is no NVIDIA driver here.
	ErrNotFound = errors.New("no CUDA driver library")
	// ErrTooOld: the driver, or the GPU, is older than glint's kernels need.
	ErrTooOld = errors.New("the CUDA driver or the GPU is too old")
	// ErrNoDevice: the driver works but sees no such GPU.
	ErrNoDevice = errors.New("no such CUDA device")
	// ErrOrdinal: the user chose a GPU by a number that none has.
	ErrOrdinal = errors.New("no GPU has the number")
	// ErrOutOfMemory: device or pinned memory is used up. The context goes on working.
	ErrOutOfMemory = errors.New("out of GPU memory")
	// ErrDeviceLost: a kernel or the device failed; the context is dead and only a new process gets another.
	ErrDeviceLost = errors.New("the GPU stopped working")
	// ErrBadAnswer: the driver says that a call has succeeded, and its answer cannot be.
	ErrBadAnswer = errors.New("the CUDA driver gives an impossible answer")
)

// IsDeviceError reports whether err comes from the driver or the device and not from the user's input: but for a missing
// driver (ErrNotFound), another try may succeed (exit code 75).
func IsDeviceError(err error) bool {
	for _, kind := range []error{ErrNotFound, ErrTooOld, ErrNoDevice, ErrOutOfMemory, ErrDeviceLost, ErrBadAnswer} {
		if errors.Is(err, kind) {
			return true
		}
	}
	var e *Error
	return errors.As(err, &e)
}

// Result is a CUresult: what every function of the driver returns.
type Result uint32

// The results that the code itself asks for.
const (
	success  Result = 0
	notFound Result = 500
	notReady Result = 600
)

// Error is a call that the driver refused.
type Error struct {
	Call   string // the driver's function
	Result Result
	Name   string // CUDA_ERROR_…
	Text   string // the driver's description
	Advice string // what the user can do; empty when nothing is known
	kind   error
}

func (e *Error) Error() string {
	text := fmt.Sprintf("%s: %s (%s, %d)", e.Call, e.Text, e.Name, e.Result)
	if e.Advice != "" {
		text += ": " + e.Advice
	}
	return text
}

// Is lets errors.Is find the kind of error, one of this package's Err values.
func (e *Error) Is(target error) bool { return e.kind != nil && e.kind == target }

// OutOfMemoryError is an allocation on the device that did not fit. It is an [ErrOutOfMemory].
type OutOfMemoryError struct {
	Asked uint64 // bytes
	Free  uint64 // bytes free on the device at that moment, for all programs
	Total uint64 // bytes the device has
	Err   error  // the driver's own
}

func (e *OutOfMemoryError) Error() string {
	const mib = 1 << 20
	return fmt.Sprintf("out of GPU memory: %d MiB asked, %d MiB of %d MiB free: %s",
		(e.Asked+mib-1)/mib, e.Free/mib, e.Total/mib, freeMemory)
}

// Unwrap is the driver's own error.
func (e *OutOfMemoryError) Unwrap() error { return e.Err }

// newError puts a refused call into words.
func (l *library) newError(e entry, result Result) *Error {
	known := knownResults[result]
	return &Error{
		Call:   entryNames[e],
		Result: result,
		Name:   l.describe(cuGetErrorName, result, "unknown CUDA error"),
		Text:   l.describe(cuGetErrorString, result, "the driver has no description"),
		Advice: known.advice,
		kind:   known.kind,
	}
}

// describe asks the driver for its name or text of a result. It must not use call, which would describe its own failure.
func (l *library) describe(e entry, result Result, unknown string) string {
	var text *byte
	r, _, _ := purego.SyscallN(l.proc[e], uintptr(result), uintptr(unsafe.Pointer(&text)))
	if Result(uint32(r)) != success || text == nil {
		return unknown
	}
	return cString(unsafe.Slice(text, longestText))
}

// longestText bounds a text of the driver that has lost its terminating zero.
const longestText = 4096

// cString is the text before the first zero byte. It reads no further than that.
func cString(b []byte) string {
	for i, c := range b {
		if c == 0 {
			return string(b[:i])
		}
	}
	return string(b)
}
