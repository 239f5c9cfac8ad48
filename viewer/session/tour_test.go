package session

import "testing"

// TestTour: each stop renders, none says what another says, it goes back and forth, and at its end the settings are those of before.
func TestTour(t *testing.T) {
	s := inspected(t, nil, "path")
	before := s.Sides.Active.Settings
	said := map[string]bool{}
	s.Do(StartTour{})
	for i := range stops() {
		m := s.Model(false).Findings
		if m == nil || said[m.Title] || said[m.Lines[0].Text] {
			t.Fatalf("stop %d says %+v", i, m)
		}
		said[m.Title], said[m.Lines[0].Text] = true, true
		now := s.Sides.Active.Settings
		until(t, s, m.Title, func() bool { return s.Sides.Active.Used == now && s.Sides.Active.Stats.Samples > 0 })
		if i > 0 {
			s.Do(StepTour{By: -1})
			if back := s.Sides.Active.Settings; back == now {
				t.Errorf("%s: the stop before looks the same", m.Title)
			}
			s.Do(StepTour{By: 1})
		}
		if s.Sides.Active.Settings != now {
			t.Errorf("%s: back and forth is another stop", m.Title)
		}
		s.Do(StepTour{By: 1})
	}
	if s.Model(false).Findings != nil || s.Sides.Active.Settings != before {
		t.Errorf("after the tour: %+v", s.Sides.Active.Settings)
	}
	s.Do(StartTour{})
	s.Do(CloseFindings{})
	if s.Sides.Active.Settings != before {
		t.Error("a tour that was closed leaves its settings")
	}
}
