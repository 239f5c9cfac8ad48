package viewer

import (
	"time"

	"glint/tracer/profile"
)

const (
	statsEvery  = 500 * time.Millisecond // between two looks at the statistics, while they are shown
	shownEvery  = 8                      // while they are shown, one frame in so many is timed, and one is counted
	hiddenEvery = 64                     // otherwise one in so many is counted, to find dropped samples
	logEntries  = 120                    // of the log: a minute
)

// statsModel is what the statistics panel shows of a side. The zero value is empty.
type statsModel struct {
	of      *side
	asked   time.Time
	latest  profile.Statistics // times of the last frames that were timed, counts of the last that were counted
	log     map[profile.Kind]*[logEntries]float32
	entries int // of the log
}

// update takes newer statistics. Frames are timed and counted at different intervals, so either part may be empty: then
// what was known before stays.
func (m *statsModel) update(s profile.Statistics) {
	m.latest.Memory = s.Memory
	if s.Counted > 0 {
		m.latest.Counted, m.latest.Counters, m.latest.Queues = s.Counted, s.Counters, s.Queues
	}
	if s.Timed > 0 {
		m.latest.Timed, m.latest.Paths, m.latest.Kernels = s.Timed, s.Paths, s.Kernels
		m.latest.Whole, m.latest.WholePaths = s.Whole, s.WholePaths
		m.appendLog(s.Costs())
	}
}

// appendLog adds what each kind of kernels cost, ms a frame. When the log is full, the oldest entry goes.
func (m *statsModel) appendLog(costs []profile.Cost) {
	if m.log == nil {
		m.log = map[profile.Kind]*[logEntries]float32{}
	}
	for _, c := range costs {
		if m.log[c.Kind] == nil {
			m.log[c.Kind] = &[logEntries]float32{}
		}
	}
	at := m.entries
	if at == logEntries {
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
	m.entries = at + 1
}

// layers stacks the log, in a frame's order; top is the highest stack, ms.
func (m *statsModel) layers() (layers []layer, top float64) {
	below := make([]float32, m.entries)
	for _, kind := range profile.Kinds() {
		ms := m.log[kind]
		if ms == nil {
			continue
		}
		above := make([]float32, m.entries)
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
	kind     profile.Kind
	from, to []float32
}
