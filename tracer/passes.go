package tracer

import "glint/cuda"

// pass is one kernel of a frame, run over every pixel.
type pass struct {
	kernel  cuda.Kernel
	turn    uint32                   // the kernel's argument, where it runs several times
	when    func(f *cuda.Frame) bool // nil: always
	indices func(f *cuda.Frame) int  // of the launch; nil: one a pixel, by whole 8×4 tiles
	paths   int                      // from the camera that it begins
	beside  company                  // it may run together with
	// apart gives the frame that the pass runs with in place of the others'; those come before it.
	apart func(f cuda.Frame) cuda.Frame
}

// total is how many indices the pass runs over.
func (t pass) total(f *cuda.Frame) int {
	if t.indices != nil {
		return t.indices(f)
	}
	return indices(int(f.Film.Width), int(f.Film.Height))
}

// pathKernel traces whole paths.
func pathKernel(s Settings) cuda.Kernel {
	if s.Exec == "regeneration" {
		return cuda.RegeneratePaths
	}
	return cuda.TracePaths
}

// passes is the table of integrators: what each launches for a frame, in order.
func passes(s Settings, f *cuda.Frame) []pass {
	// Nobody else reads what guides write before the frame is done.
	guides := []pass{{kernel: cuda.Guides, when: guided, beside: all}}
	if s.Integrator != "restir-gi" {
		return append(guides, tracing(f, pathKernel(s), pathWaves)...)
	}
	fused := func(f *cuda.Frame) bool { return s.RestirFuse && !testsVisibility(f) }
	split := func(f *cuda.Frame) bool { return !fused(f) }
	return append(append(guides, tracing(f, cuda.InitialSamples, sharedWaves)...), []pass{
		{kernel: cuda.TemporalFused, when: both(hasHistory, fused)},
		{kernel: cuda.TemporalFind, when: both(hasHistory, split)},
		{kernel: cuda.TemporalVisPrev, when: both(hasHistory, testsVisibility)},
		{kernel: cuda.TemporalVisCurr, when: both(hasHistory, testsVisibility)},
		{kernel: cuda.TemporalReuse, when: both(hasHistory, split)},
		{kernel: cuda.ShowReuse, when: viewsHistory},
		{kernel: cuda.BoilingFilter, when: boils, indices: perBlock},
		{kernel: cuda.SpatialFused, when: both(hasNeighbours, fused)},
		{kernel: cuda.SpatialFind, when: both(hasNeighbours, split)},
		{kernel: cuda.SpatialVisOut, when: both(hasNeighbours, testsVisibility), indices: perPartner},
		{kernel: cuda.SpatialVisIn, when: both(hasNeighbours, testsVisibility), indices: perPartner},
		{kernel: cuda.SpatialReuse, when: func(f *cuda.Frame) bool { return !(hasNeighbours(f) && fused(f)) }},
		{kernel: cuda.ShowReuse, when: viewsSamples},
		{kernel: cuda.FinalVis, when: trusted},
		{kernel: cuda.ShadeSamples},
		{kernel: cuda.ThinDuplicates, when: thins, indices: perBlock},
	}...)
}

func hasHistory(f *cuda.Frame) bool {
	const need = cuda.RestirTemporal | cuda.RestirHistory
	return f.Restir.Flags&need == need
}

func hasNeighbours(f *cuda.Frame) bool { return f.Restir.Flags&cuda.RestirSpatial != 0 }

// testsVisibility: the weights know who sees what.
func testsVisibility(f *cuda.Frame) bool { return f.Restir.MisMode == cuda.MisFull }

// trusted: samples were shared without a look, so that one is due at the end.
func trusted(f *cuda.Frame) bool {
	return f.Restir.Flags&(cuda.RestirTemporal|cuda.RestirSpatial) != 0 && f.Restir.Flags&cuda.RestirSkipFinalVis == 0 && !testsVisibility(f)
}

func both(a, b func(*cuda.Frame) bool) func(*cuda.Frame) bool {
	return func(f *cuda.Frame) bool { return a(f) && b(f) }
}

// boils: what is shown is not averaged, so that a little too dark is better than flicker.
func boils(f *cuda.Frame) bool {
	return f.Restir.Flags&cuda.RestirInteractive != 0 && f.Restir.Boiling > 0
}

// thins: history is made to hold fewer copies of a sample, for a denoiser.
func thins(f *cuda.Frame) bool {
	return f.Restir.Flags&cuda.RestirInteractive != 0 && f.Restir.CopyPower > 0
}

// viewsHistory: a view of what the spatial pass is about to replace.
func viewsHistory(f *cuda.Frame) bool { return f.Restir.ReuseView&cuda.ReuseViewOfHistory != 0 }

func viewsSamples(f *cuda.Frame) bool {
	return f.Restir.ReuseView != cuda.ReuseViewOff && !viewsHistory(f)
}

// perPartner is an index for each pixel and partner.
func perPartner(f *cuda.Frame) int { return int(f.Film.TiledPixels * f.Restir.NeighbourPlanes) }

// perBlock is an index for each pixel of whole 16×16 blocks.
func perBlock(f *cuda.Frame) int {
	return int((f.Film.Width + 15) / 16 * 16 * ((f.Film.Height + 15) / 16 * 16))
}
