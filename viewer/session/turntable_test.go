package session

import (
	"math"
	"testing"
	"time"

	"github.com/go-gl/mathgl/mgl64"

	"glint/tracer"
	"glint/tracer/builtin"
	"glint/tracer/settings"
)

// TestTurntable: the view goes round its pivot once in 20 s, as a view that the user drags, until the user moves it.
func TestTurntable(t *testing.T) {
	cornell, err := builtin.Make("cornell", builtin.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s := New(Options{Scene: cornell, Settings: settings.Defaults(), Tracer: tracer.Options{Backend: "cpu"}}, headless(32, 24), Remembered{}, time.Now())
	defer func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}()
	if err := s.Start(); err != nil {
		t.Fatal(err)
	}
	s.Do(ToggleTurntable{})
	if s.Stage.Turntable.On {
		t.Error("it turns before there is a scene")
	}
	until(t, s, "samples", func() bool { return s.Sides.Active.Stats.Shown > 0 })
	c := &s.Stage.Camera
	c.Pivot = c.Pivot.Add(mgl64.Vec3{0.1, 0, 0.2}) // a double click
	before, distance := *c, c.Pivot.Sub(c.Camera.Eye).Len()
	turn := func(seconds float64) {
		for range int(math.Round(seconds * 20)) {
			s.Update(time.Now(), 0.05)
		}
	}

	s.Do(ToggleTurntable{})
	turn(5)
	was, now := before.Camera.Eye.Sub(c.Pivot), c.Camera.Eye.Sub(c.Pivot)
	if across := was[0]*now[0] + was[2]*now[2]; math.Abs(across) > 1e-3*distance*distance || math.Abs(now.Len()-distance) > 1e-4*distance || now[1] != was[1] {
		t.Errorf("after a quarter the eye is at %v, first %v", now, was)
	}
	for _, later := range []time.Duration{0, 3 * time.Second} { // as slow as frames may be
		if _, err := s.Render(UserState{}, time.Now().Add(later), time.Millisecond); err != nil {
			t.Fatal(err)
		}
	}
	if !s.Frames.Rendered.View.Moving || !s.Model(false).Turning {
		t.Error("it does not count as motion")
	}
	turn(15)
	if off := c.Camera.Eye.Sub(before.Camera.Eye).Len(); off > 1e-3*distance || c.Pivot != before.Pivot {
		t.Errorf("after a turn the eye is %v m off", off)
	}

	s.Editor.StepSetting("exposure", 1)
	if turn(0.05); !s.Stage.Turntable.On {
		t.Error("a setting stops it")
	}
	c.Zoom(0.9)
	at := c.Camera
	if turn(0.1); s.Stage.Turntable.On || c.Camera != at || s.Model(false).Turning {
		t.Error("it goes on after the user has moved the view")
	}
	s.Do(ToggleTurntable{})
	s.Do(ToggleTurntable{})
	if turn(0.1); c.Camera != at {
		t.Error("the key does not stop it")
	}
}
