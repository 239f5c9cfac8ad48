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

// addBox adds a box of one material whose faces look outwards, or inwards.
func addBox(s *scene.Scene, low, high mgl32.Vec3, inwards bool, m scene.Material) {
	first, material := len(s.Faces), uint32(len(s.Materials))
	defer func() {
		for i := range s.Faces[first:] {
			s.Faces[first+i].Material = material
		}
	}()
	for axis := range 3 {
		for side, corner := range []mgl32.Vec3{low, high} {
			var u, v mgl32.Vec3
			u[(axis+1)%3], v[(axis+2)%3] = high[(axis+1)%3]-low[(axis+1)%3], high[(axis+2)%3]-low[(axis+2)%3]
			if side == 1 {
				u, v = u.Mul(-1), v.Mul(-1)
			}
			if (side == 0) != inwards {
				u, v = v, u
			}
			tracertest.AddQuad(s, corner, u, v, m)
		}
	}
}

// absorber is a volume that lets light in unbent.
func absorber(r, g, b float64) scene.Material {
	m := tracertest.Matte(1)
	volume{sigmaT: [3]float64{r, g, b}, ior: 1}.applyTo(&m)
	m.MultiscatterColor = mgl32.Vec3{}
	return m
}

// glowing is a small plate at a height z that shines to both sides.
func glowing(s *scene.Scene, z float32) {
	m := tracertest.Emitter(1)
	m.DoubleSided = true
	tracertest.AddQuad(s, mgl32.Vec3{-0.5, -0.5, z}, mgl32.Vec3{1, 0, 0}, mgl32.Vec3{0, 1, 0}, m)
}

// What stands in a volume is seen through it, from outside and from inside: exp(−σ d) of its light arrives (Beer and Lambert).
func TestThingsInVolumes(t *testing.T) {
	box := func(s *scene.Scene, low, high, half float32, m scene.Material) {
		addBox(s, mgl32.Vec3{-half, -half, low}, mgl32.Vec3{half, half, high}, false, m)
	}
	red, blue := [3]float64{0.5, 1, 2}, [3]float64{1.5, 0.7, 0.1}
	fx := tracertest.OnBestBackend(t)
	a, b := absorber(red[0], red[1], red[2]), absorber(blue[0], blue[1], blue[2])
	for name, row := range map[string]struct {
		make               func(s *scene.Scene)
		eye                float32 // z, looking towards −z where it is above the plate
		throughA, throughB float64
	}{
		"near the front":         {func(s *scene.Scene) { box(s, -1, 1, 2, a); glowing(s, 0.75) }, 5, 0.25, 0},
		"deep":                   {func(s *scene.Scene) { box(s, -1, 1, 2, a); glowing(s, -0.75) }, 5, 1.75, 0},
		"from behind":            {func(s *scene.Scene) { box(s, -1, 1, 2, a); glowing(s, -0.75) }, -5, 0.25, 0},
		"behind it":              {func(s *scene.Scene) { box(s, -1, 1, 2, a); glowing(s, -3) }, 5, 2, 0},
		"in a volume in one":     {func(s *scene.Scene) { box(s, -1, 1, 2, a); box(s, -0.5, 0.5, 1, b); glowing(s, 0) }, 5, 0.5, 0.5},
		"behind one in one":      {func(s *scene.Scene) { box(s, -1, 1, 2, a); box(s, -0.5, 0.5, 1, b); glowing(s, -0.75) }, 5, 0.75, 1},
		"in two that overlap":    {func(s *scene.Scene) { box(s, -1, 0.5, 2, a); box(s, -0.5, 1, 2, b); glowing(s, -0.75) }, 5, 1.25, 0.5},
		"with the eye":           {func(s *scene.Scene) { box(s, -1, 1, 2, a); glowing(s, -0.75) }, 0.5, 1.25, 0},
		"eye in a volume in one": {func(s *scene.Scene) { box(s, -1, 1, 2, a); box(s, -0.5, 0.5, 1, b); glowing(s, -0.75) }, 0.25, 0.25, 0.75},
		"eye in, plate out":      {func(s *scene.Scene) { box(s, -1, 1, 2, a); glowing(s, -3) }, 0, 1, 0},
		"beside one sheet": {func(s *scene.Scene) { // which encloses nothing
			tracertest.AddQuad(s, mgl32.Vec3{-2, -2, 1}, mgl32.Vec3{4, 0, 0}, mgl32.Vec3{0, 4, 0}, a)
			glowing(s, 0.5)
		}, -1, 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			s := &scene.Scene{Name: name}
			row.make(s)
			eye := mgl32.Vec3{0, 0, row.eye}
			target := mgl32.Vec3{0, 0, -10}
			if row.eye < -0.9 {
				target = mgl32.Vec3{0, 0, 10}
			}
			camera := scene.Camera{Eye: scene.Wide(eye), Target: scene.Wide(target), Up: mgl32.Vec3{0, 1, 0}, VFov: 1}
			fx.Use(s, tracertest.Dark())
			everyWay(t, func(t *testing.T, o settings.Settings) {
				if o.Integrator == "direct" {
					return // it ends at the volume's surface
				}
				img := fx.Render(tracertest.Shot{Camera: camera, Width: 5, Height: 5, Samples: 4, Settings: o})
				for c := range 3 {
					want := math.Exp(-red[c]*row.throughA - blue[c]*row.throughB)
					if got := tracertest.Mean(img)[c]; math.Abs(got-want) > 2e-3*want {
						t.Errorf("channel %d: %.5f, want %.5f", c, got, want)
					}
				}
			})
		})
	}
}

