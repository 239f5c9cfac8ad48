package tracer

import (
	"fmt"

	"glint/cuda"
)

// Counters are what kernels counted. Rays and living paths are counted only in frames that Watch takes.
type Counters struct {
	NonFinite     uint64 // samples dropped
	Paths         uint64
	ExtensionRays uint64
	ShadowRays    uint64
	Alive         []uint64                // paths that go on after 1, 2, … scattering events
	Classes       [cuda.ClassCount]uint64 // hits shaded of each class of materials, where they are sorted by it
}

// Counters reads them back; they begin at 0 with each image.
func (r *Renderer) Counters() (Counters, error) {
	var raw [cuda.CounterCount]uint64
	if err := r.device.download(r.film.counters, bytesOf(raw[:])); err != nil {
		return Counters{}, fmt.Errorf("read the counters: %w", err)
	}
	c := Counters{NonFinite: raw[cuda.CounterNonfinite], Paths: raw[cuda.CounterPaths],
		ExtensionRays: raw[cuda.CounterExtensionRays], ShadowRays: raw[cuda.CounterShadowRays]}
	copy(c.Classes[:], raw[cuda.CounterClass:])
	for _, n := range raw[cuda.CounterAlive+1 : cuda.CounterClass] {
		if n == 0 {
			break
		}
		c.Alive = append(c.Alive, n)
	}
	return c, nil
}

// Rays are those of all kinds.
func (c Counters) Rays() uint64 { return c.ExtensionRays + c.ShadowRays }

// hits are where paths were, or left the scene. First hits that were kept have cost no ray.
func (c Counters) hits() uint64 {
	n := c.Paths
	for _, alive := range c.Alive {
		n += alive
	}
	return n
}

// perPath is n for each path; 0 where none were counted.
func (c Counters) perPath(n uint64) float64 { return float64(n) / float64(max(c.Paths, 1)) }

// add adds what has been counted between two readings.
func (c *Counters) add(now, before Counters) {
	c.NonFinite += now.NonFinite - before.NonFinite
	c.Paths += now.Paths - before.Paths
	c.ExtensionRays += now.ExtensionRays - before.ExtensionRays
	c.ShadowRays += now.ShadowRays - before.ShadowRays
	for class := range c.Classes {
		c.Classes[class] += now.Classes[class] - before.Classes[class]
	}
	for len(c.Alive) < len(now.Alive) {
		c.Alive = append(c.Alive, 0)
	}
	for i, n := range now.Alive {
		if c.Alive[i] += n; i < len(before.Alive) {
			c.Alive[i] -= before.Alive[i]
		}
	}
}
