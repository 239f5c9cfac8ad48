package integrator

import (
	"glint/cuda"
	"glint/tracer/settings"
)

// Query is what traces sample n of a pixel again, from the image's first sample on, in a frame of the image. Samples that share light
// with others it traces as path does: ReSTIR's own are LastFrame's.
func (s *Sampler) Query(f *cuda.Frame, own *settings.Settings, x, y, n int) cuda.ReplayQuery {
	q := cuda.ReplayQuery{X: uint32(x), Y: uint32(y), Sample: uint32(n), Seed: f.Sampling.Seed,
		CameraSample: uint32(n), CameraSeed: f.Sampling.Seed, HitSample: uint32(n)}
	if h := &s.firstHits; own.FirstHitCache && h.sets > 0 && !Reuses(own.Integrator) {
		q.CameraSample, q.CameraSeed = h.raysOf(n, q.Seed)
		q.HitSample = uint32(h.tracedBy(n))
	}
	return q
}

// LastFrame is the last whole frame of an integrator that shares light, whose samples still lie where it has left them.
func (s *Sampler) LastFrame() (f cuda.Frame, ok bool) {
	return s.lastFrame, s.lastFrame.Restir.Gbuffer != 0
}
