package cuda

/*
#include <stdlib.h>
#ifdef __linux__
#include <sys/mman.h>
#endif

enum { HUGE_PAGE = 1 << 21 };

// Rays jump all over the tree: with pages of 4 KB half of their time goes into finding pages.
static void *take(size_t size) {
  void *p = aligned_alloc(size >= HUGE_PAGE ? HUGE_PAGE : 64, size);
#ifdef MADV_HUGEPAGE
  if (p && size >= HUGE_PAGE) madvise(p, size, MADV_HUGEPAGE);   // a wish; nothing is lost when it is refused
#endif
  return p;
}
*/
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
	unit := 64
	if bytes >= C.HUGE_PAGE {
		unit = C.HUGE_PAGE
	}
	size := (max(bytes, 1) + unit - 1) / unit * unit
	p := C.take(C.size_t(size))
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
