package viewer

import (
	"time"

	"glint/tracer"
)

const (
	askEvery    = 500 * time.Millisecond // for statistics, while they are shown
	watchedOne  = 8                      // frame in so many is timed then, and another counted
	checkedOne  = 64                     // frame in so many is counted otherwise, so that samples that were dropped are told
	insightLogs = 120                    // entries of the log: a minute
)

// insight is what the panel of statistics tells of a side. The zero value knows nothing yet.
type insight struct {
	of      *side
	asked   time.Time
	told    tracer.Statistics // times of the last frames that were timed, counts of the last that were counted
	log     map[tracer.Kind]*[insightLogs]float32
	entries int // of the log
}

// take adds newer statistics. A slow device may have timed but not counted anything since it was last asked, or neither.
func (i *insight) take(s tracer.Statistics) {
	i.told.Memory = s.Memory
	if s.Counted > 0 {
		i.told.Counted, i.told.Counters, i.told.Queues = s.Counted, s.Counters, s.Queues
	}
	if s.Timed > 0 {
		i.told.Timed, i.told.Paths, i.told.Kernels = s.Timed, s.Paths, s.Kernels
		i.told.Whole, i.told.WholePaths = s.Whole, s.WholePaths
		i.note(s.Costs())
	}
}

// note appends to the log what each kind cost, ms a frame; the oldest entry goes when it is full.
func (i *insight) note(costs []tracer.Cost) {
	if i.log == nil {
		i.log = map[tracer.Kind]*[insightLogs]float32{}
	}
	for _, c := range costs {
		if i.log[c.Kind] == nil {
			i.log[c.Kind] = &[insightLogs]float32{}
		}
	}
	at := i.entries
	if at == insightLogs {
		at--
		for _, ms := range i.log {
			copy(ms[:], ms[1:])
		}
	}
	for _, ms := range i.log {
		ms[at] = 0
	}
	for _, c := range costs {
		i.log[c.Kind][at] = float32(c.Ms)
	}
	i.entries = at + 1
}

// watch is how closely a side is watched. A processor tells the time for nothing, and has fewer frames to tell of.
func (a *app) watch(s *side) tracer.Watch {
	switch {
	case !a.showStats || s != a.side:
		return tracer.Watch{CountEvery: checkedOne}
	case a.slices():
		return tracer.Watch{TimeEvery: 1, CountEvery: 4}
	}
	return tracer.Watch{TimeEvery: watchedOne, CountEvery: watchedOne}
}

// observe asks the side that keys act on for statistics, while they are shown.
func (a *app) observe(now time.Time) error {
	for _, s := range a.sides {
		s.device.Watch(a.watch(s))
	}
	i := &a.insight
	if !a.showStats {
		*i = insight{}
		return nil
	}
	if now.Sub(i.asked) < askEvery {
		return nil
	}
	s, err := a.device.Statistics()
	if err != nil {
		return err
	}
	if i.of != a.side {
		*i = insight{of: a.side, asked: now} // what was gathered before anybody looked is of other views
		return nil
	}
	i.asked = now
	i.take(s)
	return nil
}
