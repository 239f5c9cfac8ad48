package session

import (
	"testing"
	"time"

	"glint/tracer/scene"
	"glint/tracer/settings"
)

// TestPhotographersWords: lenses that photographers know, by their vertical angles on a full-frame sensor.
func TestPhotographersWords(t *testing.T) {
	for _, c := range []struct {
		vfov     float32
		aperture float64
		length   string
		number   string
	}{
		{73.74, 16e-3 / 2.8, "16 mm", "f/2.8"}, {37.85, 12.5e-3, "35 mm", "f/2.8"}, {26.99, 50e-3 / 1.4, "50 mm", "f/1.4"},
		{6.867, 200e-3 / 16, "200 mm", "f/16"}, {37.85, 0, "35 mm", ""}, {37.85, 5, "35 mm", "f/0.007"},
	} {
		camera := scene.Camera{VFov: c.vfov}
		if length, number := FocalLength(camera), FNumber(c.aperture, camera); length != c.length || number != c.number {
			t.Errorf("%v degrees and %v m are %q, %q, want %q, %q", c.vfov, c.aperture, length, number, c.length, c.number)
		}
		camera.Orthographic = 1
		if FocalLength(camera)+FNumber(c.aperture, camera) != "" {
			t.Error("a parallel view has a focal length")
		}
	}
}

// TestApertureIsSaid: a key that changes the aperture says what a photographer calls it.
func TestApertureIsSaid(t *testing.T) {
	s := New(Options{Settings: settings.Defaults()}, headless(64, 48), Remembered{}, time.Now())
	s.Stage.Camera = NewCamera(scene.Camera{VFov: 37.85}, 1)
	s.Editor.StepSetting("aperture", 1)
	if got := s.Messages[len(s.Messages)-1].Text; got != "aperture: 0.01 m · f/3.5 at 35 mm" {
		t.Errorf("it says %q", got)
	}
	s.Editor.StepSetting("aperture", -1)
	if got := s.Messages[len(s.Messages)-1].Text; got != "aperture: 0 m" {
		t.Errorf("a pinhole says %q", got)
	}
}
