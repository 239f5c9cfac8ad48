package integrator_test

import (
	"testing"

	"github.com/go-gl/mathgl/mgl32"

	"glint/tracer/scene"
	"glint/tracer/settings"
	"glint/tracer/tracertest"
)

// evenImage gives a scene an image that is the same everywhere, and returns its texture.
func evenImage(s *scene.Scene, alpha byte) scene.TextureRef {
	const size = 5
	img := scene.Image{Width: size, Height: size, SRGB: true}
	for range size * size {
		img.Pixels = append(img.Pixels, 255, 255, 255, alpha)
	}
	s.Images, s.Textures = append(s.Images, img), append(s.Textures, scene.Texture{Image: len(s.Images)})
	return scene.TextureRef{Texture: len(s.Textures) - 1, Transform: scene.IdentityTransform}
}

// What is as opaque as the cutoff says is opaque everywhere (glTF 2.0 §3.9.4): eyes and light find no hole. What is less is not there.
func TestAlphaAtTheCutoffIsOpaque(t *testing.T) {
	fx := tracertest.OnBestBackend(t)
	everyWay(t, func(t *testing.T, o settings.Settings) {
		o.Bounces = 2
		for _, c := range []struct {
			name    string
			factor  float32
			texel   int     // of 255; −1 for none
			corners float32 // alpha of vertices
			cutoff  float32
			opaque  bool
		}{
			{"whole", 1, -1, 1, 1, true},
			{"a factor", 0.3, -1, 1, 0.3, true},
			{"a texture", 1, 51, 1, 0.2, true},
			{"another texture", 1, 204, 1, 0.8, true},
			{"vertices", 1, -1, 0.7, 0.7, true},
			{"vertices of 8 bits", 1, -1, 77.0 / 255, 77.0 / 255, true},
			{"a factor and a texture", 0.5, 204, 1, 0.4, true},
			{"a factor, a texture and vertices", 0.5, 204, 0.5, 0.2, true},
			{"too small a factor", 0.2999, -1, 1, 0.3, false},
			{"too faint a texture", 1, 50, 1, 0.2, false},
			{"too faint vertices", 1, -1, 0.6999, 0.7, false},
		} {
			s, camera := belowSheets(0, tracertest.Matte(0))
			m := tracertest.Matte(0)
			m.DoubleSided, m.AlphaMode, m.AlphaCutoff, m.BaseColor[3] = true, scene.AlphaMask, c.cutoff, c.factor
			if c.texel >= 0 {
				m.Textures[scene.TextureBaseColor] = evenImage(s, byte(c.texel))
			}
			tracertest.AddQuad(s, mgl32.Vec3{-9, 0.5, 11}, mgl32.Vec3{20, 0, 0}, mgl32.Vec3{0, 0, -20}, m)
			for i, uv := range []mgl32.Vec2{{0, 0}, {3, 0.1}, {3.2, 3}, {0.1, 3}} {
				v := &s.Vertices[len(s.Vertices)-4+i]
				v.UV[0], v.Color[3] = uv, c.corners
			}
			want := float32(shining)
			if c.opaque {
				want = 0
			}
			img := fx.Use(s, tracertest.Dark()).Render(tracertest.Shot{Camera: camera, Width: 32, Height: 32, Samples: 1, Settings: o})
			for i, got := range img.Pix {
				if got != want {
					t.Fatalf("%s: pixel %d is %v, want %v", c.name, i/3, got, want)
				}
			}

			// The same sheet between a light and the ground.
			s.Materials[0] = tracertest.Matte(0.5)
			s.Lights = []scene.Light{{Kind: scene.LightDirectional, Direction: mgl32.Vec3{0.3, -1, 0.1}.Normalize(), Intensity: mgl32.Vec3{3, 3, 3}}}
			camera.Eye[1] = 0.4 // below the sheet
			img = fx.Use(s, tracertest.Dark()).Render(tracertest.Shot{Camera: camera, Width: 32, Height: 32, Samples: 1, Settings: o})
			for i, got := range img.Pix {
				if (got == 0) != c.opaque {
					t.Fatalf("%s: pixel %d of the ground below is %v", c.name, i/3, got)
				}
			}
		}
	})
}
