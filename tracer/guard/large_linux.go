package guard

import (
	"syscall"
	"unsafe"
)

// wishLargePages asks for large pages under memory that nobody has written to. Nothing is lost when that is refused.
func wishLargePages(memory []byte) {
	page := uintptr(syscall.Getpagesize())
	skip := -uintptr(unsafe.Pointer(unsafe.SliceData(memory))) % page
	_ = syscall.Madvise(memory[skip:], syscall.MADV_HUGEPAGE)
}
