package session

import "time"

// updateStatistics reads the statistics of the active side now and then, while they are shown.
func (f *Frames) updateStatistics(shown bool, now time.Time) error {
	for _, s := range f.Sides {
		s.Device.SetProfilePolicy(f.watch(s, shown))
	}
	m := &f.Statistics
	if !shown {
		*m = StatsModel{}
		return nil
	}
	if now.Sub(m.Asked) < StatsEvery {
		return nil
	}
	s, err := f.Active.Device.Statistics()
	if err != nil {
		return err
	}
	if m.Of != f.Active {
		*m = StatsModel{Of: f.Active, Asked: now} // what was gathered before the panel opened is of other views
		return nil
	}
	m.Asked = now
	m.Update(s)
	return nil
}
