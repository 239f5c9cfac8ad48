package viewer

import (
	"fmt"
	"slices"
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
	case !a.showStats || s != a.active:
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
	s, err := a.active.device.Statistics()
	if err != nil {
		return err
	}
	if i.of != a.active {
		*i = insight{of: a.active, asked: now} // what was gathered before anybody looked is of other views
		return nil
	}
	i.asked = now
	i.take(s)
	return nil
}

// toggle is the last change of one setting, and what a sample of the view took before it. The zero value is none.
type toggle struct {
	of     *side
	what   string
	before time.Duration
	at     time.Time
}

// toggleFor is how long a toggle's cost stays over the image.
const toggleFor = 20 * time.Second

// noteToggle begins to measure a change of a side's settings, if it is of one setting that restarts the image. It must be
// called before the side's meter forgets.
func (a *app) noteToggle(s *side, now time.Time) {
	var what string
	changes := 0
	for _, row := range a.table {
		if !row.Same(&s.used, &s.settings) {
			what = describe(row, s.settings)
			changes++
		}
	}
	a.toggle = toggle{}
	if changes == 1 && s.meter.steady() > 0 {
		a.toggle = toggle{of: s, what: what, before: s.meter.steady(), at: now}
	}
}

// text says what the toggle costs, as far as that is known.
func (t toggle) text() string {
	after := t.of.meter.steady()
	if after == 0 {
		return fmt.Sprintf("%s   %s → …", t.what, duration(t.before))
	}
	text := fmt.Sprintf("%s   %s → %s a sample", t.what, duration(t.before), duration(after))
	gain := t.before.Seconds() / after.Seconds()
	const even = 0.01 // what is within the noise
	switch {
	case gain > 1+even:
		return text + fmt.Sprintf("   %.2f× as fast", gain)
	case gain < 1-even:
		return text + fmt.Sprintf("   %.2f× as slow", 1/gain)
	}
	return text + "   no difference"
}

// toggleText is what the last toggle costs on this view, while that is to be shown.
func (a *app) toggleText() string {
	if t := a.toggle; slices.Contains(a.sides, t.of) && (a.showStats || time.Since(t.at) < toggleFor) {
		return t.text()
	}
	return ""
}
