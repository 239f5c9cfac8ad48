package tracer_test

import (
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl32"

	"glint/tracer/builtin"
	"glint/tracer/imageio"
	"glint/tracer/scene"
	"glint/tracer/settings"
	"glint/tracer/view"
)

// filteredStill is a still of so many samples, as it is and by the built-in filter.
func (st *studio) filteredStill(s shot) (noisy, clean *imageio.Image) {
	st.t.Helper()
	noisy = st.take(s)
	clean, err := st.r.Image().Denoised(view.View{Camera: s.camera, Width: s.width, Height: s.height}, s.settings)
	if err != nil {
		st.t.Fatal(err)
	}
	return noisy, clean
}

// TestAtrousBringsTheErrorDown, most where there is most noise, and never up.
func TestAtrousBringsTheErrorDown(t *testing.T) {
	s := made(t, "cornell", builtin.Options{})
	st := onFastest(t).use(s, nil)
	v := shot{camera: s.Cameras[0], width: 64, height: 64, samples: 4096, settings: filtering(func(s *settings.Settings) { s.Bounces, s.Seed = 4, 7 })}
	if !long() {
		v.samples = 2048
	}
	reference := st.take(v)
	v.settings.Seed = 0
	for _, row := range []struct {
		samples int
		most    float64 // of the noisy error
	}{{4, 0.15}, {32, 0.4}, {512, 1}} {
		v.samples = row.samples
		noisy, clean := onFastest(t).use(s, nil).filteredStill(v)
		before, after := relMSE(t, noisy, reference), relMSE(t, clean, reference)
		t.Logf("%d samples: relMSE %.5f noisy, %.5f filtered (%.2f)", row.samples, before, after, after/before)
		if !(after <= row.most*before) {
			t.Errorf("%d samples: relMSE %.5f noisy, %.5f filtered: want %.2f of it at most", row.samples, before, after, row.most)
		}
	}
}

// TestAtrousKeepsEnergy: the mean of an image of noise stays within a percent.
func TestAtrousKeepsEnergy(t *testing.T) {
	for _, name := range []string{"cornell", "mixed-reflection"} {
		s := made(t, name, builtin.Options{})
		noisy, clean := onCPU(t).use(s, nil).filteredStill(shot{camera: s.DefaultCamera(1), width: 128, height: 128, samples: 8,
			settings: filtering(func(*settings.Settings) {})})
		before, after := meanImage(noisy), meanImage(clean)
		t.Logf("%s: mean %.4f noisy, %.4f filtered", name, before, after)
		for c := range before {
			if math.Abs(after[c]/before[c]-1) > 0.01 {
				t.Errorf("%s: mean %.4f noisy, %.4f filtered", name, before, after)
			}
		}
	}
}

// flatlyLit is light that is the same everywhere and has no noise: a constant environment, found by chance alone.
func flatlyLit(denoise string) settings.Settings {
	return filtering(func(s *settings.Settings) { s.Denoise, s.Sampling, s.Bounces = denoise, "bsdf", 1 })
}

// TestAtrousFurnace: what is the same everywhere stays so, in stills and in live views.
func TestAtrousFurnace(t *testing.T) {
	s, camera := ground(0.5, 60)
	st := onCPU(t).use(s, constant(2))
	_, clean := st.filteredStill(shot{camera: camera, width: 32, height: 24, samples: 3, settings: flatlyLit("atrous")})
	live := onCPU(t).use(s, constant(2)).shoot(view.View{Camera: camera, Width: 32, Height: 24}, flatlyLit("atrous"), 5,
		func(i int) scene.Camera {
			moved := camera
			moved.Eye[0] += 0.02 * float32(i)
			moved.Target[0] += 0.02 * float32(i)
			return moved
		}, nil)
	for name, img := range map[string]*imageio.Image{"still": clean, "live": live} {
		for i, x := range img.Pix {
			if math.Abs(float64(x)-1) > 1e-3 {
				t.Fatalf("%s: value %d is %v, want 1", name, i, x)
			}
		}
	}
}