// roomInVolume is a lamp and a matte block in a volume.
func roomInVolume(m scene.Material) (*scene.Scene, scene.Camera) {
	s := &scene.Scene{Name: "room in a volume"}
	addBox(s, mgl32.Vec3{-1, -1, -1}, mgl32.Vec3{1, 1, 1}, false, m)
	addBox(s, mgl32.Vec3{-0.6, -0.8, -0.6}, mgl32.Vec3{0.1, 0, 0.1}, false, tracertest.Matte(0.8))
	tracertest.AddQuad(s, mgl32.Vec3{-0.9, -0.9, 0.9}, mgl32.Vec3{1.8, 0, 0}, mgl32.Vec3{0, 0, -1.8}, tracertest.Matte(0.6))
	tracertest.AddQuad(s, mgl32.Vec3{-0.5, 0.6, -0.5}, mgl32.Vec3{1, 0, 0}, mgl32.Vec3{0, 0, 1}, tracertest.Emitter(3))
	return s, scene.Camera{Eye: mgl64.Vec3{1, 0.6, 3}, Target: mgl64.Vec3{0, -0.2, 0}, Up: mgl32.Vec3{0, 1, 0}, VFov: 40}
}

// In a volume light samples and sharing leave the mean where chance hits have it.
func TestIntegratorsAgreeInVolumes(t *testing.T) {
	fog := volume{sigmaT: [3]float64{0.5, 0.7, 1}, albedo: [3]float64{0.9, 0.8, 0.7}, g: 0.3, ior: 1.2}
	clear, rough, foggy := absorber(0.5, 1, 2), absorber(0.5, 1, 2), tracertest.Matte(1)
	clear.IOR, rough.IOR, rough.Roughness = 1.3, 1.3, 0.4
	fog.applyTo(&foggy)
	for name, m := range map[string]scene.Material{"clear": clear, "rough": rough, "fog": foggy} {
		t.Run(name, func(t *testing.T) {
			if name != "rough" && !tracertest.Long() {
				t.Skip("takes a quarter of a minute: set GLINT_LONG=1")
			}
			s, camera := roomInVolume(m)
			env := leaning(mgl32.Vec3{0.5, 0.3, 0.2})
			shot := tracertest.Shot{Camera: camera, Width: 32, Height: 32, Samples: 10,
				Settings: tracertest.Settings(func(o *settings.Settings) { o.Roulette, o.Bounces = false, 8 })}
			if tracertest.Long() {
				shot.Samples *= 8
			}
			integratorsAgree(t, shot, func(t *testing.T) *tracertest.Fixture { return tracertest.OnBestBackend(t).Use(s, env) },
				"path", "restir")
		})
	}
}

