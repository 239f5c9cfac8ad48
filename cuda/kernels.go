package cuda

/*
#cgo CXXFLAGS: -std=c++17 -O3 -fno-exceptions -fno-rtti -Wall -Wno-unused-function -Wno-unknown-pragmas
#cgo LDFLAGS: -lm
#include <stdlib.h>
#include "cpu.h"
*/
import "C"

import "unsafe"

//go:generate go run ./gen

// Kernel numbers a kernel of kernel_list.h.
type Kernel int

// The kernels, in the order of kernel_list.h (a test compares the names).
const (
	TracePaths Kernel = iota
	Film
	MeterLight
	SetExposure
	BloomDown
	BloomUp
	TraceRaysClosest
	TraceRaysAny
	AlbedoTable
	InitialSamples
	TemporalFind
	TemporalReuse
	TemporalFused
	BoilingFilter
	SpatialFind
	SpatialReuse
	SpatialFused
	ShowReuse
	ShadeSamples
	ThinDuplicates
	Guides
	DenoiseInput
	AtrousDemodulate
	AtrousAccumulate
	AtrousErrors
	AtrousFilter
	SteadyPicture
	KeepHalves
	CompareHalves
	BeginPaths
	BeginShared
	RenewPaths
	RenewShared
	ExtendFirst
	ShadePaths
	ShadeShared
	EndPaths
	ScanCount
	ScanSums
	ScanMove
	OrderCount
	OrderStarts
	OrderMove
	EndShared
	BuildKeys
	SortCount
	SortScan
	SortScatter
	BuildLeaves
	FindMerges
	ScanMerges
	MergeClusters
	WidenNodes
	EmitNodes
	PlaceTriangles
	UpscaleGather
	UpscaleSpatial
	UpscaleTemporal
	UpscaleFade
	RegeneratePaths
	HistorySees
	SeesHistory
	NeighboursSee
	SeesNeighbours
	SeesSample
	ExtendPaths
	ShadowPaths
	ShadowShared
	QueueRaysClosest
	QueueRaysAny
	KernelCount
)

// firstRayKernel is where RAY_KERNELS of kernel_list.h begin.
const firstRayKernel = RegeneratePaths

// Fetches is true of kernels whose threads fetch their indices: as many threads as the GPU holds at once serve any
// number, and one launch of such a kernel may run at a time.
func (k Kernel) Fetches() bool { return k >= firstRayKernel && k < KernelCount }

// String is the kernel's name in the source and in the PTX.
func (k Kernel) String() string { return C.GoString(C.glint_kernel_name(C.int(k))) }

// Threads is how many threads a block of the kernel has. Kernels that work as a block run whole blocks of so many indices.
func (k Kernel) Threads() int { return int(C.glint_kernel_threads(C.int(k))) }

// Blocks is how many blocks of the kernel a multiprocessor is to hold at once.
func (k Kernel) Blocks() int { return int(C.glint_kernel_blocks(C.int(k))) }

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

// Layout is sizeof (for "Struct") and offsetof (for "Struct.field") of everything in params.h, as the C++ compiler sees it.
func Layout() map[string]uint64 {
	layout := map[string]uint64{}
	var name *C.char
	var value C.uint64_t
	for i := 0; C.glint_layout(C.int(i), &name, &value) != 0; i++ {
		layout[C.GoString(name)] = uint64(value)
	}
	return layout
}
