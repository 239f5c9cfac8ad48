package integrator_test

import (
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl32"

	"glint/tracer/gpuscene"
	"glint/tracer/scene"
	"glint/tracer/settings"
	"glint/tracer/tracertest"
)

// striped gives a scene an image whose columns are opaque and clear by turns, and returns its texture.
func striped(s *scene.Scene) int {
	const width = 8
	img := scene.Image{Width: width, Height: 1, SRGB: true, Pixels: make([]byte, 4*width)}
	for x := range width {
		for c := range 3 {
			img.Pixels[4*x+c] = 255
		}
		img.Pixels[4*x+3] = byte(255 * (x % 2))
	}
	s.Images = append(s.Images, img)
	s.Textures = append(s.Textures, scene.Texture{Image: len(s.Images) - 1, Nearest: true})
	return len(s.Textures) - 1
}

// lampOverGround is a square lamp that lights the ground, and its material, which may be changed.
func lampOverGround() (*scene.Scene, scene.Camera, *scene.Material) {
	s, camera := tracertest.Ground(0.5, 60)
	lamp := tracertest.Emitter(4)
	lamp.DoubleSided = true
	tracertest.AddQuad(s, mgl32.Vec3{-0.5, 1.2, -0.5}, mgl32.Vec3{1, 0, 0}, mgl32.Vec3{0, 0, 1}, lamp)
	for i, uv := range []mgl32.Vec2{{0, 0}, {1, 0}, {1, 1}, {0, 1}} {
		s.Vertices[len(s.Vertices)-4+i].UV[0] = uv
	}
	return s, camera, &s.Materials[len(s.Materials)-1]
}

// A lamp that is transparent in part lights a room as much as it covers: light samples must know what chance hits are told by their
// rays. Chance alone says what is right.
func TestTransparentLamps(t *testing.T) {
	brightness := func(t *testing.T, s *scene.Scene, camera scene.Camera, sampling, integrator string, samples int) float64 {
		v := tracertest.Shot{Camera: camera, Width: 24, Height: 24, Samples: samples, Settings: tracertest.Settings(func(o *settings.Settings) {
			o.Integrator, o.Sampling, o.Bounces = integrator, sampling, 1
		})}
		return tracertest.Mean(tracertest.OnBestBackend(t).Use(s, tracertest.Dark()).Render(v))[1]
	}
	s, camera, _ := lampOverGround()
	opaque := brightness(t, s, camera, "bsdf", "path", 512)
	for name, row := range map[string]struct {
		make  func(s *scene.Scene, lamp *scene.Material)
		share float64 // of an opaque lamp's light
	}{
		"blended by a quarter": {func(_ *scene.Scene, m *scene.Material) { m.AlphaMode, m.BaseColor[3] = scene.AlphaBlend, 0.25 }, 0.25},
		"under the cutoff": {func(_ *scene.Scene, m *scene.Material) {
			m.AlphaMode, m.AlphaCutoff, m.BaseColor[3] = scene.AlphaMask, 0.5, 0.4
		}, 0},
		"over the cutoff": {func(_ *scene.Scene, m *scene.Material) {
			m.AlphaMode, m.AlphaCutoff, m.BaseColor[3] = scene.AlphaMask, 0.5, 0.6
		}, 1},
		"striped": {func(s *scene.Scene, m *scene.Material) {
			m.AlphaMode, m.AlphaCutoff = scene.AlphaMask, 0.5
			m.Textures[scene.TextureBaseColor] = scene.TextureRef{Texture: striped(s), Transform: scene.IdentityTransform}
		}, 0.5},
		"fading by its vertices": {func(s *scene.Scene, m *scene.Material) {
			m.AlphaMode = scene.AlphaBlend
			for i := range s.Vertices[4:] {
				s.Vertices[4+i].Color[3] = 0.5
			}
		}, 0.5},
	} {
		t.Run(name, func(t *testing.T) {
			tracertest.Parallel(t)
			want := row.share * opaque
			for sampling, bound := range map[string]float64{"bsdf": 0.04, "light": 0.01, "mis": 0.01} {
				for _, integrator := range []string{"path", "restir-gi", "restir"} {
					s, camera, lamp := lampOverGround()
					row.make(s, lamp)
					got := brightness(t, s, camera, sampling, integrator, 128)
					t.Logf("%s by %s: mean %.5f, want %.5f", integrator, sampling, got, want)
					if math.Abs(got-want) > bound*want+1e-9 {
						t.Errorf("%s by %s: mean %.5f, want %.5f", integrator, sampling, got, want)
					}
				}
			}
		})
	}
}

// Lamps are chosen by how much light they give, so a lamp that is hardly there is hardly ever chosen.
func TestTransparentLampsAreChosenLess(t *testing.T) {
	variance := func(alpha float32) float64 {
		s, camera, _ := lampOverGround()
		faint := tracertest.Emitter(4)
		faint.AlphaMode, faint.BaseColor[3] = scene.AlphaBlend, alpha
		for i := range 20 { // many of them, above the lamp that counts and as large
			tracertest.AddQuad(s, mgl32.Vec3{-0.5, 1.5 + 0.1*float32(i), -0.5}, mgl32.Vec3{1, 0, 0}, mgl32.Vec3{0, 0, 1}, faint)
		}
		v := tracertest.Shot{Camera: camera, Width: 32, Height: 32, Samples: 1, Settings: tracertest.Settings(func(o *settings.Settings) {
			o.Integrator, o.Sampling, o.Bounces = "path", "light", 1
		})}
		img := tracertest.OnBestBackend(t).UseWith(s, gpuscene.Options{Environment: tracertest.Dark()}).Render(v)
		mean, square := 0.0, 0.0
		for _, l := range img.Pix {
			mean += float64(l) / float64(len(img.Pix))
			square += float64(l) * float64(l) / float64(len(img.Pix))
		}
		return square/(mean*mean) - 1
	}
	if faint, opaque := variance(0.001), variance(1); faint > 5 {
		t.Errorf("with lamps that are hardly there the relative variance is %.2f (%.2f where they are opaque): they are chosen as if they were", faint, opaque)
	}
}
