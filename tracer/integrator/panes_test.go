package integrator_test

import (
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"glint/tracer/imageio"
	"glint/tracer/scene"
	"glint/tracer/settings"
	"glint/tracer/tracertest"
)

// pane is smooth thin glass.
func pane(r, g, b float32) scene.Material {
	m := scene.NewMaterial("pane")
	m.BaseColor, m.Metallic, m.Roughness, m.Transmission = mgl32.Vec4{r, g, b, 1}, 0, 0, 1
	return m
}

// addPane adds a horizontal one, 20 m wide.
func addPane(s *scene.Scene, y float32, m scene.Material) {
	tracertest.AddQuad(s, mgl32.Vec3{-10, y, 10}, mgl32.Vec3{20, 0, 0}, mgl32.Vec3{0, 0, -20}, m)
}

// reflectance is a dielectric's, unpolarised, at |cos θ| from outside (Fresnel).
func reflectance(cos, ior float64) float64 {
	inside := math.Sqrt(1 - (1-cos*cos)/(ior*ior))
	across, along := (cos-ior*inside)/(cos+ior*inside), (ior*cos-inside)/(ior*cos+inside)
	return (across*across + along*along) / 2
}

// everyWay runs a test for all integrators that trace light, by all engines.
func everyWay(t *testing.T, try func(t *testing.T, o settings.Settings)) {
	for _, integrator := range []string{"direct", "path", "restir-gi", "restir"} {
		for engine, by := range engines() {
			t.Run(integrator+" "+engine, func(t *testing.T) {
				try(t, tracertest.Settings(func(o *settings.Settings) {
					by(o)
					o.Integrator, o.Antialias, o.Roulette = integrator, false, false
				}))
			})
		}
	}
}

// everyIntegrator renders a shot by all integrators that trace light and tests the pictures. Other engines than the first, which would
// give the very same picture, are only held to that, with few samples.
func everyIntegrator(t *testing.T, fx *tracertest.Fixture, shot tracertest.Shot, test func(t *testing.T, img *imageio.Image)) {
	for _, integrator := range []string{"direct", "path", "restir-gi", "restir"} {
		t.Run(integrator, func(t *testing.T) {
			shot.Settings.Integrator, shot.Settings.Antialias, shot.Settings.Roulette = integrator, false, false
			shot.Settings.Exec = "megakernel"
			test(t, fx.Render(shot))
			few := shot
			few.Samples, few.Settings.Seed = 4, 1 // another seed: samples do not join those before
			for _, engine := range othersThanMegakernel(fx, few) {
				t.Errorf("%s gives another picture than the megakernel", engine)
			}
		})
	}
}

// Lights without area shine through panes, dimmed by Fresnel's share and tinted: E = I cos θ / d² · ∏ (1 − F(θ)) · tint.
func TestLightsShineThroughPanes(t *testing.T) {
	const size, view, albedo = 16, 60, 0.6
	above := mgl32.Vec3{0.2, 3, -0.1}
	lights := map[string]scene.Light{
		"point":       {Kind: scene.LightPoint, Position: above, Intensity: mgl32.Vec3{7, 7, 7}},
		"spot":        {Kind: scene.LightSpot, Position: above, Direction: mgl32.Vec3{0, -1, 0}, InnerCone: 1, OuterCone: 1.2, Intensity: mgl32.Vec3{7, 7, 7}},
		"directional": {Kind: scene.LightDirectional, Direction: mgl32.Vec3{1, -2, 0.5}.Normalize(), Intensity: mgl32.Vec3{7, 7, 7}},
	}
	fx := tracertest.OnBestBackend(t)
	everyWay(t, func(t *testing.T, o settings.Settings) {
		o.Bounces = 1
		for name, light := range lights {
			for _, tints := range [][]mgl32.Vec3{{{1, 1, 1}}, {{1, 0.5, 0.25}}, {{0.9, 0.9, 0.5}, {0.5, 0.8, 1}, {1, 1, 1}}} {
				s, camera := tracertest.Ground(albedo, view)
				s.Lights = []scene.Light{light}
				for i, tint := range tints {
					addPane(s, 2+0.1*float32(i), pane(tint[0], tint[1], tint[2]))
				}
				img := fx.Use(s, tracertest.Dark()).Render(tracertest.Shot{Camera: camera, Width: size, Height: size, Samples: 1, Settings: o})
				half := math.Tan(view / 2 * math.Pi / 180)
				for i := range size * size {
					at := func(k int) float32 { return float32((2*(float64(k)+0.5)/size - 1) * half) }
					to, E := above.Sub(mgl32.Vec3{at(i % size), 0, at(i / size)}), 7.0
					if light.Kind == scene.LightDirectional {
						to = light.Direction.Mul(-1)
					} else {
						E /= float64(to.LenSqr())
					}
					cos := float64(to.Normalize()[1])
					for c := range 3 {
						want := albedo / math.Pi * E * cos
						for _, tint := range tints {
							want *= float64(tint[c]) * (1 - reflectance(cos, 1.5))
						}
						if got := float64(img.Pix[3*i+c]); math.Abs(got-want) > 1e-3*want {
							t.Fatalf("%s, %d panes: pixel %d, channel %d is %.6f, want %.6f", name, len(tints), i, c, got, want)
						}
					}
				}
			}
		}
	})
}

