package tracer

import (
	"slices"
	"strings"

	"glint/cuda"
)

// Kind is what a kernel's time is spent on.
type Kind string

// The kinds of kernels.
const (
	Generation Kind = "generation" // paths begin and end
	Extension  Kind = "extension"  // closest hits of paths
	Shading    Kind = "shading"    // what happens at hits
	Queueing   Kind = "queueing"   // compaction and sorting
	Shadow     Kind = "shadow"     // rays to lights
	Whole      Kind = "megakernel" // paths from begin to end in one kernel
	Reuse      Kind = "reuse"      // resampling
	Denoising  Kind = "denoising"  // guides, and what a denoiser reads
	Upscaling  Kind = "upscaling"  // full size from a small image
	Output     Kind = "output"     // the picture to be seen
	Tool       Kind = "tool"       // not part of a frame
)

// kindOf is THE table of the kernels' kinds.
var kindOf = [cuda.KernelCount]Kind{
	cuda.TracePaths: Whole, cuda.RegeneratePaths: Whole, cuda.InitialSamples: Whole,
	cuda.BeginPaths: Generation, cuda.BeginShared: Generation, cuda.RenewPaths: Generation, cuda.RenewShared: Generation,
	cuda.EndPaths: Generation, cuda.EndShared: Generation,
	cuda.ExtendFirst: Extension, cuda.ExtendPaths: Extension,
	cuda.ShadePaths: Shading, cuda.ShadeShared: Shading,
	cuda.ScanCount: Queueing, cuda.ScanSums: Queueing, cuda.ScanMove: Queueing,
	cuda.OrderCount: Queueing, cuda.OrderStarts: Queueing, cuda.OrderMove: Queueing,
	cuda.ShadowPaths: Shadow, cuda.ShadowShared: Shadow,
	cuda.TemporalFind: Reuse, cuda.HistorySees: Reuse, cuda.SeesHistory: Reuse, cuda.TemporalReuse: Reuse, cuda.TemporalFused: Reuse,
	cuda.BoilingFilter: Reuse, cuda.SpatialFind: Reuse, cuda.NeighboursSee: Reuse, cuda.SeesNeighbours: Reuse,
	cuda.SpatialReuse: Reuse, cuda.SpatialFused: Reuse, cuda.SeesSample: Reuse, cuda.ShadeSamples: Reuse, cuda.ThinDuplicates: Reuse,
	cuda.Guides: Denoising, cuda.DenoiseInput: Denoising, cuda.KeepHalves: Denoising, cuda.CompareHalves: Denoising,
	cuda.UpscaleGather: Upscaling, cuda.UpscaleSpatial: Upscaling, cuda.UpscaleTemporal: Upscaling, cuda.UpscaleFade: Upscaling,
	cuda.AtrousDemodulate: Denoising, cuda.AtrousAccumulate: Denoising, cuda.AtrousErrors: Denoising, cuda.AtrousFilter: Denoising,
	cuda.SteadyPicture: Denoising,
	cuda.Film:          Output, cuda.ShowReuse: Output,
	cuda.MeterLight: Output, cuda.SetExposure: Output, cuda.BloomDown: Output, cuda.BloomUp: Output,
	cuda.TraceRaysClosest: Tool, cuda.TraceRaysAny: Tool, cuda.QueueRaysClosest: Tool, cuda.QueueRaysAny: Tool,
	cuda.AlbedoTable: Tool,
	cuda.BuildKeys:   Tool, cuda.SortCount: Tool, cuda.SortScan: Tool, cuda.SortScatter: Tool, cuda.BuildLeaves: Tool, cuda.FindMerges: Tool,
	cuda.ScanMerges: Tool, cuda.MergeClusters: Tool, cuda.WidenNodes: Tool, cuda.EmitNodes: Tool, cuda.PlaceTriangles: Tool,
}

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
