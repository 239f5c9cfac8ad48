package integrator_test

import (
	"testing"

	"github.com/go-gl/mathgl/mgl32"

	"glint/tracer/imageio"
	"glint/tracer/scene"
	"glint/tracer/settings"
	"glint/tracer/tracertest"
)

// underManyLamps is a polished ground and a sheet that light comes through, under lamps of all kinds: near, turned away, of two
// sides, points and spots.
func underManyLamps() (*scene.Scene, scene.Camera) {
	s, camera := tracertest.Ground(0.5, 60)
	floor := &s.Materials[0]
	floor.Roughness, floor.Specular = 0.25, 1
	sheet := tracertest.Matte(0.6)
	sheet.DoubleSided, sheet.Translucency.Factor = true, 0.5
	tracertest.AddQuad(s, mgl32.Vec3{-0.5, 0.15, -0.2}, mgl32.Vec3{0.4, 0.1, 0}, mgl32.Vec3{0, 0, 0.4}, sheet)
	for i := range 48 {
		x, z := float32(i%8)*0.15-0.5, float32(i/8)*0.2-0.5
		at, turn := mgl32.Vec3{x, 0.1 + 0.05*float32(i%5), z}, float32(i%7)*0.02-0.06
		lamp := tracertest.Emitter(1 + float32(i%4))
		lamp.DoubleSided = i%3 == 0
		tracertest.AddQuad(s, at, mgl32.Vec3{0.06, turn, 0}, mgl32.Vec3{0, -turn, 0.06}, lamp)
		l := scene.Light{Kind: scene.LightPoint, Position: at.Add(mgl32.Vec3{0.05, 0.03, 0.05}), Intensity: mgl32.Vec3{0.004, 0.003, 0.002}}
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
	v := tracertest.Shot{Camera: camera, Width: 48, Height: 48, Samples: 12, Settings: tracertest.Settings(func(o *settings.Settings) {
		o.Bounces, o.RestirRadius, o.LightChoice = 4, 6*1080/48, "power"
	})}
	fx := tracertest.OnBestBackend(t).Use(s, tracertest.Dark())
	reference := fx.RenderSide(v, agreementRuns, naiveSeed)
	v.Settings.LightChoice, v.Samples = "place", 2
	for _, row := range []struct{ integrator, sampling string }{
		{"path", "mis"}, {"path", "light"}, {"restir-gi", "mis"}, {"restir", "mis"},
	} {
		t.Run(row.integrator+"/"+row.sampling, func(t *testing.T) {
			v := v
			v.Settings.Integrator, v.Settings.Sampling = row.integrator, row.sampling
			got := biasRun{least: 256, most: 256, b: reference}
			got.render(t, func(seed int) *imageio.Image {
				v.Settings.Seed = seed
				return fx.Render(v)
			})
			got.check(t, 0.003)
		})
	}
}
