package cuda

/*
#cgo CXXFLAGS: -std=c++17 -O3 -g0 -fno-exceptions -fno-rtti -Wall -Wno-unused-function -Wno-unknown-pragmas
#cgo CXXFLAGS: -I${SRCDIR}/kernels
#cgo LDFLAGS: -lm
#include <stdlib.h>
#include "cpu.h"
*/
import "C"

import "unsafe"

// Kernel numbers a kernel; the list of them is generated from the definitions in kernels/.
type Kernel int

// Category is what a kernel's time is spent on.
type Category string

// The categories that a kernel's definition may name.
const (
	CategoryGeneration Category = "generation" // paths begin and end
	CategoryExtension  Category = "extension"  // closest hits of paths
	CategoryShading    Category = "shading"    // what happens at hits
	CategoryQueueing   Category = "queueing"   // compaction and sorting
	CategoryShadow     Category = "shadow"     // rays to lights
	CategoryMegakernel Category = "megakernel" // paths from begin to end in one kernel
	CategoryReuse      Category = "reuse"      // resampling
	CategoryDenoising  Category = "denoising"  // guides, and what a denoiser reads
	CategoryUpscaling  Category = "upscaling"  // full size from a small image
	CategoryOutput     Category = "output"     // the picture to be seen
	CategoryTool       Category = "tool"       // not part of a frame
)

// kernelRow is what a kernel's definition says.
type kernelRow struct {
	name     string
	threads  int
	blocks   int
	category Category
	fetches  bool
	program  bool
}

// row is empty past the end.
func (k Kernel) row() kernelRow {
	if k < 0 || k >= KernelCount {
		return kernelRow{}
	}
	return kernels[k]
}

// String is the kernel's name in the source and in what is compiled of it; empty past the end.
func (k Kernel) String() string { return k.row().name }

// Threads is how many threads a block of the kernel has. Kernels that work as a block run whole blocks of so many indices.
func (k Kernel) Threads() int { return k.row().threads }

// Blocks is how many blocks of the kernel a multiprocessor is to hold at once.
func (k Kernel) Blocks() int { return k.row().blocks }

// Category is what the kernel's time is spent on.
func (k Kernel) Category() Category { return k.row().category }

// Fetches is true of kernels whose threads fetch their indices: as many threads as the GPU holds at once serve any
// number, and one launch of such a kernel may run at a time.
func (k Kernel) Fetches() bool { return k.row().fetches }

// Program is true of kernels that have a program of the same name, by which hardware traces the same rays.
func (k Kernel) Program() bool { return k.row().program }

// Variant is a build of the kernels for a kind of processor.
type Variant int

// The builds. V3 needs AVX2 and FMA.
const (
	Baseline Variant = C.GLINT_BASELINE
	V3       Variant = C.GLINT_V3
)

// BestVariant is the fastest build that this processor can run.
func BestVariant() Variant { return Variant(C.glint_best_variant()) }

// Run runs the kernel for the indices [begin, end) on the calling thread. Both ends must be multiples of Threads where the
// kernel works as a block. Every address in the frame must be of a Memory.
func Run(v Variant, k Kernel, frame *Frame, begin, end int, pass uint32) {
	C.glint_run(C.int(v), C.int(k), unsafe.Pointer(frame), C.uint32_t(begin), C.uint32_t(end), C.uint32_t(pass))
}

// Layout is sizeof (for "Struct") and offsetof (for "Struct.field") of all shared structs, as the C++ compiler sees it.
func Layout() map[string]uint64 {
	layout := map[string]uint64{}
	var name *C.char
	var value C.uint64_t
	for i := 0; C.glint_layout(C.int(i), &name, &value) != 0; i++ {
		layout[C.GoString(name)] = uint64(value)
	}
	return layout
}
