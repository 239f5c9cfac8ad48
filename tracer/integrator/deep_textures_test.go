package integrator_test

import (
	"bytes"
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"glint/cuda"
	"glint/tracer/gpuscene"
	"glint/tracer/scene"
	"glint/tracer/settings"
	"glint/tracer/tracertest"
)

// TestDeepTextures: colours of 16 bits are shown as they are; the nearest of 8 bits is off by 0.8 %.
func TestDeepTextures(t *testing.T) {
	const value = 0x1234
	s := &scene.Scene{Name: "deep"}
	s.Images = []scene.Image{{Name: "grey", Width: 2, Height: 2, SRGB: true, Deep: true, Pixels: bytes.Repeat([]byte{0x34, 0x12, 0x34, 0x12, 0x34, 0x12, 0xff, 0xff}, 4)}}
	s.Textures = []scene.Texture{{}}
	m := tracertest.Matte(1)
	m.Unlit = true
	m.Textures[scene.TextureBaseColor] = scene.TextureRef{Transform: scene.IdentityTransform}
	tracertest.AddQuad(s, mgl32.Vec3{-1, -1, 0}, mgl32.Vec3{2, 0, 0}, mgl32.Vec3{0, 2, 0}, m)
	camera := scene.Camera{Eye: mgl64.Vec3{0, 0, 1}, Up: mgl32.Vec3{0, 1, 0}, VFov: 40}
	want := cuda.SRGBDecode(value / 65535.)
	for _, integrator := range []string{"path", "naive", "restir"} {
		for _, mipmaps := range []bool{false, true} {
			shot := tracertest.Shot{Camera: camera, Width: 8, Height: 8, Samples: 4, Settings: tracertest.Settings(func(s *settings.Settings) { s.Integrator = integrator })}
			fixture := tracertest.OnCPU(t).UseWith(s, gpuscene.Options{Environment: tracertest.Constant(1), Mipmaps: mipmaps})
			for c, got := range tracertest.Mean(fixture.Render(shot)) {
				if math.Abs(float64(got)/want-1) > 1e-3 {
					t.Errorf("%s, mipmaps %v: channel %d shows %.6f, want %.6f", integrator, mipmaps, c, got, want)
				}
			}
		}
	}
}
