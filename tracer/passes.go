package tracer

import "glint/cuda"

// pass is one kernel of a frame, run over every pixel.
type pass struct {
	kernel cuda.Kernel
	when   func(f *cuda.Frame) bool // nil: always
}

// passes is the table of integrators: what each launches for a frame, in order.
func passes(integrator string) []pass {
	if integrator == "restir-gi" {
		return []pass{
			{kernel: cuda.InitialSamples},
			{kernel: cuda.TemporalReuse, when: hasHistory},
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
