package driver

import (
	"errors"
	"fmt"
	"unsafe"
)

// DevicePtr is an address in device memory; structs that kernels read hold it as uint64.
type DevicePtr uint64

// Alloc takes size bytes of device memory, aligned to at least 256 bytes and not cleared. When the device is full the
// error is an [*OutOfMemoryError].
func (c *Context) Alloc(size uint64) (DevicePtr, error) {
	var p DevicePtr
	err := c.lib.call(cuMemAlloc, uintptr(unsafe.Pointer(&p)), uintptr(size))
	if errors.Is(err, ErrOutOfMemory) {
		// A failure to ask leaves zeros: the first error matters more.
		free, total, _ := c.MemInfo()
		return 0, &OutOfMemoryError{Asked: size, Free: free, Total: total, Err: err}
	}
	if size > 0 {
		err = answered(err, cuMemAlloc, &p)
	}
	if err != nil {
		return 0, fmt.Errorf("allocate %d bytes on the GPU: %w", size, err)
	}
	return p, nil
}

// Free gives memory of [Context.Alloc] back; freeing 0 does nothing. It waits for the kernels that run.
func (c *Context) Free(p DevicePtr) error {
	if p == 0 {
		return nil
	}
	return c.lib.call(cuMemFree, uintptr(p))
}

// MemInfo is the device's free and total memory in bytes, counting all programs.
func (c *Context) MemInfo() (free, total uint64, err error) {
	err = c.lib.call(cuMemGetInfo, uintptr(unsafe.Pointer(&free)), uintptr(unsafe.Pointer(&total)))
	return free, total, err
}

// CopyToDevice copies src to dst; src may be changed when it returns.
func (c *Context) CopyToDevice(dst DevicePtr, src []byte) error {
	if len(src) == 0 {
		return nil
	}
	err := c.lib.call(cuMemcpyHtoD, uintptr(dst), uintptr(unsafe.Pointer(unsafe.SliceData(src))), uintptr(len(src)))
	return memoryError("copy to the GPU", len(src), err)
}

// CopyToHost waits for the work before it and fills dst from src.
func (c *Context) CopyToHost(dst []byte, src DevicePtr) error {
	if len(dst) == 0 {
		return nil
	}
	err := c.lib.call(cuMemcpyDtoH, uintptr(unsafe.Pointer(unsafe.SliceData(dst))), uintptr(src), uintptr(len(dst)))
	return memoryError("copy from the GPU", len(dst), err)
}

// Memset sets size bytes to value.
func (c *Context) Memset(dst DevicePtr, value byte, size uint64) error {
	if size == 0 {
		return nil
	}
	return memoryError("set", int(size), c.lib.call(cuMemsetD8, uintptr(dst), uintptr(value), uintptr(size)))
}

// memoryError says what was being done to how many bytes; nil stays nil.
func memoryError(action string, size int, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s (%d bytes): %w", action, size, err)
}

// HostMemory is pinned memory of the host, which the GPU reads and writes while the program goes on. Only such memory can
// be the host's side of an asynchronous copy: Go's own might be collected meanwhile.
type HostMemory struct{ data []byte }

// AllocHost takes size bytes of pinned host memory, page-aligned and not cleared. It is the system's scarce memory: use
// it for what is copied each frame. [ErrOutOfMemory] when there is no more.
func (c *Context) AllocHost(size int) (HostMemory, error) {
	var p unsafe.Pointer
	err := c.lib.call(cuMemAllocHost, uintptr(unsafe.Pointer(&p)), uintptr(size))
	if err == nil && p == nil {
		err = badAnswer(cuMemAllocHost, 0)
	}
	if err != nil {
		return HostMemory{}, fmt.Errorf("allocate %d bytes of pinned memory: %w", size, err)
	}
	return HostMemory{unsafe.Slice((*byte)(p), size)}, nil
}

// FreeHost gives memory of [Context.AllocHost] back, whole; its bytes must not be touched afterwards.
func (c *Context) FreeHost(h HostMemory) error {
	if len(h.data) == 0 {
		return nil
	}
	return c.lib.call(cuMemFreeHost, uintptr(unsafe.Pointer(unsafe.SliceData(h.data))))
}

// Bytes is the memory itself. It lies outside Go's heap.
func (h HostMemory) Bytes() []byte { return h.data }

// Slice is the part from byte from up to to.
func (h HostMemory) Slice(from, to int) HostMemory { return HostMemory{h.data[from:to]} }
