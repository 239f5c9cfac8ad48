package tracer

import (
	"slices"
	"strings"

	"glint/cuda"
)

// Kind is what a kernel's time is spent on: its category, or a part of that.
type Kind string

// The kinds of kernels.
const (
	Generation = Kind(cuda.CategoryGeneration)
	Extension  = Kind(cuda.CategoryExtension)
	Shading    = Kind(cuda.CategoryShading)
	Queueing   = Kind(cuda.CategoryQueueing)
	Shadow     = Kind(cuda.CategoryShadow)
	Whole      = Kind(cuda.CategoryMegakernel)
	Reuse      = Kind(cuda.CategoryReuse)
	Denoising  = Kind(cuda.CategoryDenoising)
	Upscaling  = Kind(cuda.CategoryUpscaling)
	Output     = Kind(cuda.CategoryOutput)
	Tool       = Kind(cuda.CategoryTool)
)

// shadingOf is the kind of shading a class of materials by itself.
func shadingOf(class int) Kind { return Shading + Kind(" "+className[class]) }

// Main is the kind that k is a part of: Shading for that of one class of materials, else k.
func (k Kind) Main() Kind {
	if strings.HasPrefix(string(k), string(Shading)) {
		return Shading
	}
	return k
}

// Kinds lists those that frames have, in their order.
func Kinds() []Kind {
	var kinds []Kind
	for _, row := range kindRows() {
		kinds = append(kinds, row.kind)
	}
	return kinds
}

// kindRow says what the time of a kind is divided by: how many there were, and of what.
type kindRow struct {
	kind     Kind
	unit     string
	segments func(c Counters) uint64
}

// kindRows lists the kinds of a frame, in its order.
func kindRows() []kindRow {
	none := func(Counters) uint64 { return 0 }
	rows := []kindRow{
		{Generation, "paths", func(c Counters) uint64 { return c.Paths }},
		{Extension, "rays", func(c Counters) uint64 { return c.ExtensionRays }},
		{Shading, "hits", Counters.hits},
		{Queueing, "hits", Counters.hits},
		{Shadow, "rays", func(c Counters) uint64 { return c.ShadowRays }},
		{Whole, "rays", Counters.Rays},
		{Reuse, "", none},
		{Denoising, "", none},
		{Upscaling, "", none},
		{Output, "", none},
	}
	var classes []kindRow
	for class := range className {
		classes = append(classes, kindRow{shadingOf(class), "hits", func(c Counters) uint64 { return c.Classes[class] }})
	}
	shading := slices.IndexFunc(rows, func(r kindRow) bool { return r.kind == Shading })
	return slices.Insert(rows, shading+1, classes...)
}
