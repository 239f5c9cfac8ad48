package integrator_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"glint/tracer/builtin"
	"glint/tracer/imageio"
	"glint/tracer/scene"
	"glint/tracer/settings"
	"glint/tracer/tracertest"
)

// furnaceRadiance is L = 1 + L/2.
const furnaceRadiance = 2

// TestFurnaceNaive: without roulette and light sampling every path sums the same geometric series.
func TestFurnaceNaive(t *testing.T) {
	fx := tracertest.OnCPU(t)
	s := tracertest.Builtin(t, "furnace", builtin.Options{})
	img := fx.Use(s, tracertest.Dark()).Render(tracertest.Shot{Camera: s.Cameras[0], Width: 64, Height: 64, Samples: 2,
		Settings: tracertest.Settings(func(s *settings.Settings) { s.Integrator, s.Roulette, s.Bounces = "naive", false, 64 })})
	for i, v := range img.Pix {
		if math.Abs(float64(v)-furnaceRadiance) > 1e-4 {
			t.Fatalf("pixel (%d, %d) is %v, want 2.00 within 1e-4", i/3%img.Width, i/3/img.Width, v)
		}
	}
}

func TestFurnacePath(t *testing.T) {
	fx := tracertest.OnBestBackend(t)
	s := tracertest.Builtin(t, "furnace", builtin.Options{})
	v := tracertest.Shot{Camera: s.Cameras[0], Width: 64, Height: 64, Samples: 192,
		Settings: tracertest.Settings(func(s *settings.Settings) { s.Bounces = 64 })}
	if tracertest.Long() {
		v.Samples = 2048
	}
	checkFurnace(t, fx.Use(s, tracertest.Dark()).Render(v))
}

// checkFurnace asserts the bounds on tiles and picture.
func checkFurnace(t *testing.T, img *imageio.Image) {
	t.Helper()
	for y := 0; y < img.Height; y += tracertest.TileSize {
		for x := 0; x < img.Width; x += tracertest.TileSize {
			mean := tracertest.MeanOf(img, x, y, tracertest.TileSize, tracertest.TileSize)[0]
			if math.Abs(mean/furnaceRadiance-1) > 0.005 {
				t.Errorf("the tile at (%d, %d) has mean %.4f, want 2.00 within 0.5 %%", x, y, mean)
			}
		}
	}
	mean := tracertest.Mean(img)[0]
	t.Logf("mean %.5f", mean)
	if math.Abs(mean/furnaceRadiance-1) > 0.001 {
		t.Errorf("the picture has mean %.5f, want 2.00 within 0.1 %%", mean)
	}
}

// furnaceMaterial is a kind of surface that absorbs nothing.
type furnaceMaterial struct {
	name   string
	change func(*scene.Material)
}

func furnaceMaterials() []furnaceMaterial {
	return []furnaceMaterial{
		{"metal", func(m *scene.Material) { m.Metallic = 1 }},
		{"dielectric", func(*scene.Material) {}},
		{"glass", func(m *scene.Material) { m.Transmission, m.Thickness = 1, 1 }},
		{"brushed glass", func(m *scene.Material) {
			m.Transmission, m.Thickness, m.Anisotropy = 1, 1, scene.Anisotropy{Strength: 0.7, Rotation: 0.5}
		}},
		{"thin glass", func(m *scene.Material) { m.Transmission, m.Thickness = 1, 0 }},
	}
}

// TestWhiteFurnace: what absorbs nothing vanishes in light that comes evenly from everywhere, at any roughness.
func TestWhiteFurnace(t *testing.T) {
	tileBound := 0.02 // leaves room for the noise of rough glass
	if tracertest.Long() {
		tileBound = 0.01
	}
	for _, m := range furnaceMaterials() {
		for _, roughness := range []float32{0, 0.25, 0.5, 0.75, 1} {
			t.Run(fmt.Sprintf("%s/%v", m.name, roughness), func(t *testing.T) {
				tracertest.Parallel(t)
				img := whiteFurnace(t, m, roughness, true)
				mean, tiles := overSphere(img)
				t.Logf("mean %.4f, tiles %.4f", mean, tiles)
				if math.Abs(mean-1) > 0.01 {
					t.Errorf("the sphere has mean %.4f, want 1 ± 1 %%", mean)
				}
				if worst := max(slices.Max(tiles)-1, 1-slices.Min(tiles)); worst > tileBound {
					t.Errorf("the tiles of the sphere have means %.4f, want 1 ± %v", tiles, tileBound)
				}
			})
		}
	}
}

// TestWhiteFurnaceUncompensated: without compensation energy may be lost between microfacets, never gained.
func TestWhiteFurnaceUncompensated(t *testing.T) {
	for _, m := range furnaceMaterials() {
		before := 1.0
		for _, roughness := range []float32{0, 0.5, 1} {
			mean, _ := overSphere(whiteFurnace(t, m, roughness, false))
			t.Logf("%s, roughness %v: mean %.4f", m.name, roughness, mean)
			if mean > 1.001 {
				t.Errorf("%s, roughness %v: mean %.4f, light comes from nothing", m.name, roughness, mean)
			}
			if m.name == "metal" && roughness > 0 && mean > before-0.01 {
				t.Errorf("%s, roughness %v: mean %.4f after %.4f: a rougher metal must lose more", m.name, roughness, mean, before)
			}
			before = mean
		}
	}
}

func whiteFurnace(t *testing.T, m furnaceMaterial, roughness float32, compensate bool) *imageio.Image {
	t.Helper()
	s := tracertest.Builtin(t, "white-furnace", builtin.Options{Material: func(subject *scene.Material) {
		subject.Roughness = roughness
		m.change(subject)
	}})
	v := tracertest.Shot{Camera: s.Cameras[0], Width: 64, Height: 64, Samples: 64,
		Settings: tracertest.Settings(func(s *settings.Settings) { s.Bounces, s.EnergyCompensation = 256, compensate })}
	if roughness > 0.5 && s.Materials[0].Transmission > 0 {
		v.Samples = 256 // paths scatter many times inside
	}
	if !compensate { // only the mean is looked at
		v.Samples /= 4
	}
	if tracertest.Long() {
		v.Samples *= 16
	}
	return tracertest.OnBestBackend(t).Use(s, tracertest.Constant(1)).Render(v)
}

// overSphere is the mean over the pixels of white-furnace's sphere, and those of the 4 tiles inside it. The sphere fills
// 0.709 of half the picture's height.
func overSphere(img *imageio.Image) (mean float64, tiles []float64) {
	radius := 0.7 * float64(img.Height) / 2
	sum, pixels := 0.0, 0
	for i := range img.Width * img.Height {
		x, y := float64(i%img.Width)+0.5-float64(img.Width)/2, float64(i/img.Width)+0.5-float64(img.Height)/2
		if math.Hypot(x, y) < radius-1 {
			sum += float64(img.Pix[3*i])
			pixels++
		}
	}
	half := img.Width / 2
	for _, corner := range [][2]int{{half - 16, half - 16}, {half, half - 16}, {half - 16, half}, {half, half}} {
		tiles = append(tiles, tracertest.MeanOf(img, corner[0], corner[1], tracertest.TileSize, tracertest.TileSize)[0])
	}
	return sum / float64(pixels), tiles
}