// In light that comes evenly from everywhere, glass that absorbs nothing vanishes, whether shadow rays or chance find the light
// behind it, and behind more panes than shadow rays pass.
func TestPanesInFurnace(t *testing.T) {
	s, camera := tracertest.Ground(1, 60)
	for i := range 12 {
		tracertest.AddQuad(s, mgl32.Vec3{-50, 1.5 + 0.1*float32(i), 50}, mgl32.Vec3{100, 0, 0}, mgl32.Vec3{0, 0, -100}, pane(1, 1, 1))
	}
	fx := tracertest.OnBestBackend(t).Use(s, tracertest.Constant(1))
	for _, sampling := range []string{"bsdf", "light", "mis"} {
		for _, integrator := range []string{"path", "restir-gi", "restir"} {
			for _, engine := range []string{"megakernel", "wavefront"} {
				o := tracertest.Settings(func(o *settings.Settings) {
					o.Integrator, o.Sampling, o.Exec, o.Roulette, o.Bounces = integrator, sampling, engine, false, 200
				})
				img := fx.Render(tracertest.Shot{Camera: camera, Width: 24, Height: 24, Samples: 16, Settings: o})
				if mean := tracertest.Mean(img)[1]; math.Abs(mean-1) > 0.01 {
					t.Errorf("%s by %s, %s: mean %.4f, want 1", integrator, sampling, engine, mean)
				}
			}
		}
	}
}

// glazedRoom is a box with a tinted window in its ceiling, under a lamp and a sky, and a pane that stands in it.
func glazedRoom() (*scene.Scene, scene.Camera) {
	s := &scene.Scene{Name: "glazed room"}
	gray := tracertest.Matte(0.7)
	for _, q := range [][3]mgl32.Vec3{
		{{-1, 0, 1}, {2, 0, 0}, {0, 0, -2}},
		{{-1, 0, -1}, {2, 0, 0}, {0, 2, 0}}, {{-1, 0, 1}, {0, 0, -2}, {0, 2, 0}}, {{1, 0, -1}, {0, 0, 2}, {0, 2, 0}},
	} {
		tracertest.AddQuad(s, q[0], q[1], q[2], gray)
	}
	tracertest.AddQuad(s, mgl32.Vec3{-1, 2, -1}, mgl32.Vec3{2, 0, 0}, mgl32.Vec3{0, 0, 2}, pane(0.9, 0.6, 0.3))
	tracertest.AddQuad(s, mgl32.Vec3{-0.2, 0, -0.8}, mgl32.Vec3{0.5, 0, 0.5}, mgl32.Vec3{0, 1.2, 0}, pane(0.4, 0.8, 0.9))
	half := pane(0.8, 0.8, 0.8)
	half.Transmission = 0.5 // the rest is a Lambert base
	tracertest.AddQuad(s, mgl32.Vec3{0.2, 0, 0.2}, mgl32.Vec3{0.5, 0, -0.2}, mgl32.Vec3{0, 0.6, 0}, half)
	tracertest.AddQuad(s, mgl32.Vec3{-0.6, 3, -0.6}, mgl32.Vec3{1.2, 0, 0}, mgl32.Vec3{0, 0, 1.2}, tracertest.Emitter(4))
	return s, scene.Camera{Eye: mgl64.Vec3{0, 1, 3}, Target: mgl64.Vec3{0, 0.8, 0}, Up: mgl32.Vec3{0, 1, 0}, VFov: 45}
}

// Behind panes light samples and sharing leave the mean where chance hits have it.
func TestIntegratorsAgreeBehindPanes(t *testing.T) {
	s, camera := glazedRoom()
	env := leaning(mgl32.Vec3{0.5, 0.3, 0.2})
	shot := tracertest.Shot{Camera: camera, Width: 32, Height: 32, Samples: 10,
		Settings: tracertest.Settings(func(o *settings.Settings) { o.Roulette, o.Bounces = false, 5 })}
	integratorsAgree(t, shot, func(t *testing.T) *tracertest.Fixture { return tracertest.OnBestBackend(t).Use(s, env) },
		"path", "restir-gi", "restir")
}

// The engines give the same bits behind panes, too.
func TestEnginesAgreeBehindPanes(t *testing.T) {
	s, camera := glazedRoom()
	env := leaning(mgl32.Vec3{0.5, 0.3, 0.2})
	enginesAgree(t, tracertest.Shot{Camera: camera, Width: 50, Height: 37, Samples: 3, Settings: settings.Defaults()},
		func(t *testing.T) *tracertest.Fixture { return tracertest.OnFastest(t).Use(s, env) }, "path", "restir-gi", "restir")
}
