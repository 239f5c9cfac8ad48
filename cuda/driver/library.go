package driver

import (
	"fmt"
	"unsafe"

	"github.com/ebitengine/purego"

	"glint/cuda/dynlib"
)

// An entry is one function of the driver API.
type entry int

// The entries, by the names that the library exports. Where a _v2 exists the bare name is an old ABI with 32-bit sizes.
var (
	cuInit                             = newEntry("cuInit")
	cuDriverGetVersion                 = newEntry("cuDriverGetVersion")
	cuGetErrorName                     = newEntry("cuGetErrorName")
	cuGetErrorString                   = newEntry("cuGetErrorString")
	cuDeviceGetCount                   = newEntry("cuDeviceGetCount")
	cuDeviceGet                        = newEntry("cuDeviceGet")
	cuDeviceGetName                    = newEntry("cuDeviceGetName")
	cuDeviceGetAttribute               = newEntry("cuDeviceGetAttribute")
	cuDeviceTotalMem                   = newEntry("cuDeviceTotalMem_v2")
	cuDevicePrimaryCtxRetain           = newEntry("cuDevicePrimaryCtxRetain")
	cuDevicePrimaryCtxRelease          = newEntry("cuDevicePrimaryCtxRelease_v2")
	cuCtxSetCurrent                    = newEntry("cuCtxSetCurrent")
	cuCtxCreate                        = newEntry("cuCtxCreate_v2")
	cuCtxDestroy                       = newEntry("cuCtxDestroy_v2")
	cuModuleLoadDataEx                 = newEntry("cuModuleLoadDataEx")
	cuModuleUnload                     = newEntry("cuModuleUnload")
	cuModuleGetFunction                = newEntry("cuModuleGetFunction")
	cuModuleGetGlobal                  = newEntry("cuModuleGetGlobal_v2")
	cuFuncGetAttribute                 = newEntry("cuFuncGetAttribute")
	cuLaunchKernel                     = newEntry("cuLaunchKernel")
	cuMemGetInfo                       = newEntry("cuMemGetInfo_v2")
	cuMemAlloc                         = newEntry("cuMemAlloc_v2")
	cuMemFree                          = newEntry("cuMemFree_v2")
	cuMemAllocHost                     = newEntry("cuMemAllocHost_v2")
	cuMemFreeHost                      = newEntry("cuMemFreeHost")
	cuMemcpyHtoD                       = newEntry("cuMemcpyHtoD_v2")
	cuMemcpyDtoH                       = newEntry("cuMemcpyDtoH_v2")
	cuMemcpyHtoDAsync                  = newEntry("cuMemcpyHtoDAsync_v2")
	cuMemsetD8                         = newEntry("cuMemsetD8_v2")
	cuStreamCreate                     = newEntry("cuStreamCreate")
	cuStreamDestroy                    = newEntry("cuStreamDestroy_v2")
	cuStreamSynchronize                = newEntry("cuStreamSynchronize")
	cuStreamWaitEvent                  = newEntry("cuStreamWaitEvent")
	cuStreamBeginCapture               = newEntry("cuStreamBeginCapture_v2")
	cuStreamEndCapture                 = newEntry("cuStreamEndCapture")
	cuGraphInstantiateWithFlags        = newEntry("cuGraphInstantiateWithFlags")
	cuGraphLaunch                      = newEntry("cuGraphLaunch")
	cuGraphDestroy                     = newEntry("cuGraphDestroy")
	cuGraphExecDestroy                 = newEntry("cuGraphExecDestroy")
	cuEventCreate                      = newEntry("cuEventCreate")
	cuEventDestroy                     = newEntry("cuEventDestroy_v2")
	cuEventRecord                      = newEntry("cuEventRecord")
	cuEventElapsedTime                 = newEntry("cuEventElapsedTime")
	cuGraphicsGLRegisterBuffer         = newEntry("cuGraphicsGLRegisterBuffer")
	cuGraphicsUnregisterResource       = newEntry("cuGraphicsUnregisterResource")
	cuGraphicsMapResources             = newEntry("cuGraphicsMapResources")
	cuGraphicsUnmapResources           = newEntry("cuGraphicsUnmapResources")
	cuGraphicsResourceGetMappedPointer = newEntry("cuGraphicsResourceGetMappedPointer_v2")
)

// entryNames are the names of all.
var entryNames []string

func newEntry(name string) entry {
	entryNames = append(entryNames, name)
	return entry(len(entryNames) - 1)
}

// library is the loaded driver. It is never unloaded: the driver keeps threads and exit handlers of its own.
type library struct {
	proc []uintptr // by entry
}

// loadedLater is the driver's compiler, which it loads from its own folder.
const loadedLater = "libnvidia-ptxjitcompiler.so.1"

// loadLibrary opens the driver's library (the system's when path is empty) and finds every entry point.
func loadLibrary(path string) (*library, error) {
	if path == "" {
		path = defaultLibrary
	}
	opened, err := dynlib.Open(path, loadedLater)
	if err != nil {
		return nil, fmt.Errorf("load %s: %w (%w): %s", path, ErrNotFound, err, findLibraryAdvice)
	}
	lib := &library{proc: make([]uintptr, len(entryNames))}
	for e, name := range entryNames {
		if lib.proc[e], err = opened.Symbol(name); err != nil {
			return nil, fmt.Errorf("load %s: %w: it has no %s: %s", path, ErrTooOld, name, updateDriver)
		}
	}
	return lib, nil
}

// call runs one entry point. Memory whose address is converted to uintptr in the argument list itself stays where it is
// until the call returns.
//
//go:uintptrescapes
func (l *library) call(e entry, args ...uintptr) error {
	r, _, _ := purego.SyscallN(l.proc[e], args...)
	if result := Result(uint32(r)); result != success {
		return l.newError(e, result)
	}
	return nil
}

// answered is the error of a call that is to give a handle or an address: also where it says that it has, and gives 0.
func answered[T ~uintptr | ~uint64](err error, e entry, handle *T) error {
	if err == nil && *handle == 0 {
		return badAnswer(e, 0)
	}
	return err
}

// badAnswer is the error of a call that cannot have worked as it says.
func badAnswer(e entry, answer any) error {
	return fmt.Errorf("%s: %w, %v: %s", entryNames[e], ErrBadAnswer, answer, updateDriver)
}

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