// A lamp in fog looks as it does in a hole of the fog that fits it closely: there, fog ends where light leaves it.
func TestLampsInFogMatchLampsInHoles(t *testing.T) {
	fog := tracertest.Matte(1)
	gray(0.8, 0.6, 0.2).applyTo(&fog)
	picture := func(hole bool) (*scene.Scene, scene.Camera) {
		s := &scene.Scene{Name: "lamp in fog"}
		addBox(s, mgl32.Vec3{-1, -1, -1}, mgl32.Vec3{1, 1, 1}, false, fog)
		addBox(s, mgl32.Vec3{-0.4, -0.2, -0.3}, mgl32.Vec3{0.2, 0.3, 0.2}, false, tracertest.Emitter(3))
		if hole {
			addBox(s, mgl32.Vec3{-0.401, -0.201, -0.301}, mgl32.Vec3{0.201, 0.301, 0.201}, true, fog)
		}
		return s, scene.Camera{Eye: mgl64.Vec3{1, 0.6, 3}, Up: mgl32.Vec3{0, 1, 0}, VFov: 40}
	}
	s, camera := picture(true)
	v := tracertest.Shot{Camera: camera, Width: 32, Height: 32, Samples: 80,
		Settings: tracertest.Settings(func(o *settings.Settings) { o.Integrator, o.Bounces = "path", 64 })}
	want := tracertest.OnBestBackend(t).Use(s, tracertest.Dark()).RenderSide(v, agreementRuns, naiveSeed)
	s, _ = picture(false)
	agree(t, tracertest.OnBestBackend(t).Use(s, tracertest.Dark()).RenderSeeds(v, agreementRuns, 1), want)
}

// The engines give the same bits in volumes, too.
func TestEnginesAgreeInVolumes(t *testing.T) {
	m := absorber(0.5, 1, 2)
	m.IOR = 1.3
	s, camera := roomInVolume(m)
	for _, eye := range []mgl64.Vec3{camera.Eye, {0.5, 0.3, 0.8}} {
		camera.Eye = eye
		enginesAgree(t, tracertest.Shot{Camera: camera, Width: 50, Height: 37, Samples: 3, Settings: settings.Defaults()},
			func(t *testing.T) *tracertest.Fixture {
				return tracertest.OnFastest(t).Use(s, tracertest.Constant(0.5))
			}, "path", "restir")
	}
}

// Light of a lamp without area that is scattered once: ∫ σs p(cos θ) I / d² exp(−σt (s + d)) ds along the eye's ray, summed.
func TestLampWithoutAreaInFog(t *testing.T) {
	const sigma, albedo, g, intensity = 0.8, 0.6, 0.4, 5
	fog := tracertest.Matte(1)
	gray(sigma, albedo, g).applyTo(&fog)
	s := &scene.Scene{Name: "lamp without area in fog"}
	addBox(s, mgl32.Vec3{-2, -2, -1}, mgl32.Vec3{2, 2, 1}, false, fog)
	lamp := mgl32.Vec3{0.5, 0.2, 0.1}
	s.Lights = []scene.Light{{Kind: scene.LightPoint, Position: lamp, Intensity: mgl32.Vec3{intensity, intensity, intensity}}}
	want := 0.0
	const steps = 20000
	for i := range steps {
		depth := 2 * (float64(i) + 0.5) / steps
		to := lamp.Sub(mgl32.Vec3{0, 0, float32(1 - depth)})
		d := float64(to.Len())
		cos := -float64(to[2]) / d // of the direction of travel, −z
		phase := (1 - g*g) / (4 * math.Pi * math.Pow(1+g*g-2*g*cos, 1.5))
		want += sigma * albedo * phase * intensity / (d * d) * math.Exp(-sigma*(depth+d)) * 2 / steps
	}
	camera := scene.Camera{Eye: mgl64.Vec3{0, 0, 5}, Up: mgl32.Vec3{0, 1, 0}, VFov: 0.1}
	fx := tracertest.OnBestBackend(t).Use(s, tracertest.Dark())
	shot := tracertest.Shot{Camera: camera, Width: 16, Height: 16, Samples: 256,
		Settings: tracertest.Settings(func(o *settings.Settings) { o.Bounces = 1 })} // in the fog; its surface takes none
	everyIntegrator(t, fx, shot, func(t *testing.T, img *imageio.Image) {
		if got := tracertest.Mean(img)[1]; math.Abs(got/want-1) > 0.01 {
			t.Errorf("radiance %.5f, want %.5f", got, want)
		}
	})
}
