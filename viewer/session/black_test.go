package session

import (
	"strings"
	"testing"

	"glint/tracer/settings"
)

// TestBlackPicturesSayWhy: a view that rests and is black says why, once it can be known, and what it offers mends it.
func TestBlackPicturesSayWhy(t *testing.T) {
	s := opened(t, "cornell", headless(48, 32), func(s *settings.Settings) { s.Exposure = -14 })
	why := func() string {
		if c := s.Model(false).Black; c != nil {
			return c.Why
		}
		return ""
	}
	until(t, s, "the reason", func() bool { return strings.Contains(why(), "exposure") })
	s.Do(Mend{})
	until(t, s, "auto exposure", func() bool { return s.Sides.Active.Settings.AutoExposure && s.Sides.Active.Stats.Metered != 0 })
	s.Sides.Active.Settings.AutoExposure, s.Sides.Active.Settings.Exposure = false, 0
	c := s.Stage.Camera.Camera
	c.Target = c.Eye.Add(c.Eye.Sub(c.Target))
	s.Stage.Camera.Look(c)
	until(t, s, "that nothing is in view", func() bool { return strings.Contains(why(), "in view") })
	s.Do(Mend{})
	until(t, s, "the whole scene", func() bool { return s.Sides.Active.Stats.Samples > 8 && s.Stage.Camera.Camera.Eye != c.Eye })
	if why() != "" {
		t.Errorf("it says %q", why())
	}
}

// TestWhyIsItNoisy: when the user asks, the view's causes of noise are listed, the view stays as it is, and what helps can be taken.
func TestWhyIsItNoisy(t *testing.T) {
	s := opened(t, "cornell", headless(48, 32), func(s *settings.Settings) { s.Integrator = "path" })
	before := s.Sides.Active.Stats.Samples
	s.Do(LookForNoise{})
	parts := s.Model(false).Noise
	if len(parts) == 0 || s.Sides.Active.Stats.Samples != before {
		t.Fatalf("it says %v; %d samples, there were %d", parts, s.Sides.Active.Stats.Samples, before)
	}
	for i, p := range parts {
		t.Log(p)
		if p.Mend == "share samples" {
			s.Do(MendNoise{Part: i})
			break
		}
	}
	if s.Sides.Active.Settings.Integrator != "restir" || s.Noise.Close() {
		t.Errorf("it renders by %s", s.Sides.Active.Settings.Integrator)
	}
	until(t, s, "shared samples", func() bool { return s.Sides.Active.Stats.Integrator == "restir" })
}
