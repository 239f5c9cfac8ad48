package tracer

import "glint/cuda"

// pass is one kernel of a frame, run over every pixel.
type pass struct {
	kernel cuda.Kernel
	when   func(f *cuda.Frame) bool // nil: always
	times  func(f *cuda.Frame) int  // how often a pixel's turn comes; nil: once
}

// passes is the table of integrators: what each launches for a frame, in order.
func passes(integrator string) []pass {
	if integrator == "restir-gi" {
		return []pass{
			{kernel: cuda.InitialSamples},
			{kernel: cuda.TemporalFind, when: hasHistory},
			{kernel: cuda.HistorySees, when: both(hasHistory, testsVisibility)},
			{kernel: cuda.SeesHistory, when: both(hasHistory, testsVisibility)},
			{kernel: cuda.TemporalReuse, when: hasHistory},
			{kernel: cuda.SpatialFind, when: hasNeighbours},
			{kernel: cuda.NeighboursSee, when: both(hasNeighbours, testsVisibility), times: partnerPlanes},
			{kernel: cuda.SeesNeighbours, when: both(hasNeighbours, testsVisibility), times: partnerPlanes},
			{kernel: cuda.SpatialReuse},
			{kernel: cuda.SeesSample, when: trusted},
			{kernel: cuda.ShadeSamples},
		}
	}
	return []pass{{kernel: cuda.TracePaths}}
}

func hasHistory(f *cuda.Frame) bool {
	const need = cuda.RestirTemporal | cuda.RestirHistory
	return f.Restir&need == need
}

func hasNeighbours(f *cuda.Frame) bool { return f.Restir&cuda.RestirSpatial != 0 }

// testsVisibility: the weights know who sees what.
func testsVisibility(f *cuda.Frame) bool { return f.MisMode == cuda.MisFull }

// trusted: samples were shared without a look, so that one is due at the end.
func trusted(f *cuda.Frame) bool {
	return f.Restir&(cuda.RestirTemporal|cuda.RestirSpatial) != 0 && !testsVisibility(f)
}

func both(a, b func(*cuda.Frame) bool) func(*cuda.Frame) bool {
	return func(f *cuda.Frame) bool { return a(f) && b(f) }
}

func partnerPlanes(f *cuda.Frame) int { return int(f.PartnerPlanes) }
