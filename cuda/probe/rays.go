package probe

// #include "probe.h"
import "C"

import (
	"unsafe"

	"glint/cuda"
)

// Walk traces rays [begin, end) of Frame.Rays into its hits by the ray loop of the GPU, which the CPU backend has no use
// for. With anyHit a ray ends at the first triangle that it meets.
func Walk(frame *cuda.Frame, begin, end int, anyHit bool) {
	mode := C.int(0)
	if anyHit {
		mode = 1
	}
	C.glint_probe_walk(unsafe.Pointer(frame), C.uint32_t(begin), C.uint32_t(end), mode)
}
