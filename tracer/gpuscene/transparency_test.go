package gpuscene_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"glint/tracer/gpuscene"
	"glint/tracer/imageio"
	"glint/tracer/scene"
	"glint/tracer/settings"
	"glint/tracer/tracertest"
)

// facing is a quad of 2 m in the plane z = 0 and a camera 2 m before it that sees only the quad, nearly head-on.
func facing(m scene.Material) (*scene.Scene, scene.Camera) {
	s := &scene.Scene{Name: "facing"}
	tracertest.AddQuad(s, mgl32.Vec3{-1, -1, 0}, mgl32.Vec3{2, 0, 0}, mgl32.Vec3{0, 2, 0}, m)
	return s, scene.Camera{Eye: mgl64.Vec3{0, 0, 2}, Up: mgl32.Vec3{0, 1, 0}, VFov: 2}
}

func takeSmall(t *testing.T, s *scene.Scene, camera scene.Camera, env *gpuscene.Environment, samples int) *imageio.Image {
	t.Helper()
	return tracertest.OnCPU(t).Use(s, env).Render(tracertest.Shot{Camera: camera, Width: 16, Height: 16, Samples: samples,
		Settings: tracertest.Settings(func(s *settings.Settings) { s.Bounces = 64 })})
}

// TestAlpha: a black plane before a background of 1. MASK is all or nothing, BLEND lets 1 − alpha through, OPAQUE ignores it.
func TestAlpha(t *testing.T) {
	for _, row := range []struct {
		mode  scene.AlphaMode
		alpha float32
		want  float64
		bound float64
	}{
		{scene.AlphaOpaque, 0.2, 0, 0}, {scene.AlphaMask, 0.49, 1, 0}, {scene.AlphaMask, 0.51, 0, 0},
		{scene.AlphaBlend, 0, 1, 0}, {scene.AlphaBlend, 0.5, 0.5, 0.005}, {scene.AlphaBlend, 0.9, 0.1, 0.003}, {scene.AlphaBlend, 1, 0, 0},
	} {
		t.Run(fmt.Sprintf("mode %d, alpha %v", row.mode, row.alpha), func(t *testing.T) {
			m := tracertest.Matte(0)
			m.AlphaMode = row.mode
			m.BaseColor[3] = row.alpha
			s, camera := facing(m)
			got := tracertest.Mean(takeSmall(t, s, camera, tracertest.Constant(1), 256))[0]
			if math.Abs(got-row.want) > row.bound {
				t.Errorf("the background shows as %.4f, want %.4f", got, row.want)
			}
		})
	}
}

// TestAlphaShadow: a BLEND plane lets 1 − alpha of a light through to what lies behind.
func TestAlphaShadow(t *testing.T) {
	s, camera := tracertest.Ground(0.6, 40)
	m := tracertest.Matte(0)
	m.AlphaMode, m.BaseColor[3] = scene.AlphaBlend, 0.25
	tracertest.AddQuad(s, mgl32.Vec3{-50, 1.5, 50}, mgl32.Vec3{100, 0, 0}, mgl32.Vec3{0, 0, -100}, m)
	s.Lights = []scene.Light{{Kind: scene.LightDirectional, Direction: mgl32.Vec3{0, -1, 0}, Intensity: mgl32.Vec3{2, 2, 2}}}
	got, want := tracertest.Mean(takeSmall(t, s, camera, nil, 512))[0], 0.75*2*0.6/math.Pi
	if math.Abs(got/want-1) > 0.01 {
		t.Errorf("behind a plane of alpha 0.25 the ground has radiance %.4f, want %.4f", got, want)
	}
}

// slab is smooth glass between z = −thickness and z = 0, white light becoming colour over 0.1 m.
func slab(thickness float32, color mgl32.Vec3) (*scene.Scene, scene.Camera) {
	m := scene.NewMaterial("glass")
	m.Metallic, m.Roughness, m.Transmission, m.Thickness = 0, 0, 1, 1
	m.AttenuationColor, m.AttenuationDistance = color, 0.1
	s, camera := facing(m)
	tracertest.AddQuad(s, mgl32.Vec3{-1, 1, -thickness}, mgl32.Vec3{2, 0, 0}, mgl32.Vec3{0, -2, 0}, m)
	return s, camera
}

// TestBeer: with light only from behind, a slab passes (1 − R)² e^(−σd), and what is reflected to and fro inside:
// T = (1 − R)² a / (1 − R² a²) with a = e^(−σd).
func TestBeer(t *testing.T) {
	color := mgl32.Vec3{0.8, 0.3, 0.05}
	for _, thickness := range []float32{0.02, 0.1, 0.25} {
		s, camera := slab(thickness, color)
		tracertest.AddQuad(s, mgl32.Vec3{-1, -1, -1}, mgl32.Vec3{2, 0, 0}, mgl32.Vec3{0, 2, 0}, tracertest.Emitter(1))
		got := tracertest.Mean(takeSmall(t, s, camera, tracertest.Dark(), 4096))
		for c := range 3 {
			const r = 0.04
			a := math.Pow(float64(color[c]), float64(thickness)/0.1)
			want := (1 - r) * (1 - r) * a / (1 - r*r*a*a)
			if math.Abs(got[c]-want) > 0.005*want {
				t.Errorf("%v m of glass, channel %d: %.5f of the light passes, want %.5f", thickness, c, got[c], want)
			}
		}
	}
}
