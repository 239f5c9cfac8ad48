package session

import "testing"

// TestKeysOfReuse: keys for the light that is shared act on the side that shares it, whichever is active, and name the side; others act on the
// active one.
func TestKeysOfReuse(t *testing.T) {
	s := inspected(t, nil, "path")
	a := s.Sides.Active
	said := func() string { return s.Messages[len(s.Messages)-1].Text }
	s.Editor.StepSetting("restir-mis", 1)
	if a.Settings.RestirMIS != "naive" || said() != "reuse weights: naive" {
		t.Errorf("of one side: %s, and it says %q", a.Settings.RestirMIS, said())
	}
	s.OpenSplit()
	b := s.Sides.Sides[1]
	a.Settings.RestirMIS, b.Settings.RestirMIS = "auto", "auto"
	for active, want := range []string{"naive", "basic"} {
		s.Sides.Choose(active)
		s.Editor.StepSetting("restir-mis", 1)
		if a.Settings.RestirMIS != "auto" || b.Settings.RestirMIS != want || said() != "B   reuse weights: "+want {
			t.Errorf("while %s is active, A has %s and B %s: it says %q", s.Sides.Active.Name, a.Settings.RestirMIS, b.Settings.RestirMIS, said())
		}
	}
	s.Sides.Choose(0)
	bounces := b.Settings.Bounces
	if s.Editor.StepSetting("bounces", 1); a.Settings.Bounces != bounces+1 || b.Settings.Bounces != bounces || said()[:4] != "A   " {
		t.Errorf("bounces %d and %d: it says %q", a.Settings.Bounces, b.Settings.Bounces, said())
	}
	a.Settings.Integrator = "restir"
	s.Editor.StepSetting("restir-mis", 1)
	if a.Settings.RestirMIS != "naive" || b.Settings.RestirMIS != "basic" {
		t.Errorf("where both share light, A has %s and B %s", a.Settings.RestirMIS, b.Settings.RestirMIS)
	}
	s.Editor.StepSetting("exposure", 1)
	if said()[:4] == "A   " {
		t.Errorf("it says %q of what both have", said())
	}
}
