package integrator_test

import (
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"glint/tracer/builtin"
	"glint/tracer/gpuscene"
	"glint/tracer/scene"
	"glint/tracer/settings"
	"glint/tracer/tracertest"
)

// checkeredGround is a matte ground to the horizon with squares of half a metre, seen by a standing person.
func checkeredGround() (*scene.Scene, scene.Camera) {
	const side, across, half = 128, 400, 200 // pixels of the texture, which is 1 m wide; metres
	s := &scene.Scene{Name: "checkered ground"}
	img := scene.Image{Name: "squares", Width: side, Height: side, SRGB: true, Pixels: make([]byte, 4*side*side)}
	for i := range side * side {
		value := byte(40)
		if i%side < side/2 == (i/side < side/2) {
			value = 230
		}
		copy(img.Pixels[4*i:], []byte{value, value, value, 255})
	}
	s.Images, s.Textures = []scene.Image{img}, []scene.Texture{{}}
	m := tracertest.Matte(1)
	m.Textures[scene.TextureBaseColor] = scene.TextureRef{Transform: scene.IdentityTransform}
	tracertest.AddQuad(s, mgl32.Vec3{-half, 0, half}, mgl32.Vec3{across, 0, 0}, mgl32.Vec3{0, 0, -across}, m)
	for i := range s.Vertices {
		at := s.Vertices[i].Position
		s.Vertices[i].UV[0] = mgl32.Vec2{at[0], at[2]}
	}
	return s, scene.Camera{Eye: mgl64.Vec3{0.3, 1.7, 0}, Target: mgl64.Vec3{2, 1, -10}, Up: mgl32.Vec3{0, 1, 0}, VFov: 40}
}

// TestMipmapsOfAGround: a sample a pixel errs by much less with mipmaps than without, and many show as much light. Nothing but the
// texture is noisy.
func TestMipmapsOfAGround(t *testing.T) {
	s, camera := checkeredGround()
	s.Materials[0].Unlit = true
	shot := tracertest.Shot{Camera: camera, Width: 96, Height: 64, Settings: tracertest.Settings(func(s *settings.Settings) { s.Integrator = "path" })}
	open := func(mipmaps bool) *tracertest.Fixture {
		return tracertest.OnCPU(t).UseWith(s, gpuscene.Options{Environment: tracertest.Constant(1), Mipmaps: mipmaps})
	}
	fine, mipped := open(false), open(true)
	shot.Samples = 1024
	reference, many := fine.Render(shot), mipped.Render(shot)
	shot.Samples, shot.Settings.Seed = 1, 7
	raw, filtered := tracertest.RelMSE(t, fine.Render(shot), reference), tracertest.RelMSE(t, mipped.Render(shot), reference)
	want, got := tracertest.Mean(reference)[1], tracertest.Mean(many)[1]
	t.Logf("relMSE of a sample %.4f, with mipmaps %.4f; of many with mipmaps %.5f; means %.4f and %.4f",
		raw, filtered, tracertest.RelMSE(t, many, reference), want, got)
	if filtered > raw/1.7 {
		t.Errorf("a sample has a relMSE of %.4f with mipmaps, and %.4f without", filtered, raw)
	}
	if math.Abs(got-want) > 0.01*want {
		t.Errorf("with mipmaps the picture shows %.4f on average, and %.4f without", got, want)
	}
}

// TestMipmapsAgreeWithReuse: x1 looks the same to the path that finds it and to those that rebuild it, in the open and in a mirror, so
// that restir shows what path does.
func TestMipmapsAgreeWithReuse(t *testing.T) {
	ground, camera := checkeredGround()
	mirror := tracertest.Matte(1)
	mirror.Metallic, mirror.Roughness = 1, 0
	tracertest.AddQuad(ground, mgl32.Vec3{-3, 0, -8}, mgl32.Vec3{4, 0, 0}, mgl32.Vec3{0, 3, 0}, mirror)
	tracertest.AddQuad(ground, mgl32.Vec3{3, 0, -8}, mgl32.Vec3{2, 0, 2}, mgl32.Vec3{0, 3, 0}, tracertest.Matte(0.8))
	chess := tracertest.Builtin(t, "chess", builtin.Options{})
	for _, row := range []struct {
		scene  *scene.Scene
		camera scene.Camera
		env    *gpuscene.Environment
		least  float64 // standard error of the image that is reached, as a share of its mean
		long   bool
	}{
		{ground, camera, tracertest.Constant(1), 0.001, false},
		{chess, chess.DefaultCamera(1), sunnySky(), 0.002, true},
	} {
		t.Run(row.scene.Name, func(t *testing.T) {
			if row.long && !tracertest.Long() {
				t.Skip("runs with GLINT_LONG=1")
			}
			tracertest.Parallel(t)
			fx := tracertest.OnFastest(t).UseWith(row.scene, gpuscene.Options{Environment: row.env, Mipmaps: true})
			shot := tracertest.Shot{Camera: row.camera, Width: 48, Height: 48, Samples: 16, Settings: tracertest.Settings(func(s *settings.Settings) {
				s.Integrator, s.Bounces, s.RestirRadius = "path", 4, tracertest.ReuseRadius(6, 48)
			})}
			want := fx.RenderSide(shot, agreementRuns, naiveSeed)
			shot.Settings.Integrator, shot.Samples = "restir", 8
			r := compare(t, fx.RenderSeeds(shot, agreementRuns, 1), want, 1)
			t.Logf("max z %.2f, difference %.3f %%, standard error %.3f %%", r.MaxZ, 100*r.GlobalRelativeDifference, 100*r.ImageStandardError)
			if r.MaxZ > 5.4 || r.ImageStandardError > row.least {
				t.Errorf("max z %.2f, standard error %.3f %%", r.MaxZ, 100*r.ImageStandardError)
			}
		})
	}
}

// TestMipmapsOnAllEngines: the width of a cone follows from what every engine keeps of a path.
func TestMipmapsOnAllEngines(t *testing.T) {
	s := tracertest.Builtin(t, "chess", builtin.Options{})
	shot := tracertest.Shot{Camera: s.DefaultCamera(1), Width: 48, Height: 48, Samples: 2, Settings: settings.Defaults()}
	open := func(t *testing.T) *tracertest.Fixture {
		return tracertest.OnCPU(t).UseWith(s, gpuscene.Options{Environment: sunnySky(), Mipmaps: true})
	}
	enginesAgree(t, shot, open, "path", "restir")
}
