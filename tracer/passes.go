package tracer

import "glint/cuda"

// pass is one kernel of a frame, run over every pixel.
type pass struct {
	kernel  cuda.Kernel
	when    func(f *cuda.Frame) bool    // nil: always
	indices func(width, height int) int // of a launch; nil: whole 8×4 tiles
}

// passes is the table of integrators: what each launches for a frame, in order.
func passes(integrator string) []pass {
	if integrator == "restir-gi" {
		return []pass{
			{kernel: cuda.InitialSamples},
			{kernel: cuda.TemporalReuse, when: hasHistory},
			{kernel: cuda.BoilingFilter, when: boils, indices: blocks},
			{kernel: cuda.SpatialReuse},
			{kernel: cuda.ShadeSamples},
		}
	}
	return []pass{{kernel: cuda.TracePaths}}
}

func hasHistory(f *cuda.Frame) bool {
	const need = cuda.RestirTemporal | cuda.RestirHistory
	return f.Restir&need == need
}

// boils: what is shown is not averaged, so that a little darker is better than flickering.
func boils(f *cuda.Frame) bool { return f.Restir&cuda.RestirInteractive != 0 && f.Boiling > 0 }
