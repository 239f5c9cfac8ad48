package driver

import (
	"errors"
	"fmt"
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

// during says what was being done; nil stays nil.
func during(doing string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", doing, err)
}

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

// Advice that serves several results.
const (
	updateDriver = "update the NVIDIA driver to 530 or newer, or use --backend cpu"
	freeMemory   = "close other programs that use the GPU, render a smaller image or smaller textures, or use --backend cpu"
	checkDevice  = "see that nvidia-smi lists the GPU and that CUDA_VISIBLE_DEVICES does not hide it, or use --backend cpu"
	kernelBug    = "a kernel failed and the GPU context is lost; start again, and report this as a bug with the scene if it repeats"
	programBug   = "this is a mistake in the program; please report it"
	restart      = "restart the machine or reload the nvidia kernel modules; nvidia-smi should then work"
	hardware     = "start again; if it repeats, look for Xid messages in the kernel's log: the GPU may be failing"
)

// known is what this package knows about a result besides the driver's own text.
type known struct {
	kind   error // one of the Err values, or nil
	advice string
}

// knownResults is the table of results that a user may meet, from the CUresult enumeration.
var knownResults = map[Result]known{
	1:   {nil, programBug},                                                         // INVALID_VALUE
	2:   {ErrOutOfMemory, freeMemory},                                              // OUT_OF_MEMORY
	3:   {nil, programBug},                                                         // NOT_INITIALIZED
	4:   {ErrDeviceLost, "the driver is shutting down; start again"},               // DEINITIALIZED
	34:  {ErrNotFound, "a toolkit's stub was loaded; take it off LD_LIBRARY_PATH"}, // STUB_LIBRARY
	46:  {ErrNoDevice, "another program holds the GPU; wait for it to end"},        // DEVICE_UNAVAILABLE
	100: {ErrNoDevice, checkDevice},                                                // NO_DEVICE
	101: {ErrNoDevice, checkDevice},                                                // INVALID_DEVICE
	200: {nil, "the embedded kernels are damaged; rebuild after `make kernels`"},   // INVALID_IMAGE
	201: {nil, programBug},                                                         // INVALID_CONTEXT
	209: {ErrTooOld, "the GPU is older than Turing (compute 7.5); use --backend cpu"},
	214: {ErrDeviceLost, hardware},                                                                 // ECC_UNCORRECTABLE
	218: {nil, "the kernels do not compile; rebuild after `make kernels`"},                         // INVALID_PTX
	220: {ErrDeviceLost, hardware},                                                                 // NVLINK_UNCORRECTABLE
	221: {nil, "install the driver's PTX compiler, libnvidia-ptxjitcompiler, of the same version"}, // JIT_COMPILER_NOT_FOUND
	222: {ErrTooOld, updateDriver},                                                                 // UNSUPPORTED_PTX_VERSION
	223: {nil, "unset CUDA_DISABLE_PTX_JIT"},                                                       // JIT_COMPILATION_DISABLED
	304: {nil, "the operating system refused; see that /dev/nvidia* exist and may be opened"},      // OPERATING_SYSTEM
	500: {nil, programBug},                                                                         // NOT_FOUND
	700: {ErrDeviceLost, kernelBug},                                                                // ILLEGAL_ADDRESS
	701: {nil, programBug},                                                                         // LAUNCH_OUT_OF_RESOURCES
	702: {ErrDeviceLost, "a kernel ran into the display's watchdog; use fewer samples per frame or a smaller image"},
	709: {ErrDeviceLost, kernelBug},                                                           // CONTEXT_IS_DESTROYED
	710: {ErrDeviceLost, kernelBug},                                                           // ASSERT
	714: {ErrDeviceLost, kernelBug},                                                           // HARDWARE_STACK_ERROR
	715: {ErrDeviceLost, kernelBug},                                                           // ILLEGAL_INSTRUCTION
	716: {ErrDeviceLost, kernelBug},                                                           // MISALIGNED_ADDRESS
	717: {ErrDeviceLost, kernelBug},                                                           // INVALID_ADDRESS_SPACE
	718: {ErrDeviceLost, kernelBug},                                                           // INVALID_PC
	719: {ErrDeviceLost, kernelBug},                                                           // LAUNCH_FAILED
	802: {ErrNoDevice, "the system is not ready for CUDA yet (fabric manager?); try again"},   // SYSTEM_NOT_READY
	803: {ErrTooOld, "library and kernel module of the driver differ in version; " + restart}, // SYSTEM_DRIVER_MISMATCH
	804: {ErrTooOld, "a CUDA compatibility library does not fit this GPU; take it off LD_LIBRARY_PATH"},
	900: {nil, programBug}, // STREAM_CAPTURE_UNSUPPORTED
	901: {nil, programBug}, // STREAM_CAPTURE_INVALIDATED
	906: {nil, programBug}, // STREAM_CAPTURE_IMPLICIT
	999: {nil, restart},    // UNKNOWN
}
