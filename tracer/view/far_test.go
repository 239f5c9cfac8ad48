package view_test

import (
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"glint/tracer/scene"
	"glint/tracer/settings"
	"glint/tracer/tracertest"
	"glint/tracer/view"
)

// TestDirectionsFarAway: a camera anywhere looks where one at the origin does. Single precision keeps whole metres alone at 1.6e7 m.
func TestDirectionsFarAway(t *testing.T) {
	s := settings.Defaults()
	near := scene.Camera{Eye: mgl64.Vec3{0.25, 0.5, 1}, Target: mgl64.Vec3{0.125, 0.375, 0.0625}, Up: mgl32.Vec3{0, 1, 0}, VFov: 40}
	want := view.View{Camera: near, Width: 4, Height: 4}.Lens(&s)
	for _, away := range []float64{1e6, 1.6e7, 1e9} {
		far := near
		by := mgl64.Vec3{away, -away, away}
		far.Eye, far.Target = far.Eye.Add(by), far.Target.Add(by)
		got := view.View{Camera: far, Width: 4, Height: 4}.Lens(&s)
		if got.Forward != want.Forward || got.Right != want.Right || got.Up != want.Up || got.FocusDistance != want.FocusDistance {
			t.Errorf("%g m away the camera looks along %v, want %v", away, got.Forward, want.Forward)
		}
	}
}

// TestPictureFarAway: what stands 1 m ahead of a camera looks the same wherever both are. Its corners and the eye are where single
// precision has numbers; the target is not.
func TestPictureFarAway(t *testing.T) {
	picture := func(away float32) []float32 {
		s := &scene.Scene{Name: "far"}
		at := mgl32.Vec3{away, away, away}
		tracertest.AddQuad(s, at.Add(mgl32.Vec3{-1, -1, -1}), mgl32.Vec3{1, 0, 0}, mgl32.Vec3{0, 2, 0}, tracertest.Emitter(1))
		eye := scene.Wide(at)
		camera := scene.Camera{Eye: eye, Target: eye.Add(mgl64.Vec3{-0.2, 0.1, -1}), Up: mgl32.Vec3{0, 1, 0}, VFov: 50}
		return tracertest.OnCPU(t).Use(s, tracertest.Dark()).Render(tracertest.Shot{Camera: camera, Width: 32, Height: 32, Samples: 4,
			Settings: tracertest.Settings(func(s *settings.Settings) { s.Bounces = 0 })}).Pix
	}
	want := picture(0)
	for _, away := range []float32{1e6, 1.6e7} {
		differ, lit := 0, 0
		for i, v := range picture(away) {
			if v != want[i] {
				differ++
			}
			if v > 0 {
				lit++
			}
		}
		if differ > 0 || lit == 0 || lit == len(want) {
			t.Errorf("%g m away %d of %d values differ, %d are lit", away, differ, len(want), lit)
		}
	}
}
