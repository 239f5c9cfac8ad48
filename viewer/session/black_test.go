package session

import (
	"strings"
	"testing"
	"time"

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
	found := s.Model(false).Findings
	if found == nil || s.Sides.Active.Stats.Samples != before {
		t.Fatalf("it says %v; %d samples, there were %d", found, s.Sides.Active.Stats.Samples, before)
	}
	for _, line := range found.Lines {
		t.Log(line.Text)
		if line.Mend == "share samples" {
			s.Do(line.Do)
			break
		}
	}
	if s.Sides.Active.Settings.Integrator != "restir" || s.Questions.Noise.Close() {
		t.Errorf("it renders by %s", s.Sides.Active.Settings.Integrator)
	}
	until(t, s, "shared samples", func() bool { return s.Sides.Active.Stats.Integrator == "restir" })
}

// TestWhyAVolumeIsNoisy: what is seen tells of light that scatters inside it, and that denoising helps.
func TestWhyAVolumeIsNoisy(t *testing.T) {
	s := opened(t, "media", headless(48, 32), func(s *settings.Settings) { s.Integrator = "path" })
	s.Do(LookForNoise{})
	for _, line := range s.Model(false).Findings.Lines {
		if strings.Contains(line.Text, "scatters inside") && line.Mend == "denoise" {
			s.Do(line.Do)
		}
	}
	if s.Sides.Active.Settings.Denoise != "auto" {
		t.Errorf("it says %+v", s.Model(false).Findings)
	}
}

// TestTuner: while the view goes on, all engines have their turns, and the fastest of them is set.
func TestTuner(t *testing.T) {
	s := opened(t, "cornell", headless(32, 24), func(s *settings.Settings) { s.Integrator = "path" })
	s.Do(Tune{})
	until(t, s, "the fastest engine", func() bool { return s.Questions.Tuner.run.twin == nil })
	costs := map[string][]float64{}
	for _, v := range s.Questions.Tuner.run.variants {
		for _, c := range v.costs {
			costs[v.name] = append(costs[v.name], c.Seconds())
		}
		if len(v.costs) != tuneRounds {
			t.Errorf("%s had %d turns", v.name, len(v.costs))
		}
	}
	found := s.Model(false).Findings
	if len(found.Lines) != len(costs)+1 || !strings.Contains(found.Lines[len(costs)].Text, "is taken") {
		t.Errorf("it says %+v", found)
	}
	t.Log(found.Lines)
	if exec := s.Sides.Active.Settings.Exec; exec != "megakernel" && exec != "wavefront" {
		t.Errorf("the engine is %s", exec)
	}
	if !s.Questions.Close() || s.Questions.Close() || s.Model(false).Findings != nil {
		t.Error("it does not close")
	}
}

// TestTunerTakesTheFastest: unless that may be chance.
func TestTunerTakesTheFastest(t *testing.T) {
	cost := func(ms ...float64) (costs []time.Duration) {
		for _, x := range ms {
			costs = append(costs, time.Duration(x*float64(time.Millisecond)))
		}
		return costs
	}
	for want, fast := range map[string][]time.Duration{
		"wavefront":  cost(8, 8.1, 8.2, 7.9, 8, 8, 8, 8, 9),
		"megakernel": cost(8, 10, 9, 10.5, 9.9, 9.8, 10, 10.2, 9),
	} {
		r := &tuning{of: &Side{}, variants: variants()}
		for i := range r.variants {
			r.variants[i].costs = cost(10, 10.1, 9.9, 10, 10, 10.2, 9.8, 10, 10)
		}
		r.variants[1].costs = fast
		if r.take(); r.of.Settings.Exec != want || !strings.HasPrefix(r.said, want+" is taken") {
			t.Errorf("it takes %s and says %s, want %s", r.of.Settings.Exec, r.said, want)
		}
	}
}
