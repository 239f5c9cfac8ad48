package session

import (
	"time"

	"glint/tracer/profile"
)

// How often statistics are made and read.
const (
	StatsEvery  = 500 * time.Millisecond // between two looks at the statistics, while they are shown
	ShownEvery  = 8                      // while they are shown, one frame in so many is timed, and one is counted
	HiddenEvery = 64                     // otherwise one in so many is counted, to find dropped samples
	LogEntries  = 120                    // of the log: a minute
)

// StatsModel is what the statistics panel shows of a side. The zero value is empty.
type StatsModel struct {
	Of      *Side
	Asked   time.Time
	Latest  profile.Statistics // times of the last frames that were timed, counts of the last that were counted
	log     map[profile.Kind]*[LogEntries]float32
	Entries int // of the log
}

// Update takes newer statistics. Frames are timed and counted at different intervals, so either part may be empty: then
// what was known before stays.
func (m *StatsModel) Update(s profile.Statistics) {
	m.Latest.Memory = s.Memory
	if s.Counted > 0 {
		m.Latest.Counted, m.Latest.Counters, m.Latest.Queues = s.Counted, s.Counters, s.Queues
	}
	if s.Timed > 0 {
		m.Latest.Timed, m.Latest.Paths, m.Latest.Kernels = s.Timed, s.Paths, s.Kernels
		m.Latest.Whole, m.Latest.WholePaths = s.Whole, s.WholePaths
		m.appendLog(s.Costs())
	}
}

// appendLog adds what each kind of kernels cost, ms a frame. When the log is full, the oldest entry goes.
func (m *StatsModel) appendLog(costs []profile.Cost) {
	if m.log == nil {
		m.log = map[profile.Kind]*[LogEntries]float32{}
	}
	for _, c := range costs {
		if m.log[c.Kind] == nil {
			m.log[c.Kind] = &[LogEntries]float32{}
		}
	}
	at := m.Entries
	if at == LogEntries {
		at--
		for _, ms := range m.log {
			copy(ms[:], ms[1:])
		}
	}
	for _, ms := range m.log {
		ms[at] = 0
	}
	for _, c := range costs {
		m.log[c.Kind][at] = float32(c.Ms)
	}
	m.Entries = at + 1
}

// Layers stacks the log, in a frame's order; top is the highest stack, ms.
func (m *StatsModel) Layers() (layers []layer, top float64) {
	below := make([]float32, m.Entries)
	for _, kind := range profile.Kinds() {
		ms := m.log[kind]
		if ms == nil {
			continue
		}
		above := make([]float32, m.Entries)
		for n := range above {
			above[n] = below[n] + ms[n]
			top = max(top, float64(above[n]))
		}
		layers = append(layers, layer{kind, below, above})
		below = above
	}
	return layers, top
}

// layer is one kind in the stack.
type layer struct {
	Kind     profile.Kind
	From, To []float32
}
