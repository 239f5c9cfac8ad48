package viewer

import (
	"time"

	"glint/tracer/profile"
)

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
