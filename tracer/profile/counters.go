package profile

import (
	"glint/cuda"
)

// Counters are what kernels counted. Rays and living paths are counted only in frames that a Policy selects.
type Counters struct {
	NonFinite     uint64 // samples dropped
	DroppedPixel  uint32 // of the last of them, row by row
	DroppedSample uint32 // its index
	Paths         uint64
	ExtensionRays uint64
	ShadowRays    uint64
	Alive         []uint64                // paths that go on after 1, 2, … scattering events
	Classes       [cuda.ClassCount]uint64 // hits shaded of each class of materials, where they are sorted by it
}

// CountersOf gives their names to counters as kernels keep them (enum Counter).
func CountersOf(raw [cuda.CounterCount]uint64) Counters {
	c := Counters{NonFinite: raw[cuda.CounterNonfinite], Paths: raw[cuda.CounterPaths],
		ExtensionRays: raw[cuda.CounterExtensionRays], ShadowRays: raw[cuda.CounterShadowRays]}
	c.DroppedPixel, c.DroppedSample = uint32(raw[cuda.CounterNonfiniteAt]), uint32(raw[cuda.CounterNonfiniteAt]>>32)
	copy(c.Classes[:], raw[cuda.CounterClass:])
	for _, n := range raw[cuda.CounterAlive+1 : cuda.CounterClass] {
		if n == 0 {
			break
		}
		c.Alive = append(c.Alive, n)
	}
	return c
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

// Queue is how many rays stood in the queues of a wave, in the mean of frames.
type Queue struct {
	Extension float64 `json:"extension"`
	Shadow    float64 `json:"shadow"`
}

// addQueues adds those of a frame, scaled.
func addQueues(sum, frame []Queue, scale float64) []Queue {
	for i, q := range frame {
		if i == len(sum) {
			sum = append(sum, Queue{})
		}
		sum[i].Extension += scale * q.Extension
		sum[i].Shadow += scale * q.Shadow
	}
	return sum
}
