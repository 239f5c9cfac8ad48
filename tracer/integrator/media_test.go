package integrator_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"glint/tracer/builtin"
	"glint/tracer/gpuscene"
	"glint/tracer/imageio"
	"glint/tracer/scene"
	"glint/tracer/settings"
	"glint/tracer/tracertest"
)

// volume is a medium within a surface.
type volume struct {
	sigmaT, albedo [3]float64 // attenuation, 1/m, and what of it scatters
	g              float64
	ior, roughness float32 // of the surface; an ior of 1 lets everything through
}

// grey is a volume of one colour.
func gray(sigmaT, albedo, g float64) volume {
	return volume{sigmaT: [3]float64{sigmaT, sigmaT, sigmaT}, albedo: [3]float64{albedo, albedo, albedo}, g: g, ior: 1}
}

func (v volume) applyTo(m *scene.Material) {
	m.Metallic, m.Roughness, m.IOR, m.Transmission, m.Thickness = 0, v.roughness, v.ior, 1, 1
	m.ScatterAnisotropy, m.AttenuationDistance = float32(v.g), 0.1
	for c := range 3 {
		m.AttenuationColor[c] = float32(math.Exp(-v.sigmaT[c] * 0.1))
		m.MultiscatterColor[c] = float32(multiscatter(v.albedo[c]))
	}
}

// multiscatter is the colour that scatterAlbedo takes to an albedo, by bisection.
func multiscatter(albedo float64) float64 {
	lo, hi := 0.0, 1.0
	for range 50 {
		mid := (lo + hi) / 2
		if scene.ScatterAlbedo(mid) < albedo {
			lo = mid
		} else {
			hi = mid
		}
	}
	return hi
}

// TestMediaFurnace: a volume that absorbs nothing vanishes in light that comes evenly from everywhere.
func TestMediaFurnace(t *testing.T) {
	for _, row := range []struct {
		volume
		samples int
		pixel   float64 // bound for each pixel, 0 where there is noise: light that is met by chance has none
	}{
		{volume: gray(2, 1, 0), samples: 4, pixel: 2e-3},
		{volume: gray(8, 1, -0.4), samples: 4, pixel: 2e-3},
		{volume: gray(20, 1, 0.8), samples: 4, pixel: 2e-3},
		{volume: gray(2, 1, 0), samples: 256},
		{volume: volume{sigmaT: [3]float64{1, 4, 9}, albedo: [3]float64{1, 1, 1}, g: 0.3, ior: 1}, samples: 64},
		{volume: volume{sigmaT: [3]float64{6, 6, 6}, albedo: [3]float64{1, 1, 1}, g: 0.5, ior: 1.5}, samples: 64},
		{volume: volume{sigmaT: [3]float64{6, 6, 6}, albedo: [3]float64{1, 1, 1}, g: 0.5, ior: 1.5, roughness: 0.5}, samples: 64},
	} {
		t.Run(fmt.Sprint(row), func(t *testing.T) {
			tracertest.Parallel(t)
			s := tracertest.Builtin(t, "white-furnace", builtin.Options{Material: row.applyTo, Triangles: 10_000})
			img := tracertest.OnBestBackend(t).Use(s, tracertest.Constant(1)).Render(tracertest.Shot{Camera: s.Cameras[0], Width: 48, Height: 48, Samples: row.samples,
				Settings: tracertest.Settings(func(s *settings.Settings) {
					s.Bounces, s.Roulette = 256, false
					if row.pixel > 0 {
						s.Sampling = "bsdf"
					}
				})})
			mean, _ := overSphere(img)
			t.Logf("mean %.5f", mean)
			if math.Abs(mean-1) > 0.005 {
				t.Errorf("the sphere has mean %.5f, want 1", mean)
			}
			for i, v := range img.Pix {
				if row.pixel > 0 && math.Abs(float64(v)-1) > row.pixel {
					t.Fatalf("pixel (%d, %d) is %v, want 1", i/3%img.Width, i/3/img.Width, v)
				}
			}
		})
	}
}

// TestDarkMediaStayFinite: paths that have lost all their light, or so much that little of single precision is left, must end
// as black ones. The fixture fails the test on samples that are not numbers.
func TestDarkMediaStayFinite(t *testing.T) {
	green := func(m *scene.Material) { m.BaseColor = mgl32.Vec4{0, 1, 0, 1} }
	for name, row := range map[string]struct {
		volume
		change func(*scene.Material)
	}{
		"red inside green": {volume{sigmaT: [3]float64{9, 9, 9}, albedo: [3]float64{1, 0, 0}, ior: 1.5}, green},
		"dense and dark":   {gray(40, 0.3, 0), func(*scene.Material) {}},
		"as black as can":  {gray(130, 0.01, 0), func(m *scene.Material) { m.AttenuationDistance = 1e-3 }},
	} {
		s := tracertest.Builtin(t, "white-furnace", builtin.Options{Triangles: 2000,
			Material: func(m *scene.Material) { row.applyTo(m); row.change(m) }})
		img := tracertest.OnCPU(t).Use(s, tracertest.Constant(1)).Render(tracertest.Shot{Camera: s.Cameras[0], Width: 32, Height: 32, Samples: 16,
			Settings: tracertest.Settings(func(s *settings.Settings) { s.Bounces, s.Roulette = 256, false })})
		if mean, _ := overSphere(img); mean < 0 || mean > 0.5 {
			t.Errorf("%s: the sphere has mean %.5f", name, mean)
		}
	}
}

