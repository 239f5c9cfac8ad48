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

// watch says how many of a side's frames are timed and counted. On a CPU timing is free and frames are few, so all are timed.
func (a *app) watch(s *side) profile.Policy {
	switch {
	case a.page != statisticsPage || s != a.active:
		return profile.Policy{CountEvery: hiddenEvery}
	case a.timeSliced():
		return profile.Policy{TimeEvery: 1, CountEvery: 4}
	}
	return profile.Policy{TimeEvery: shownEvery, CountEvery: shownEvery}
}

// updateStatistics reads the statistics of the active side now and then, while they are shown.
func (a *app) updateStatistics(now time.Time) error {
	for _, s := range a.sides {
		s.device.SetProfilePolicy(a.watch(s))
	}
	m := &a.statistics
	if a.page != statisticsPage {
		*m = statsModel{}
		return nil
	}
	if now.Sub(m.asked) < statsEvery {
		return nil
	}
	s, err := a.active.device.Statistics()
	if err != nil {
		return err
	}
	if m.of != a.active {
		*m = statsModel{of: a.active, asked: now} // what was gathered before the panel opened is of other views
		return nil
	}
	m.asked = now
	m.update(s)
	return nil
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
