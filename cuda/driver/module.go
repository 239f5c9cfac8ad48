package driver

import (
	"bytes"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"unsafe"
)

// Module is a set of kernels, loaded for a GPU.
type Module struct {
	Log    string // what the driver's compiler had to say of PTX: registers and spills of each kernel; empty for machine code
	ctx    *Context
	handle uintptr
}

// The JIT options used here (CUjit_option).
const (
	jitInfoLog      = 3
	jitInfoLogSize  = 4
	jitErrorLog     = 5
	jitErrorLogSize = 6
	jitVerbose      = 12
)

// LoadModule loads machine code for this GPU (a cubin), or compiles PTX (text, with or without a terminating zero). The
// first time on a machine PTX takes seconds; later the driver finds the result in its cache. The error holds the compiler's
// log.
func (c *Context) LoadModule(image []byte) (*Module, error) {
	image = append(bytes.Clone(image), 0) // the driver reads PTX up to a zero
	infoLog, errorLog := make([]byte, 1<<16), make([]byte, 1<<14)

	// The option values are an array of void* in which sizes stand as numbers, so the logs are pinned by hand.
	var pin runtime.Pinner
	defer pin.Unpin()
	pin.Pin(unsafe.SliceData(infoLog))
	pin.Pin(unsafe.SliceData(errorLog))
	options := [...]uint32{jitInfoLog, jitInfoLogSize, jitErrorLog, jitErrorLogSize, jitVerbose}
	values := [len(options)]uintptr{
		uintptr(unsafe.Pointer(unsafe.SliceData(infoLog))), uintptr(len(infoLog)),
		uintptr(unsafe.Pointer(unsafe.SliceData(errorLog))), uintptr(len(errorLog)), 1,
	}
	m := &Module{ctx: c}
	err := c.lib.call(cuModuleLoadDataEx, uintptr(unsafe.Pointer(&m.handle)),
		uintptr(unsafe.Pointer(unsafe.SliceData(image))), uintptr(len(options)),
		uintptr(unsafe.Pointer(&options)), uintptr(unsafe.Pointer(&values)))
	if err != nil {
		err = fmt.Errorf("load the kernels on %s: %w", c.Device.Name, err)
		if log := strings.TrimSpace(cString(errorLog)); log != "" {
			err = fmt.Errorf("%w\n%s", err, log)
		}
		return nil, err
	}
	if err := answered(nil, cuModuleLoadDataEx, &m.handle); err != nil {
		return nil, fmt.Errorf("load the kernels on %s: %w", c.Device.Name, err)
	}
	m.Log = strings.TrimSpace(cString(infoLog))
	return m, nil
}

// Function finds a kernel by its name in the image (extern "C", or mangled).
func (m *Module) Function(name string) (*Function, error) {
	f := &Function{Name: name, ctx: m.ctx}
	symbol := append([]byte(name), 0)
	err := m.ctx.lib.call(cuModuleGetFunction, uintptr(unsafe.Pointer(&f.handle)), m.handle,
		uintptr(unsafe.Pointer(unsafe.SliceData(symbol))))
	if err = answered(err, cuModuleGetFunction, &f.handle); err != nil {
		return nil, symbolError("kernel", name, err)
	}
	return f, nil
}

// Global finds a __device__ or __constant__ variable: its address and its size in bytes.
func (m *Module) Global(name string) (p DevicePtr, size uint64, err error) {
	symbol := append([]byte(name), 0)
	err = m.ctx.lib.call(cuModuleGetGlobal, uintptr(unsafe.Pointer(&p)), uintptr(unsafe.Pointer(&size)), m.handle,
		uintptr(unsafe.Pointer(unsafe.SliceData(symbol))))
	if err = answered(err, cuModuleGetGlobal, &p); err != nil {
		return 0, 0, symbolError("variable", name, err)
	}
	return p, size, nil
}

// symbolError says what was looked for; a missing one means that kernels and program are of different versions.
func symbolError(what, name string, err error) error {
	var refused *Error
	if errors.As(err, &refused) && refused.Result == notFound {
		return fmt.Errorf("the kernels have no %s %q; rebuild after `make kernels`: %w", what, name, err)
	}
	return fmt.Errorf("find %s %q: %w", what, name, err)
}

// Close unloads the module; its functions and variables are gone.
func (m *Module) Close() error { return m.ctx.lib.call(cuModuleUnload, m.handle) }
