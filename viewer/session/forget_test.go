package session

import (
	"context"
	"runtime"
	"testing"
	"time"
	"weak"

	"glint/tracer"
	"glint/tracer/builtin"
	"glint/tracer/scene"
	"glint/tracer/settings"
)

// TestScenesAreForgotten: nothing that the user does with a scene holds it once another is shown.
func TestScenesAreForgotten(t *testing.T) {
	inspect := func(s *Session) {
		if _, err := s.Render(UserState{Inspect: true, Over: true, X: 10, Y: 10}, time.Now(), time.Millisecond); err != nil {
			t.Fatal(err)
		}
	}
	for name, do := range map[string]func(s *Session){
		"nothing":   func(*Session) {},
		"tuner":     func(s *Session) { s.Do(Tune{}) },
		"tour":      func(s *Session) { s.Do(StartTour{}) },
		"noise":     func(s *Session) { s.Do(LookForNoise{}) },
		"two sides": func(s *Session) { s.Do(OpenSplit{}) },
		"reference": func(s *Session) { s.Do(OpenSplit{}); s.Do(ToggleReference{}) },
		"dots":      func(s *Session) { s.Do(FindOutliers{}) },
		"selected":  func(s *Session) { s.Do(SelectObject{Object: "/materials/0"}) },
		"settings": func(s *Session) {
			other := s.Sides.Active.Settings
			other.Bounces = 3
			s.Do(SetSettings{Settings: other})
		},
		"save": func(s *Session) { s.Do(SaveImage{}) },
		"light": func(s *Session) {
			s.Do(OpenEnvironment{Spec: "sky:8"})
			until(t, s, "the sky", func() bool { return s.Loader.Loading == nil && s.Sides.Active.Stats.Samples > 0 })
		},
		"light given up": func(s *Session) { s.Do(OpenEnvironment{Spec: "sky:8"}) },
		"inspector":      inspect,
		"side B, asked and changed": func(s *Session) {
			s.Do(OpenSplit{})
			s.Do(SetShow{Show: OneSide})
			s.Do(ChooseSide{Side: 1})
			until(t, s, "samples of B", func() bool { return s.Sides.Active.Stats.Samples > 2 })
			inspect(s)
			other := s.Sides.Active.Settings
			other.Bounces = 3
			s.Do(SetSettings{Settings: other})
			until(t, s, "samples of B", func() bool { return s.Sides.Active.Stats.Samples > 2 })
			s.Sides.CloseSplit()
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			first, err := builtin.Make("cornell", builtin.Options{})
			if err != nil {
				t.Fatal(err)
			}
			load := func(_ context.Context, path string, _ scene.Options) (*scene.Scene, error) {
				return builtin.Make(path, builtin.Options{})
			}
			s := New(Options{Scene: first, Load: load, Settings: settings.Defaults(), Tracer: tracer.Options{Backend: "cpu"}}, headless(64, 48), Remembered{}, time.Now())
			defer func() {
				if err := s.Close(); err != nil {
					t.Error(err)
				}
			}()
			if err := s.Start(); err != nil {
				t.Fatal(err)
			}
			until(t, s, "samples", func() bool { return s.Sides.Active.Stats.Samples > 2 })
			do(s)
			old := weak.Make(s.Stage.Shown.Prepared)
			frames := 0
			until(t, s, "a few frames", func() bool { frames++; return frames > 5 })
			s.Do(OpenScene{Path: "cornell-glossy"})
			until(t, s, "another scene", func() bool {
				return s.Loader.Loading == nil && s.Stage.Shown.Scene.Name == "cornell-glossy" && s.Sides.Active.Stats.Samples > 2
			})
			s.Sides.CloseSplit()
			for range 3 {
				runtime.GC()
			}
			if old.Value() != nil {
				t.Error("the first scene is held")
			}
		})
	}
}
