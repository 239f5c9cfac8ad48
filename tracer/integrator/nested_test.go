package integrator_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"glint/tracer/scene"
	"glint/tracer/settings"
	"glint/tracer/tracertest"
)

// clearVolume absorbs nothing.
func clearVolume(ior, roughness float32) scene.Material {
	m := absorber(0, 0, 0)
	m.IOR, m.Specular, m.Roughness, m.AttenuationDistance = ior, 1, roughness, float32(math.Inf(1))
	return m
}

// ranked gives a volume a priority.
func ranked(m scene.Material, priority int) scene.Material {
	m.Priority = priority
	return m
}

// Where volumes overlap, light is absorbed by the one of the higher priority, whichever it has entered first.
func TestOverlapsAbsorbByPriority(t *testing.T) {
	red, blue := [3]float64{0.5, 1, 2}, [3]float64{1.5, 0.7, 0.1}
	a, b := absorber(red[0], red[1], red[2]), absorber(blue[0], blue[1], blue[2])
	overlap := func(s *scene.Scene, a, b scene.Material) {
		addBox(s, mgl32.Vec3{-2, -2, -1}, mgl32.Vec3{2, 2, 0.5}, false, a)
		addBox(s, mgl32.Vec3{-2, -2, -0.5}, mgl32.Vec3{2, 2, 1}, false, b)
	}
	inside := func(s *scene.Scene, a, b scene.Material) {
		addBox(s, mgl32.Vec3{-2, -2, -1}, mgl32.Vec3{2, 2, 1}, false, a)
		addBox(s, mgl32.Vec3{-1, -1, -0.5}, mgl32.Vec3{1, 1, 0.5}, false, b)
	}
	fx := tracertest.OnBestBackend(t)
	for name, row := range map[string]struct {
		make               func(s *scene.Scene, a, b scene.Material)
		a, b               int     // priorities
		eye, plate         float32 // z; the eye looks at the plate
		throughA, throughB float64
	}{
		"the second counts":            {overlap, 1, 0, 5, -0.75, 1.25, 0.5},
		"the first counts":             {overlap, 0, 1, 5, -0.75, 0.25, 1.5},
		"the first counts, from below": {overlap, 1, 0, -5, 0.75, 1.5, 0.25},
		"the second, from below":       {overlap, 0, 1, -5, 0.75, 0.5, 1.25},
		"plate in both, a counts":      {overlap, 3, -7, 5, 0, 0.5, 0.5},
		"plate in both, b counts":      {overlap, -1, 0, 5, 0, 0, 1},
		"eye in both, a counts":        {overlap, 1, 0, 0.25, -0.75, 1, 0},
		"eye in both, b counts":        {overlap, 0, 1, 0.25, -0.75, 0.25, 0.75},
		"hidden":                       {inside, 1, 0, 5, -0.75, 1.75, 0},
		"eye in a hidden one":          {inside, 1, 0, 0.25, -0.75, 1, 0},
		"plate in a hidden one":        {inside, 1, 0, 5, 0, 1, 0},
		"not hidden":                   {inside, 0, 1, 5, -0.75, 0.75, 1},
	} {
		t.Run(name, func(t *testing.T) {
			s := &scene.Scene{Name: name}
			row.make(s, ranked(a, row.a), ranked(b, row.b))
			glowing(s, row.plate)
			camera := scene.Camera{Eye: mgl64.Vec3{0, 0, float64(row.eye)}, Target: mgl64.Vec3{0, 0, float64(row.plate)}, Up: mgl32.Vec3{0, 1, 0}, VFov: 1}
			fx.Use(s, tracertest.Dark())
			everyWay(t, func(t *testing.T, o settings.Settings) {
				if o.Integrator == "direct" {
					return // it ends at the first surface
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

// The interface of two volumes reflects ((a − b) / (a + b))² at normal incidence, seen from either side, and the eye in one of them.
func TestInterfaceOfVolumesReflects(t *testing.T) {
	const samples = 1024
	fx := tracertest.OnBestBackend(t)
	for _, row := range []struct{ above, below float64 }{{1.33, 1.5}, {1.5, 1.33}, {1.33, 2.4}, {1.8, 1.8}} {
		s := &scene.Scene{Name: "two volumes"}
		addBox(s, mgl32.Vec3{-9, -9, -9}, mgl32.Vec3{9, 9, 0.25}, false, clearVolume(float32(row.below), 0))
		addBox(s, mgl32.Vec3{-9, -9, -0.25}, mgl32.Vec3{9, 9, 9}, false, clearVolume(float32(row.above), 0))
		glowing(s, -5)
		camera := scene.Camera{Eye: mgl64.Vec3{0, 0, 5}, Up: mgl32.Vec3{0, 1, 0}, VFov: 1}
		img := fx.Use(s, tracertest.Dark()).Render(tracertest.Shot{Camera: camera, Width: 16, Height: 16, Samples: samples,
			Settings: tracertest.Settings(func(o *settings.Settings) { o.Integrator, o.Roulette, o.Bounces = "path", false, 1 })})
		r := (row.above - row.below) / (row.above + row.below)
		reflected := r * r
		deviation := math.Sqrt(reflected * (1 - reflected) / (16 * 16 * samples))
		got := 1 - tracertest.Mean(img)[1]
		t.Logf("%v over %v: reflects %.5f, want %.5f ± %.5f", row.above, row.below, got, reflected, deviation)
		if math.Abs(got-reflected) > 5*deviation+1e-5 {
			t.Errorf("%v over %v: reflects %.5f, want %.5f ± %.5f", row.above, row.below, got, reflected, deviation)
		}
	}
}

// Water that reaches into glass looks as water that ends where the glass begins: there, sheets have the index 1.5 / 1.33 between them.
func TestWaterReachesIntoGlass(t *testing.T) {
	const water, glass, wide = 1.33, 1.5, 500
	sheet := func(s *scene.Scene, y float32, m scene.Material) {
		tracertest.AddQuad(s, mgl32.Vec3{-wide, y, wide}, mgl32.Vec3{2 * wide, 0, 0}, mgl32.Vec3{0, 0, -2 * wide}, m)
	}
	layer := func(s *scene.Scene, low, high float32, m scene.Material) {
		addBox(s, mgl32.Vec3{-wide, low, -wide}, mgl32.Vec3{wide, high, wide}, false, m)
	}
	shot := tracertest.Shot{Camera: scene.Camera{Eye: mgl64.Vec3{2, 5, 6}, Target: mgl64.Vec3{0, 0, 0}, Up: mgl32.Vec3{0, 1, 0}, VFov: 40},
		Width: 32, Height: 32, Settings: tracertest.Settings(func(o *settings.Settings) {
			o.Integrator, o.Bounces, o.Roulette = "path", 12, false
		})}
	for roughness, samples := range map[float32]int{0: 3, 0.3: 8} {
		t.Run(fmt.Sprint("roughness ", roughness), func(t *testing.T) {
			tracertest.Parallel(t)
			shot := shot
			shot.Samples = samples
			picture := func(build func(s *scene.Scene)) *tracertest.Fixture {
				s := &scene.Scene{Name: "layers"}
				sheet(s, -1, tracertest.Matte(0.5))
				addBox(s, mgl32.Vec3{-1, -0.8, -1}, mgl32.Vec3{0.5, -0.4, 1}, false, tracertest.Emitter(2))
				build(s)
				return tracertest.OnBestBackend(t).Use(s, leaning(mgl32.Vec3{0.5, 0.3, 0.2}))
			}
			want := picture(func(s *scene.Scene) {
				sheet(s, 2, clearVolume(water, 0))
				sheet(s, 1, clearVolume(glass/water, roughness))
				first := len(s.Faces)
				sheet(s, 0, clearVolume(glass, roughness))
				for i := range s.Faces[first:] { // it faces the air below
					v := &s.Faces[first+i].V
					v[1], v[2] = v[2], v[1]
				}
			}).RenderSide(shot, agreementRuns, naiveSeed)
			agree(t, picture(func(s *scene.Scene) {
				layer(s, 0.5, 2, clearVolume(water, 0))
				layer(s, 0, 1, clearVolume(glass, roughness))
			}).RenderSeeds(shot, agreementRuns, 1), want)
		})
	}
}

// A volume within another of the same kind is not seen: not where it has a lower priority, and not where it counts.
func TestSameVolumesInEachOtherAreOne(t *testing.T) {
	m := absorber(0.3, 0.6, 1)
	m.IOR, m.Specular = 1.4, 1
	room := func(inner bool, priority int) *scene.Scene {
		s, _ := roomInVolume(m)
		if inner {
			addBox(s, mgl32.Vec3{-0.95, -0.95, -0.95}, mgl32.Vec3{0.7, 0.9, 0.7}, false, ranked(m, priority))
		}
		return s
	}
	_, camera := roomInVolume(m)
	shot := tracertest.Shot{Camera: camera, Width: 32, Height: 32, Samples: 8, Settings: tracertest.Settings(func(o *settings.Settings) {
		o.Integrator, o.Bounces, o.Roulette, o.Sampling = "path", 24, false, "bsdf"
	})}
	fx, env := tracertest.OnBestBackend(t), leaning(mgl32.Vec3{0.5, 0.3, 0.2})
	want := fx.Use(room(false, 0), env).Render(shot)
	// Rounding may turn a choice of a path.
	if share := tracertest.ShareBeyond(fx.Use(room(true, -1), env).Render(shot), want, 1e-3); share > 0.02 {
		t.Errorf("a hidden volume changes %.1f %% of the pixels", 100*share)
	}
	shot.Settings.Sampling, shot.Samples = "mis", 5
	side := fx.Use(room(false, 0), env).RenderSide(shot, agreementRuns, naiveSeed)
	for _, priority := range []int{-1, 0} {
		agree(t, fx.Use(room(true, priority), env).RenderSeeds(shot, agreementRuns, 1), side)
	}
}

// Fog scatters light as if no volume were hidden in it, and the path still knows where it is in that.
func TestFogHidesVolumes(t *testing.T) {
	fog := tracertest.Matte(1)
	volume{sigmaT: [3]float64{0.8, 1, 1.2}, albedo: [3]float64{0.9, 0.8, 0.6}, g: 0.2, ior: 1}.applyTo(&fog)
	picture := func(hides bool) *tracertest.Fixture {
		s := &scene.Scene{Name: "fog"}
		addBox(s, mgl32.Vec3{-1, -1, -1}, mgl32.Vec3{1, 1, 1}, false, ranked(fog, 1))
		addBox(s, mgl32.Vec3{-0.6, -0.9, -0.6}, mgl32.Vec3{0.1, 0, 0.1}, false, tracertest.Matte(0.8))
		if hides {
			addBox(s, mgl32.Vec3{-0.8, -0.7, -0.8}, mgl32.Vec3{0.6, 0.5, 0.7}, false, absorber(9, 9, 9))
		}
		return tracertest.OnBestBackend(t).Use(s, leaning(mgl32.Vec3{0.5, 0.3, 0.2}))
	}
	shot := tracertest.Shot{Camera: scene.Camera{Eye: mgl64.Vec3{1, 0.6, 3}, Up: mgl32.Vec3{0, 1, 0}, VFov: 40}, Width: 32, Height: 32, Samples: 5,
		Settings: tracertest.Settings(func(o *settings.Settings) { o.Integrator, o.Bounces, o.Roulette = "path", 24, false })}
	agree(t, picture(true).RenderSeeds(shot, agreementRuns, 1), picture(false).RenderSide(shot, agreementRuns, naiveSeed))
}

// glassOfWater is a block of glass with a lamp and a matte block in the water in it, and ice that floats there.
func glassOfWater(roughness float32) (*scene.Scene, scene.Camera) {
	glass, water, ice := absorber(0.3, 0.1, 0.2), absorber(0.5, 0.2, 0.1), clearVolume(1.31, roughness)
	glass.IOR, water.IOR, glass.Specular, water.Specular = 1.5, 1.33, 1, 1
	glass.Roughness, water.Roughness = roughness, roughness
	s := &scene.Scene{Name: "glass of water"}
	// The glass has a hole with the water in it, which reaches into its walls, and stands out at the top.
	addBox(s, mgl32.Vec3{-1, -1, -1}, mgl32.Vec3{1, 0.9, 1}, false, glass)
	addBox(s, mgl32.Vec3{-0.8, -0.8, -0.8}, mgl32.Vec3{0.8, 0.7, 0.8}, true, s.Materials[0])
	for i := range s.Faces {
		s.Faces[i].Material = 0
	}
	addBox(s, mgl32.Vec3{-0.9, -0.9, -0.9}, mgl32.Vec3{0.9, 0.5, 0.9}, false, water)
	addBox(s, mgl32.Vec3{0.2, 0.1, 0}, mgl32.Vec3{0.7, 0.6, 0.6}, false, ranked(ice, 1))
	addBox(s, mgl32.Vec3{-0.6, -0.7, -0.6}, mgl32.Vec3{0.1, 0, 0.1}, false, tracertest.Matte(0.8))
	tracertest.AddQuad(s, mgl32.Vec3{-0.5, 0.4, -0.5}, mgl32.Vec3{1, 0, 0}, mgl32.Vec3{0, 0, 1}, tracertest.Emitter(1.5))
	tracertest.AddQuad(s, mgl32.Vec3{-3, -1.01, 3}, mgl32.Vec3{6, 0, 0}, mgl32.Vec3{0, 0, -6}, tracertest.Matte(0.6))
	return s, scene.Camera{Eye: mgl64.Vec3{1, 0.8, 3}, Target: mgl64.Vec3{0, -0.2, 0}, Up: mgl32.Vec3{0, 1, 0}, VFov: 40}
}

// In volumes in each other light samples and sharing leave the mean where chance hits have it.
func TestIntegratorsAgreeInNestedVolumes(t *testing.T) {
	s, camera := glassOfWater(0.4)
	shot := tracertest.Shot{Camera: camera, Width: 48, Height: 48, Samples: 8,
		Settings: tracertest.Settings(func(o *settings.Settings) { o.Roulette, o.Bounces = false, 8 })}
	integratorsAgree(t, shot, func(t *testing.T) *tracertest.Fixture {
		return tracertest.OnBestBackend(t).Use(s, leaning(mgl32.Vec3{0.5, 0.3, 0.2}))
	}, "path", "restir")
}

// The engines give the same bits there, too, with the eye outside and in the water.
func TestEnginesAgreeInNestedVolumes(t *testing.T) {
	for _, roughness := range []float32{0, 0.4} {
		s, camera := glassOfWater(roughness)
		for _, eye := range []mgl64.Vec3{camera.Eye, {0.6, 0, 0.75}} {
			camera.Eye = eye
			enginesAgree(t, tracertest.Shot{Camera: camera, Width: 50, Height: 37, Samples: 2, Settings: settings.Defaults()},
				func(t *testing.T) *tracertest.Fixture {
					return tracertest.OnFastest(t).Use(s, tracertest.Constant(0.5))
				}, "path", "restir")
		}
	}
}

// White volumes in each other vanish in light that comes evenly from everywhere, whichever is denser; films and dimmed reflection, for
// which there are no tables, may lose light, but make none.
func TestNestedFurnace(t *testing.T) {
	for name, row := range map[string]struct {
		change  func(*scene.Material)
		loses   bool
		samples int
	}{
		"smooth":   {func(*scene.Material) {}, false, 4},
		"rough":    {func(m *scene.Material) { m.Roughness = 0.3 }, false, 64},
		"rougher":  {func(m *scene.Material) { m.Roughness = 0.6 }, false, 64},
		"specular": {func(m *scene.Material) { m.Roughness, m.Specular, m.SpecularColor = 0.3, 0.7, mgl32.Vec3{1, 0.5, 0.2} }, true, 32},
		"film": {func(m *scene.Material) {
			m.Iridescence = scene.Iridescence{Factor: 1, IOR: 1.3, Minimum: 100, Maximum: 400}
		}, true, 16},
		"brushed": {func(m *scene.Material) { m.Roughness, m.Anisotropy.Strength = 0.3, 0.7 }, false, 64},
		"half":    {func(m *scene.Material) { m.Roughness, m.Transmission = 0.3, 0.5 }, true, 32},
	} {
		t.Run(name, func(t *testing.T) {
			tracertest.Parallel(t)
			s := &scene.Scene{Name: name}
			volume := func(low, high float32, ior float32, priority int) {
				m := ranked(clearVolume(ior, 0), priority)
				row.change(&m)
				addBox(s, mgl32.Vec3{low, low, low}, mgl32.Vec3{high, high, high}, false, m)
			}
			volume(-1, 1, 1.5, 0)
			volume(-0.7, 0.5, 2, 0)
			volume(-0.3, 0.8, 1.2, 1)
			volume(-0.9, 0.9, 1.33, 0) // hidden
			camera := scene.Camera{Eye: mgl64.Vec3{2, 3, 5}, Up: mgl32.Vec3{0, 1, 0}, VFov: 12}
			img := tracertest.OnBestBackend(t).Use(s, tracertest.Constant(1)).Render(tracertest.Shot{Camera: camera, Width: 32, Height: 32, Samples: row.samples,
				Settings: tracertest.Settings(func(o *settings.Settings) { o.Integrator, o.Bounces, o.Roulette = "path", 256, false })})
			mean := tracertest.Mean(img)
			t.Logf("%s: mean %.5f", name, mean)
			for c := range 3 {
				if mean[c] > 1.005 || !row.loses && mean[c] < 0.995 {
					t.Errorf("channel %d has mean %.5f, want 1", c, mean[c])
				}
			}
		})
	}
}
