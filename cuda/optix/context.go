package optix

import (
	"fmt"
	"unsafe"
)

// Context is what OptiX keeps for a CUDA context.
type Context struct {
	lib    *Library
	handle uintptr
}

// NewContext makes a context for the CUDA context that is current.
func (l *Library) NewContext() (*Context, error) {
	c := &Context{lib: l}
	err := l.call(contextCreate, 0, uintptr(unsafe.Pointer(&contextOptions{})), uintptr(unsafe.Pointer(&c.handle)))
	if err = answered(err, contextCreate, &c.handle); err != nil {
		return nil, fmt.Errorf("start OptiX %s: %w", l.Version, err)
	}
	return c, nil
}

// Version is that of OptiX.
func (c *Context) Version() string { return c.lib.Version }

// RTCores is the version of the GPU's RT cores, 10 for the first; 0: it has none, and OptiX traces in software.
func (c *Context) RTCores() (version uint32, err error) {
	err = c.lib.call(contextGetProperty, c.handle, rtCoreVersion, uintptr(unsafe.Pointer(&version)), 4)
	return version, err
}

// Close ends the context, and all that was made of it.
func (c *Context) Close() error { return c.lib.call(contextDestroy, c.handle) }
