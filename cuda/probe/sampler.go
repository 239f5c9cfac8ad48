package probe

// #include "probe.h"
import "C"

import "unsafe"

// Stream is one dimension of one pixel's random numbers.
type Stream struct {
	X, Y      uint32 // pixel
	Seed      uint32
	Dimension uint32
}

// Points gives the pairs of samples first, first + 1, … of the pixel.
func (s Stream) Points(first uint32, n int) [][2]float32 {
	out := make([][2]float32, n)
	if n > 0 {
		C.glint_probe_points(C.uint32_t(s.X), C.uint32_t(s.Y), C.uint32_t(s.Seed), C.uint32_t(s.Dimension),
			C.uint32_t(first), C.int(n), (*C.float)(unsafe.Pointer(&out[0])))
	}
	return out
}

// Numbers gives the single numbers of samples first, first + 1, … of the pixel.
func (s Stream) Numbers(first uint32, n int) []float32 {
	out := make([]float32, n)
	if n > 0 {
		C.glint_probe_numbers(C.uint32_t(s.X), C.uint32_t(s.Y), C.uint32_t(s.Seed), C.uint32_t(s.Dimension),
			C.uint32_t(first), C.int(n), (*C.float)(&out[0]))
	}
	return out
}
