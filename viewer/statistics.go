package viewer

import (
	"time"

	"glint/tracer/profile"
	"glint/viewer/session"
)

// watch says how many of a side's frames are timed and counted. On a CPU timing is free and frames are few, so all are timed.
func (a *app) watch(s *session.Side) profile.Policy {
	switch {
	case a.page != session.StatisticsPage || s != a.active:
		return profile.Policy{CountEvery: session.HiddenEvery}
	case a.timeSliced():
		return profile.Policy{TimeEvery: 1, CountEvery: 4}
	}
	return profile.Policy{TimeEvery: session.ShownEvery, CountEvery: session.ShownEvery}
}

// updateStatistics reads the statistics of the active side now and then, while they are shown.
func (a *app) updateStatistics(now time.Time) error {
	for _, s := range a.sides {
		s.Device.SetProfilePolicy(a.watch(s))
	}
	m := &a.statistics
	if a.page != session.StatisticsPage {
		*m = session.StatsModel{}
		return nil
	}
	if now.Sub(m.Asked) < session.StatsEvery {
		return nil
	}
	s, err := a.active.Device.Statistics()
	if err != nil {
		return err
	}
	if m.Of != a.active {
		*m = session.StatsModel{Of: a.active, Asked: now} // what was gathered before the panel opened is of other views
		return nil
	}
	m.Asked = now
	m.Update(s)
	return nil
}
