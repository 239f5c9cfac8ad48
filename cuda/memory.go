package cuda

/*
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#include <sys/mman.h>
#endif

enum { HUGE_PAGE = 1 << 21, GUARD = 4096 };

// Rays jump all over the tree: with pages of 4 KB half of their time goes into finding pages. Large memory comes from the system,
// zeroed, and goes back to it: malloc would keep what lies below something that is still in use, for good. Behind it comes some that
// nobody may touch: whoever writes too far is stopped there, and not found out much later in what lay behind.
static void *take(size_t size) {
#ifdef __linux__
  if (size >= HUGE_PAGE) {
    char *whole = mmap(NULL, size + HUGE_PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (whole == MAP_FAILED) return NULL;
    size_t before = -(uintptr_t)whole % HUGE_PAGE;   // to where a huge page begins
    if (before > 0) munmap(whole, before);
    size_t behind = HUGE_PAGE - before - GUARD;
    mprotect(whole + before + size, GUARD, PROT_NONE);
    if (behind > 0) munmap(whole + before + size + GUARD, behind);
    madvise(whole + before, size, MADV_HUGEPAGE);   // a wish; nothing is lost when it is refused
    return whole + before;
  }
#endif
  void *p = aligned_alloc(size >= HUGE_PAGE ? HUGE_PAGE : 64, size);
  if (p) memset(p, 0, size);
  return p;
}

static void give(void *p, size_t size) {
#ifdef __linux__
  if (size >= HUGE_PAGE) {
    munmap(p, size + GUARD);
    return;
  }
#endif
  free(p);
}
*/
import "C"

import (
	"fmt"
	"unsafe"
)

// Memory is host memory for the CPU build of the kernels: zeroed, 64-byte aligned, and outside of Go's heap, since a Go
// slice that only a device address refers to would be collected; or what Lend has lent.
type Memory struct {
	start unsafe.Pointer // keeps what is lent alive
	size  int
	lent  bool
}

// Lend lets kernels read data where it is, until Free. Nobody may write it. It is not pinned, since Go does not move what is on its
// heap, and a pin that an error leaves behind would end the program.
func Lend(data []byte) Memory {
	return Memory{start: unsafe.Pointer(unsafe.SliceData(data)), size: len(data), lent: true}
}

// Alloc takes memory. Free gives it back.
func Alloc(bytes int) (Memory, error) {
	m := Memory{size: bytes}
	if m.start = C.take(m.taken()); m.start == nil {
		return Memory{}, fmt.Errorf("out of memory: %d MB asked for; try a smaller scene or image", m.taken()>>20)
	}
	return m, nil
}

// taken is how much memory there is, in whole units of how it is aligned.
func (m Memory) taken() C.size_t {
	unit := 64
	if m.size >= C.HUGE_PAGE {
		unit = C.HUGE_PAGE
	}
	return C.size_t((max(m.size, 1) + unit - 1) / unit * unit)
}

// Free gives the memory back. Freeing the zero Memory does nothing.
func (m Memory) Free() {
	if m.start != nil && !m.lent {
		C.give(m.start, m.taken())
	}
}

// Address is what kernels know the memory by.
func (m Memory) Address() uint64 { return uint64(uintptr(m.start)) }

// From is the part of the memory from a byte on. It is freed with the whole. That of no memory is none.
func (m Memory) From(offset int) Memory {
	if m.start == nil {
		return m
	}
	return Memory{start: unsafe.Add(m.start, offset), size: m.size - offset}
}

// Bytes views the memory.
func (m Memory) Bytes() []byte { return unsafe.Slice((*byte)(m.start), m.size) }