// checkered is a board of a metre's squares, light and dark, seen from above.
func checkered() (*scene.Scene, scene.Camera) {
	s := &scene.Scene{Name: "board"}
	for y := range 8 {
		for x := range 8 {
			m := matte(0.1)
			if (x+y)%2 == 0 {
				m = matte(0.8)
			}
			addQuad(s, mgl32.Vec3{float32(x) - 4, 0, float32(y) - 3}, mgl32.Vec3{1, 0, 0}, mgl32.Vec3{0, 0, -1}, m)
		}
	}
	camera := fromAbove(60)
	camera.Eye[1], camera.Up = 5, mgl32.Vec3{0.2, 0, -1}.Normalize()
	return s, camera
}

// TestAtrousKeepsTextureAndLampsSharp: where the light is noisy the albedo's edges stay as they are, and so do lamps.
func TestAtrousKeepsTextureAndLampsSharp(t *testing.T) {
	s, camera := checkered()
	addQuad(s, mgl32.Vec3{-0.5, 0.001, 0.5}, mgl32.Vec3{1, 0, 0}, mgl32.Vec3{0, 0, -1}, emitter(30))
	v := shot{camera: camera, width: 96, height: 72, samples: 4, settings: filtering(func(s *settings.Settings) {
		s.Antialias, s.Bounces = false, 1
	})}
	want := onCPU(t).use(s, constant(1))
	truth := v
	truth.samples = 1024
	exact := want.take(truth)
	noisy, clean := onCPU(t).use(s, constant(1)).filteredStill(v)
	before, after := relMSE(t, noisy, exact), relMSE(t, clean, exact)
	worst := 0.0
	for i := range exact.Pix {
		if d := math.Abs(float64(clean.Pix[i]/exact.Pix[i]) - 1); d > worst {
			worst = d
		}
	}
	t.Logf("relMSE %.5f noisy, %.5f filtered; worst pixel %.0f %% off", before, after, 100*worst)
	if !(after < 0.3*before && worst < 0.25) {
		t.Errorf("relMSE %.5f noisy, %.5f filtered; worst pixel %.0f %% off", before, after, 100*worst)
	}
}

// TestAtrousStandsInForOIDN in live views, and says why; a still asks for it in vain.
func TestAtrousStandsInForOIDN(t *testing.T) {
	t.Setenv("OIDN_DIR", t.TempDir())
	s := made(t, "cornell", builtin.Options{})
	st := onCPU(t).use(s, nil)
	own := filtering(func(s *settings.Settings) { s.Denoise = "oidn" })
	if st.r.Engine().CheckDenoiser(own) == nil {
		t.Skip("OIDN is found where the system has libraries")
	}
	v := view.View{Camera: s.Cameras[0], Width: 16, Height: 16, Live: true}
	stats, err := st.r.Render(v, own, view.Target{})
	if err != nil || stats.DenoiseError != nil || stats.Denoised != 1 || stats.Denoiser != "atrous" || stats.DenoiserFallback == nil {
		t.Errorf("%+v (%v): want a picture by atrous, and why", stats, err)
	}
	v.Live = false
	if _, err := st.r.Image().Denoised(v, own); err == nil {
		t.Error("a still is denoised by OIDN, which is not there")
	}
}

// BenchmarkAtrous720p filters an image, without and with history.
func BenchmarkAtrous720p(b *testing.B) {
	s := made(b, "cornell", builtin.Options{})
	for _, live := range []bool{false, true} {
		b.Run(map[bool]string{false: "still", true: "live"}[live], func(b *testing.B) {
			st := onFastest(b).use(s, nil)
			v := view.View{Camera: s.DefaultCamera(16.0 / 9), Width: 1280, Height: 720, Live: live}
			own := filtering(func(s *settings.Settings) { s.Bounces = 1 })
			for range 2 { // images, so that there is a past
				v.Frame++
				if _, err := st.r.Render(v, own, view.Target{}); err != nil {
					b.Fatal(err)
				}
			}
			for b.Loop() {
				if err := st.r.DenoiseAgain(v, own); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
