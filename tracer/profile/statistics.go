package profile

import (
	"glint/tracer/device"
	"slices"
)

// Statistics are what the frames cost that were watched since the last time somebody asked.
type Statistics struct {
	Timed, Counted int          // frames
	Paths          uint64       // camera paths of the frames timed
	Whole          Spread       // ms of frames timed as a whole, without showing the picture; none where each launch of all is timed
	WholePaths     uint64       // camera paths of these
	Kernels        []KernelTime // that ran in them, in the order of their numbers; at the end shading by classes of materials
	Counters       Counters     // of the frames counted
	Queues         []Queue      // of these, wave by wave; none without the wavefront engine
	Memory         Memory       // now
}

// KernelTime is what a kernel cost.
type KernelTime struct {
	Name     string // and of which class of materials, where it shades one at a time
	Kind     Kind
	Launches int    // in all
	Ms       Spread // milliseconds a frame
}

// Cost is what a kind of kernels cost.
type Cost struct {
	Kind       Kind    `json:"kind"`
	Ms         float64 `json:"ms_per_frame"`             // mean
	PerMillion float64 `json:"ms_per_million,omitempty"` // ms for a million of Unit; 0 where that was not counted, or is no measure
	Unit       string  `json:"unit,omitempty"`
}

// Take is what all complete frames of some profilers cost since it was last called.
func Take(memory Memory, profilers ...*Profiler) Statistics {
	var t sums
	for _, p := range profilers {
		t.join(p.sum)
		p.sum = sums{}
	}
	s := Statistics{Timed: t.timed, Counted: t.counted, Paths: t.paths, Whole: t.whole, WholePaths: t.wholePaths,
		Counters: t.counters, Memory: memory}
	s.Queues = addQueues(nil, t.queues, 1/float64(max(t.counted, 1)))
	for i, ms := range t.slots {
		if slot := device.Slot(i); ms.Frames > 0 {
			s.Kernels = append(s.Kernels, KernelTime{slot.String(), kindOf(slot), t.launches[slot], ms})
		}
	}
	return s
}

// MsPerFrame is the mean time in kernels of a frame, ms.
func (s Statistics) MsPerFrame() float64 {
	return s.ms(func(Kind) bool { return true }) / float64(max(s.Timed, 1))
}

// PathRate is camera paths per second of whole frames, or where there are none of the time in kernels. What shows the
// picture is left out, since a slow device does that many times a frame. Times RaysPerPath it is the rate of rays.
func (s Statistics) PathRate() float64 {
	if s.Whole.Sum > 0 {
		return float64(s.WholePaths) / s.Whole.Sum * 1e3
	}
	ms := s.ms(func(k Kind) bool { return k != Output })
	if ms == 0 {
		return 0
	}
	return float64(s.Paths) / ms * 1e3
}

// ms is the time in kernels of some kinds, of all frames timed.
func (s Statistics) ms(of func(Kind) bool) (ms float64) {
	for _, k := range s.Kernels {
		if of(k.Kind) {
			ms += k.Ms.Sum
		}
	}
	return ms
}

// Of lists the kernels of a kind.
func (s Statistics) Of(kind Kind) []KernelTime {
	return slices.DeleteFunc(slices.Clone(s.Kernels), func(k KernelTime) bool { return k.Kind != kind })
}

// RaysPerPath is how many rays of all kinds a path took; 0 where none were counted.
func (s Statistics) RaysPerPath() float64 { return s.Counters.perPath(s.Counters.Rays()) }

// Alive is the share of all paths that go on after 1, 2, … scattering events.
func (s Statistics) Alive() []float64 {
	var shares []float64
	for _, n := range s.Counters.Alive {
		shares = append(shares, s.Counters.perPath(n))
	}
	return shares
}

// Costs tells by kind where a frame's time went.
func (s Statistics) Costs() []Cost {
	var costs []Cost
	for _, row := range kindRows() {
		ms := s.ms(func(k Kind) bool { return k == row.kind })
		if ms == 0 {
			continue
		}
		c := Cost{Kind: row.kind, Ms: ms / float64(s.Timed), Unit: row.unit}
		// Frames are timed and counted by turns: what they have in common is their paths.
		if segments := s.Counters.perPath(row.segments(s.Counters)) * float64(s.Paths); segments > 0 {
			c.PerMillion = ms / segments * 1e6
		}
		costs = append(costs, c)
	}
	return costs
}