// TestMediaAreNoted: who opens a scene with media hears what they ask for.
func TestMediaAreNoted(t *testing.T) {
	for name, want := range map[string]bool{"media": true, "subsurface-lambert": false, "spheres": false} {
		p, err := gpuscene.Prepare(context.Background(), tracertest.Builtin(t, name, builtin.Options{Triangles: 2000}), gpuscene.Options{Environment: nil})
		if err != nil {
			t.Fatal(err)
		}
		noted := slices.ContainsFunc(p.Notes, func(note string) bool { return strings.Contains(note, "--bounces") })
		if noted != want {
			t.Errorf("%s: notes %q", name, p.Notes)
		}
	}
}

// mediaStage is a volume in a matte corner under a sky that is bright to one side.
func mediaStage(t *testing.T, change func(*scene.Material)) (*scene.Scene, *gpuscene.Environment) {
	s := tracertest.Builtin(t, "white-furnace", builtin.Options{Material: change, Triangles: 2000})
	tracertest.AddQuad(s, mgl32.Vec3{-3, -0.51, 3}, mgl32.Vec3{6, 0, 0}, mgl32.Vec3{0, 0, -6}, tracertest.Matte(0.8))
	tracertest.AddQuad(s, mgl32.Vec3{-3, -0.51, -0.6}, mgl32.Vec3{6, 0, 0}, mgl32.Vec3{0, 2, 0}, tracertest.Matte(0.8))
	s.Cameras[0].Eye = mgl64.Vec3{0, 0.6, 1.9}
	return s, leaning(mgl32.Vec3{0.5, 0.3, 0})
}

// leaning is an environment whose radiance is 1 + slope · direction.
func leaning(slope mgl32.Vec3) *gpuscene.Environment {
	e := &gpuscene.Environment{Width: 256, Height: 128}
	for y := range e.Height {
		sinV, cosV := math.Sincos(math.Pi * (float64(y) + 0.5) / float64(e.Height))
		for x := range e.Width {
			sinU, cosU := math.Sincos(2*math.Pi*(float64(x)+0.5)/float64(e.Width) - math.Pi)
			L := 1 + slope.Dot(mgl32.Vec3{float32(sinV * cosU), float32(cosV), float32(sinV * sinU)})
			e.Pixels = append(e.Pixels, L, L, L)
		}
	}
	return e
}

// stageMaterials are what engines and integrators are compared on: a volume behind a smooth surface, and behind a rough one.
// Both are partly opaque, so that light is shared outside and would be inside, if that were allowed.
func stageMaterials() map[string]func(*scene.Material) {
	v := volume{sigmaT: [3]float64{1, 2, 4}, albedo: [3]float64{0.9, 0.95, 0.8}, g: 0.4, ior: 1.4}
	rough := v
	rough.roughness = 0.6
	return map[string]func(*scene.Material){
		"smooth": func(m *scene.Material) { v.applyTo(m); m.Transmission = 0.7 },
		"rough":  func(m *scene.Material) { rough.applyTo(m); m.Transmission = 0.7 },
	}
}

// TestEnginesAgreeOnMedia: the engines give the same bits where paths scatter inside volumes, too.
func TestEnginesAgreeOnMedia(t *testing.T) {
	for name, change := range stageMaterials() {
		s, env := mediaStage(t, change)
		t.Run(name, func(t *testing.T) {
			shot := tracertest.Shot{Camera: s.Cameras[0], Width: 50, Height: 37, Samples: 3,
				Settings: tracertest.Settings(func(o *settings.Settings) { o.Bounces = 64 })}
			enginesAgree(t, shot, func(t *testing.T) *tracertest.Fixture { return tracertest.OnFastest(t).Use(s, env) },
				"naive", "path", "restir-gi", "restir")
		})
	}
}

// TestIntegratorsAgreeOnMedia: light sampling and resampling leave the mean where chance hits have it.
func TestIntegratorsAgreeOnMedia(t *testing.T) {
	for name, change := range stageMaterials() {
		t.Run(name, func(t *testing.T) {
			tracertest.Parallel(t)
			s, env := mediaStage(t, change)
			v := tracertest.Shot{Camera: s.Cameras[0], Width: 32, Height: 32, Samples: 14,
				Settings: tracertest.Settings(func(o *settings.Settings) { o.Integrator, o.Roulette, o.Bounces = "naive", false, 12 })}
			want := tracertest.OnBestBackend(t).Use(s, env).RenderSide(v, agreementRuns, naiveSeed)
			v.Settings.Roulette, v.Settings.Integrator, v.Samples = true, "path", 12
			t.Run("path", func(t *testing.T) {
				agree(t, tracertest.OnBestBackend(t).Use(s, env).RenderSeeds(v, agreementRuns, 1), want)
			})
			v.Settings.Integrator, v.Settings.RestirRadius, v.Samples = "restir-gi", tracertest.ReuseRadius(3, 32), 1
			c := reuseCases()[map[string]int{"smooth": 1, "rough": 3}[name]]
			t.Run(c.name, func(t *testing.T) { checkMediaReuse(t, c, s, env, v, want) })
		})
	}
}

func checkMediaReuse(t *testing.T, c reuseCase, s *scene.Scene, env *gpuscene.Environment, v tracertest.Shot, want *tracertest.Side) {
	c.change(&v.Settings)
	fx := tracertest.OnBestBackend(t).Use(s, env)
	const runs = 96
	got := biasRun{least: runs, most: runs, b: want}
	got.render(t, func(seed int) *imageio.Image {
		v.Settings.Seed = seed
		if !c.temporal {
			return fx.Render(v)
		}
		return fx.RenderLive(v, 3, nil)
	})
	got.check(t, 0.003)
}
