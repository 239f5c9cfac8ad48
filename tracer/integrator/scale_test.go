package integrator_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"glint/tracer/builtin"
	"glint/tracer/imageio"
	"glint/tracer/scene"
	"glint/tracer/settings"
	"glint/tracer/tracertest"
)

// contacts is a Cornell room whose blocks stand on the floor, so that rays start where surfaces meet, with a wide lamp
// that leaves little noise.
func contacts(t *testing.T) *scene.Scene {
	s := tracertest.Builtin(t, "cornell", builtin.Options{})
	tracertest.AddQuad(s, mgl32.Vec3{-0.8, 1.98, -0.8}, mgl32.Vec3{1.6, 0, 0}, mgl32.Vec3{0, 0, 1.6}, tracertest.Emitter(2))
	return s
}

// TestScalesAgree: radiance does not depend on the unit of length, so neither may the picture.
func TestScalesAgree(t *testing.T) {
	v := tracertest.Shot{Width: 32, Height: 32, Samples: 16, Settings: tracertest.Settings(func(s *settings.Settings) { s.Bounces = 4 })}
	var reference *tracertest.Side
	for i, scale := range []float32{1, 0.01, 100} {
		t.Run(fmt.Sprint(scale), func(t *testing.T) {
			s, camera := tracertest.Transformed(contacts(t), scale, mgl32.Vec3{})
			v.Camera = camera
			fx := tracertest.OnCPU(t).Use(s, tracertest.Dark())
			if reference == nil {
				reference = fx.RenderSide(v, agreementRuns, naiveSeed)
			}
			agree(t, fx.RenderSeeds(v, agreementRuns, 1000*(i+1)), reference)
		})
	}
}

// TestFurnaceAtScales: a ray that leaves the room or hits the wall that it starts on shows as a pixel that is not 2.
// A thousand times its size from the origin, single precision is as coarse as 1e-4 of the room: there a path that ends in
// an edge may leak, and two in a thousand pixels may show it.
func TestFurnaceAtScales(t *testing.T) {
	for _, row := range []struct {
		name  string
		scale float32
		move  mgl32.Vec3
		leaks float64 // share of pixels
	}{
		{"0.01", 0.01, mgl32.Vec3{}, 0},
		{"100", 100, mgl32.Vec3{}, 0},
		{"far away", 1, mgl32.Vec3{2000, -1500, 1000}, 2e-3},
		{"small and far away", 0.01, mgl32.Vec3{20, 15, -10}, 2e-3},
	} {
		t.Run(row.name, func(t *testing.T) {
			s, camera := tracertest.Transformed(tracertest.Builtin(t, "furnace", builtin.Options{}), row.scale, row.move)
			fx := tracertest.OnCPU(t).Use(s, tracertest.Dark())
			v := tracertest.Shot{Camera: camera, Width: 64, Height: 64, Samples: 4,
				Settings: tracertest.Settings(func(s *settings.Settings) { s.Integrator, s.Roulette, s.Bounces = "naive", false, 64 })}
			bad, worst := 0, 0.0
			img := fx.Render(v)
			for i := 0; i < len(img.Pix); i += 3 {
				off := math.Abs(float64(img.Pix[i]) - furnaceRadiance)
				worst = max(worst, off)
				if off > 1e-4 {
					bad++
				}
			}
			t.Logf("worst pixel off by %.2g", worst)
			if float64(bad) > row.leaks*float64(v.Width*v.Height) {
				t.Errorf("%d of %d pixels are not 2.00 within 1e-4", bad, v.Width*v.Height)
			}
			v.Settings.Integrator, v.Settings.Roulette, v.Samples = "path", true, 192
			checkFurnace(t, fx.Render(v))
		})
	}
}

// A thing far away makes the scene large, and the rays between surfaces no less exact: light must not leak past what nearly touches.
func TestFarThingsChangeNothing(t *testing.T) {
	picture := func(integrator string, far float32) *imageio.Image {
		s, camera := tracertest.Ground(0.8, 20)
		camera.Eye, camera.Target, camera.Up = mgl64.Vec3{0.3, 0.005, 0}, mgl64.Vec3{-0.05, 0, 0}, mgl32.Vec3{0, 1, 0}
		tracertest.AddQuad(s, mgl32.Vec3{-1, 0.002, 1}, mgl32.Vec3{1, 0, 0}, mgl32.Vec3{0, 0, -2}, tracertest.Matte(0.8)) // 2 mm above the ground
		tracertest.AddQuad(s, mgl32.Vec3{1.5, 0, -0.5}, mgl32.Vec3{0, 0, 1}, mgl32.Vec3{0, 1, 0}, tracertest.Emitter(2))
		if far > 0 {
			tracertest.AddQuad(s, mgl32.Vec3{0, 0, far}, mgl32.Vec3{1e-3, 0, 0}, mgl32.Vec3{0, 1e-3, 0}, tracertest.Matte(0.8))
		}
		return tracertest.OnCPU(t).Use(s, tracertest.Dark()).Render(tracertest.Shot{Camera: camera, Width: 32, Height: 16, Samples: 64,
			Settings: tracertest.Settings(func(o *settings.Settings) { o.Integrator, o.Bounces = integrator, 3 })})
	}
	for _, integrator := range []string{"restir-gi", "restir"} {
		want, got := picture(integrator, 0), picture(integrator, 20e3)
		if share := tracertest.ShareBeyond(got, want, 0.02); share > 0.01 {
			t.Errorf("%s: %.1f %% of the pixels are another by more than 2 %%", integrator, 100*share)
		}
	}
}
