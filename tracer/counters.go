package tracer

import (
	"fmt"

	"glint/cuda"
)

// Counters are what the kernels counted since accumulation began. Rays are counted only with Options.Statistics.
type Counters struct {
	NonFinite     uint64 // samples dropped
	Paths         uint64
	ExtensionRays uint64
	ShadowRays    uint64
	Alive         []uint64 // paths that go on after 1, 2, … scattering events
}

// Counters reads them back.
func (r *Renderer) Counters() (Counters, error) {
	var raw [cuda.CounterCount]uint64
	if err := r.device.download(r.film.counters, bytesOf(raw[:])); err != nil {
		return Counters{}, fmt.Errorf("read the counters: %w", err)
	}
	c := Counters{NonFinite: raw[cuda.CounterNonfinite], Paths: raw[cuda.CounterPaths],
		ExtensionRays: raw[cuda.CounterExtensionRays], ShadowRays: raw[cuda.CounterShadowRays]}
	for _, n := range raw[cuda.CounterAlive+1:] {
		if n == 0 {
			break
		}
		c.Alive = append(c.Alive, n)
	}
	return c, nil
}

// Timings are the milliseconds that each kernel took since they were last asked for.
func (r *Renderer) Timings() map[string]float64 { return r.device.timings() }
