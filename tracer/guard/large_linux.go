package guard

import (
	"runtime"
	"syscall"
	"unsafe"
)

// largePage is how much comes at once, bytes.
const largePage = 2 << 20

// fetchLargePages has memory that nobody has written to come in large pages, on all cores. Nothing is lost when that is refused.
// The wish is taken back at once: it would outlive the slice, and the system would fill up large pages of which little is used.
func fetchLargePages(memory []byte) {
	page := uintptr(syscall.Getpagesize())
	memory = memory[-uintptr(unsafe.Pointer(unsafe.SliceData(memory)))%page:]
	if syscall.Madvise(memory, syscall.MADV_HUGEPAGE) != nil {
		return
	}
	var wait Group
	workers := runtime.GOMAXPROCS(0)
	for worker := range workers {
		wait.Go(func() {
			for at := worker * largePage; at < len(memory); at += workers * largePage {
				memory[at] = 0
			}
		})
	}
	wait.Wait()
	_ = syscall.Madvise(memory, syscall.MADV_NOHUGEPAGE)
}
