package viewer

import (
	"time"

	"glint/viewer/session"
)

// updateStatistics reads the statistics of the active side now and then, while they are shown.
func (f *frames) updateStatistics(shown bool, now time.Time) error {
	for _, s := range f.sides {
		s.Device.SetProfilePolicy(f.watch(s, shown))
	}
	m := &f.statistics
	if !shown {
		*m = session.StatsModel{}
		return nil
	}
	if now.Sub(m.Asked) < session.StatsEvery {
		return nil
	}
	s, err := f.active.Device.Statistics()
	if err != nil {
		return err
	}
	if m.Of != f.active {
		*m = session.StatsModel{Of: f.active, Asked: now} // what was gathered before the panel opened is of other views
		return nil
	}
	m.Asked = now
	m.Update(s)
	return nil
}
