package driver

import (
	"errors"
	"fmt"
	"unsafe"
)

// CompileApart compiles PTX in a context of its own, so that the driver has it in its cache and LoadModule takes a moment.
// Who uses this context meanwhile is not held up, as LoadModule would for as long as it compiles. No context is current on
// the calling thread afterwards. The error holds the compiler's log.
func (c *Context) CompileApart(ptx []byte) error {
	apart := &Context{Device: c.Device, lib: c.lib}
	err := c.lib.call(cuCtxCreate, uintptr(unsafe.Pointer(&apart.handle)), 0, c.device)
	if err := answered(err, cuCtxCreate, &apart.handle); err != nil {
		return fmt.Errorf("make a context to compile in: %w", err)
	}
	m, err := apart.LoadModule(ptx)
	if err == nil {
		err = m.Close()
	}
	return errors.Join(err, c.lib.call(cuCtxDestroy, apart.handle))
}
