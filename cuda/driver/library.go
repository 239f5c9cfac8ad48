package driver

import (
	"fmt"
	"unsafe"

	"github.com/ebitengine/purego"

	"glint/cuda/dynlib"
)

// An entry is one function of the driver API.
type entry int

const (
	cuInit entry = iota
	cuDriverGetVersion
	cuGetErrorName
	cuGetErrorString
	cuDeviceGetCount
	cuDeviceGet
	cuDeviceGetName
	cuDeviceGetAttribute
	cuDeviceTotalMem
	cuDevicePrimaryCtxRetain
	cuDevicePrimaryCtxRelease
	cuCtxSetCurrent
	cuCtxCreate
	cuCtxDestroy
	cuModuleLoadDataEx
	cuModuleUnload
	cuModuleGetFunction
	cuModuleGetGlobal
	cuFuncGetAttribute
	cuLaunchKernel
	cuMemGetInfo
	cuMemAlloc
	cuMemFree
	cuMemAllocHost
	cuMemFreeHost
	cuMemcpyHtoD
	cuMemcpyDtoH
	cuMemcpyHtoDAsync
	cuMemsetD8
	cuStreamCreate
	cuStreamDestroy
	cuStreamSynchronize
	cuStreamWaitEvent
	cuStreamBeginCapture
	cuStreamEndCapture
	cuGraphInstantiateWithFlags
	cuGraphLaunch
	cuGraphDestroy
	cuGraphExecDestroy
	cuEventCreate
	cuEventDestroy
	cuEventRecord
	cuEventElapsedTime
	cuGraphicsGLRegisterBuffer
	cuGraphicsUnregisterResource
	cuGraphicsMapResources
	cuGraphicsUnmapResources
	cuGraphicsResourceGetMappedPointer
	entryCount
)

// entryNames holds the exported names. Where a _v2 exists the bare name is an old ABI with 32-bit sizes.
var entryNames = [entryCount]string{
	cuInit:                             "cuInit",
	cuDriverGetVersion:                 "cuDriverGetVersion",
	cuGetErrorName:                     "cuGetErrorName",
	cuGetErrorString:                   "cuGetErrorString",
	cuDeviceGetCount:                   "cuDeviceGetCount",
	cuDeviceGet:                        "cuDeviceGet",
	cuDeviceGetName:                    "cuDeviceGetName",
	cuDeviceGetAttribute:               "cuDeviceGetAttribute",
	cuDeviceTotalMem:                   "cuDeviceTotalMem_v2",
	cuDevicePrimaryCtxRetain:           "cuDevicePrimaryCtxRetain",
	cuDevicePrimaryCtxRelease:          "cuDevicePrimaryCtxRelease_v2",
	cuCtxSetCurrent:                    "cuCtxSetCurrent",
	cuCtxCreate:                        "cuCtxCreate_v2",
	cuCtxDestroy:                       "cuCtxDestroy_v2",
	cuModuleLoadDataEx:                 "cuModuleLoadDataEx",
	cuModuleUnload:                     "cuModuleUnload",
	cuModuleGetFunction:                "cuModuleGetFunction",
	cuModuleGetGlobal:                  "cuModuleGetGlobal_v2",
	cuFuncGetAttribute:                 "cuFuncGetAttribute",
	cuLaunchKernel:                     "cuLaunchKernel",
	cuMemGetInfo:                       "cuMemGetInfo_v2",
	cuMemAlloc:                         "cuMemAlloc_v2",
	cuMemFree:                          "cuMemFree_v2",
	cuMemAllocHost:                     "cuMemAllocHost_v2",
	cuMemFreeHost:                      "cuMemFreeHost",
	cuMemcpyHtoD:                       "cuMemcpyHtoD_v2",
	cuMemcpyDtoH:                       "cuMemcpyDtoH_v2",
	cuMemcpyHtoDAsync:                  "cuMemcpyHtoDAsync_v2",
	cuMemsetD8:                         "cuMemsetD8_v2",
	cuStreamCreate:                     "cuStreamCreate",
	cuStreamDestroy:                    "cuStreamDestroy_v2",
	cuStreamSynchronize:                "cuStreamSynchronize",
	cuStreamWaitEvent:                  "cuStreamWaitEvent",
	cuStreamBeginCapture:               "cuStreamBeginCapture_v2",
	cuStreamEndCapture:                 "cuStreamEndCapture",
	cuGraphInstantiateWithFlags:        "cuGraphInstantiateWithFlags",
	cuGraphLaunch:                      "cuGraphLaunch",
	cuGraphDestroy:                     "cuGraphDestroy",
	cuGraphExecDestroy:                 "cuGraphExecDestroy",
	cuEventCreate:                      "cuEventCreate",
	cuEventDestroy:                     "cuEventDestroy_v2",
	cuEventRecord:                      "cuEventRecord",
	cuEventElapsedTime:                 "cuEventElapsedTime",
	cuGraphicsGLRegisterBuffer:         "cuGraphicsGLRegisterBuffer",
	cuGraphicsUnregisterResource:       "cuGraphicsUnregisterResource",
	cuGraphicsMapResources:             "cuGraphicsMapResources",
	cuGraphicsUnmapResources:           "cuGraphicsUnmapResources",
	cuGraphicsResourceGetMappedPointer: "cuGraphicsResourceGetMappedPointer_v2",
}

// library is the loaded driver. It is never unloaded: the driver keeps threads and exit handlers of its own.
type library struct {
	proc [entryCount]uintptr
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
	lib := &library{}
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
