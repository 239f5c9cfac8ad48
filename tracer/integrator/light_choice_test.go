package integrator_test

import (
	"testing"

	"github.com/go-gl/mathgl/mgl32"

	"glint/cuda"
	"glint/tracer/scene"
	"glint/tracer/schedule"
	"glint/tracer/settings"
	"glint/tracer/tracertest"
	"glint/tracer/view"
)

// underManyLamps is a polished ground and a sheet that light comes through, under a field of lamps of all kinds: near, far, turned
// away, of two sides, points and spots. Tiles on the ground are the places where choosing by place is found to pay.
func underManyLamps() (*scene.Scene, scene.Camera) {
	s, camera := tracertest.Ground(0.5, 60)
	floor := &s.Materials[0]
	floor.Roughness, floor.Specular = 0.25, 1
	sheet := tracertest.Matte(0.6)
	sheet.DoubleSided, sheet.Translucency.Factor = true, 0.5
	tracertest.AddQuad(s, mgl32.Vec3{-0.5, 0.15, -0.2}, mgl32.Vec3{0.4, 0.1, 0}, mgl32.Vec3{0, 0, 0.4}, sheet)
	for i := range 256 {
		x, z := float32(i%16)*0.4-3, float32(i/16)*0.4-3
		tracertest.AddQuad(s, mgl32.Vec3{x, 0.001, z + 0.2}, mgl32.Vec3{0.1, 0, 0}, mgl32.Vec3{0, 0, -0.1}, *floor)
		at, turn := mgl32.Vec3{x, 0.1 + 0.05*float32(i%5), z}, float32(i%7)*0.03-0.09
		lamp := tracertest.Emitter(3 + float32(i%4))
		lamp.DoubleSided = i%3 == 0
		tracertest.AddQuad(s, at, mgl32.Vec3{0.09, turn, 0}, mgl32.Vec3{0, -turn, 0.09}, lamp)
		l := scene.Light{Kind: scene.LightPoint, Position: at.Add(mgl32.Vec3{0.05, 0.06, 0.05}), Intensity: mgl32.Vec3{0.004, 0.003, 0.002}}
		if i%2 == 0 {
			l.Kind, l.Direction, l.InnerCone, l.OuterCone = scene.LightSpot, mgl32.Vec3{turn * 8, -1, 0}.Normalize(), 0.3, 0.9
		}
		s.Lights = append(s.Lights, l)
	}
	return s, camera
}

// Lights chosen by place give the picture that those chosen by power give, in all that samples them.
func TestChoicesOfLightsAgree(t *testing.T) {
	s, camera := underManyLamps()
	open := func(t *testing.T) *tracertest.Fixture { return tracertest.OnBestBackend(t).Use(s, tracertest.Dark()) }
	shot := tracertest.Shot{Camera: camera, Width: 48, Height: 48, Samples: 12, Settings: tracertest.Settings(func(o *settings.Settings) {
		o.Bounces, o.RestirRadius, o.LightChoice = 4, tracertest.ReuseRadius(6, 48), "power"
	})}
	integrators := []string{"path", "restir"}
	if tracertest.Long() {
		shot.Samples = 1024
		integrators = append(integrators, "restir-gi") // which chooses lights as path does
	}
	want := open(t).RenderSide(shot, agreementRuns, naiveSeed)
	shot.Settings.LightChoice = "place"
	fx := tracertest.OnCPU(t).Use(s, tracertest.Dark())
	fx.Frame(schedule.Request{View: view.View{Camera: camera, Width: 8, Height: 8}}, shot.Settings, view.Target{})
	if frame := fx.Device.FrameOf(cuda.TracePaths); frame.Scene.LightTree.Share == 0 {
		t.Fatal("there is no tree to choose by place with")
	}
	for _, integrator := range integrators {
		t.Run(integrator, func(t *testing.T) {
			tracertest.Parallel(t)
			shot := shot
			shot.Settings.Integrator = integrator
			got := biasRun{a: *open(t).RenderSide(shot, agreementRuns, 1), b: want}
			got.check(t, 0.0025)
		})
	}
}
