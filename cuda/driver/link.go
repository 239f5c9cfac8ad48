package driver

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"unsafe"
)

// Compile makes PTX into machine code for the context's GPU, for LoadModule. Other threads may use the context meanwhile,
// which LoadModule would hold up for as long as it compiles. It does not use the driver's cache. The context must be current
// on the calling thread. The error holds the compiler's log.
func (c *Context) Compile(ptx []byte) (code []byte, err error) {
	const inputPTX = 1 // CU_JIT_INPUT_PTX
	errorLog := make([]byte, 1<<14)
	var pin runtime.Pinner
	defer pin.Unpin()
	pin.Pin(unsafe.SliceData(errorLog))
	options := [...]uint32{jitErrorLog, jitErrorLogSize}
	values := [len(options)]uintptr{uintptr(unsafe.Pointer(unsafe.SliceData(errorLog))), uintptr(len(errorLog))}
	pin.Pin(&options)
	pin.Pin(&values) // the linker writes the logs' sizes there until it is destroyed

	var state uintptr
	err = c.lib.call(cuLinkCreate, uintptr(len(options)), uintptr(unsafe.Pointer(&options)), uintptr(unsafe.Pointer(&values)),
		uintptr(unsafe.Pointer(&state)))
	if err != nil {
		return nil, fmt.Errorf("compile kernels for %s: %w", c.Device.Name, err)
	}
	image, name := append(slices.Clip(ptx), 0), []byte("kernels\x00")
	err = c.lib.call(cuLinkAddData, state, inputPTX, uintptr(unsafe.Pointer(unsafe.SliceData(image))), uintptr(len(image)),
		uintptr(unsafe.Pointer(unsafe.SliceData(name))), 0, 0, 0)
	var made *byte
	var size uint64
	if err == nil {
		err = c.lib.call(cuLinkComplete, state, uintptr(unsafe.Pointer(&made)), uintptr(unsafe.Pointer(&size)))
	}
	if err == nil {
		code = slices.Clone(unsafe.Slice(made, size)) // it belongs to the linker
	}
	if err = errors.Join(err, c.lib.call(cuLinkDestroy, state)); err != nil {
		err = fmt.Errorf("compile kernels for %s: %w", c.Device.Name, err)
		if log := strings.TrimSpace(cString(errorLog)); log != "" {
			err = fmt.Errorf("%w\n%s", err, log)
		}
		return nil, err
	}
	return code, nil
}
