package cuda

// #include <stdlib.h>
import "C"

import (
	"fmt"
	"unsafe"
)

// Memory is host memory for the CPU build of the kernels: zeroed, 64-byte aligned, and outside of Go's heap, since a Go
// slice that only a device address refers to would be collected.
type Memory struct {
	start unsafe.Pointer
	size  int
}

// Alloc takes memory. Free gives it back.
func Alloc(bytes int) (Memory, error) {
	size := (max(bytes, 1) + 63) &^ 63
	p := C.aligned_alloc(64, C.size_t(size))
	if p == nil {
		return Memory{}, fmt.Errorf("out of memory: %d MB asked for; try a smaller scene or image", size>>20)
	}
	m := Memory{start: p, size: bytes}
	clear(unsafe.Slice((*byte)(p), size))
	return m, nil
}

// Free gives the memory back. Freeing the zero Memory does nothing.
func (m Memory) Free() { C.free(m.start) }

// Address is what kernels know the memory by.
func (m Memory) Address() uint64 { return uint64(uintptr(m.start)) }

// Bytes views the memory.
func (m Memory) Bytes() []byte { return unsafe.Slice((*byte)(m.start), m.size) }
