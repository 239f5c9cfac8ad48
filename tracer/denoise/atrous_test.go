package denoise_test

import (
	"errors"
	"io/fs"
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"glint/cuda"
	"glint/tracer/builtin"
	"glint/tracer/film"
	"glint/tracer/gpuscene"
	"glint/tracer/imageio"
	"glint/tracer/metric"
	"glint/tracer/scene"
	"glint/tracer/schedule"
	"glint/tracer/settings"
	"glint/tracer/tracertest"
	"glint/tracer/view"
)

// filteredStill is a still of so many samples, as it is and by the built-in filter.
func filteredStill(fx *tracertest.Fixture, s tracertest.Shot) (noisy, clean *imageio.Image) {
	fx.T.Helper()
	noisy = fx.Render(s)
	clean, err := fx.Renderer.Image().Denoised(schedule.Request{View: view.View{Camera: s.Camera, Width: s.Width, Height: s.Height}}, s.Settings)
	if err != nil {
		fx.T.Fatal(err)
	}
	return noisy, clean
}

// TestAtrousBringsTheErrorDown, most where there is most noise, and never up.
func TestAtrousBringsTheErrorDown(t *testing.T) {
	s := tracertest.Builtin(t, "cornell", builtin.Options{})
	fx := tracertest.OnFastest(t).Use(s, nil)
	v := tracertest.Shot{Camera: s.Cameras[0], Width: 64, Height: 64, Samples: 4096, Settings: filtering(func(s *settings.Settings) { s.Bounces, s.Seed = 4, 7 })}
	many := 512
	if !tracertest.Long() {
		v.Samples, many = 1024, 256
	}
	reference := fx.Render(asReference(v))
	v.Settings.Seed = 0
	for _, row := range []struct {
		samples int
		most    float64 // of the noisy error
	}{{4, 0.15}, {32, 0.4}, {many, 1}} {
		v.Samples = row.samples
		noisy, clean := filteredStill(tracertest.OnFastest(t).Use(s, nil), v)
		before, after := tracertest.RelMSE(t, noisy, reference), tracertest.RelMSE(t, clean, reference)
		t.Logf("%d samples: relMSE %.5f noisy, %.5f filtered (%.2f)", row.samples, before, after, after/before)
		if !(after <= row.most*before) {
			t.Errorf("%d samples: relMSE %.5f noisy, %.5f filtered: want %.2f of it at most", row.samples, before, after, row.most)
		}
	}
}

// asReference is the same picture with as little noise as its samples can have: no guides are traced, and light is sampled.
func asReference(s tracertest.Shot) tracertest.Shot {
	s.Settings.Denoise, s.Settings.Sampling = "off", settings.Defaults().Sampling
	return s
}

// filtersTo fails unless the filter leaves less than so much of the error of a still of so many samples, excluding the worst fraction of the
// pixels. The shot is the reference; its noise counts against the filter.
func filtersTo(t *testing.T, use func() *tracertest.Fixture, shot tracertest.Shot, samples int, worst, most float64) {
	t.Helper()
	reference := use().Render(asReference(shot))
	shot.Samples, shot.Settings.Seed = samples, 0
	noisy, clean := filteredStill(use(), shot)
	errorOf := func(img *imageio.Image) float64 {
		relMSE, err := metric.TrimmedRelMSE(img, reference, worst)
		if err != nil {
			t.Fatal(err)
		}
		return relMSE
	}
	before, after := errorOf(noisy), errorOf(clean)
	t.Logf("relMSE %.5f noisy, %.5f filtered (%.3f)", before, after, after/before)
	if !(after < most*before) {
		t.Errorf("relMSE %.5f noisy, %.5f filtered: want %.2f of it at most", before, after, most)
	}
}

// TestAtrousFiltersPolishedFloors: where a floor reflects a wall, the mean of both normals is not that of the floor, which seen at a low
// angle must be filtered nevertheless.
func TestAtrousFiltersPolishedFloors(t *testing.T) {
	polished := tracertest.Matte(0.5)
	polished.Specular, polished.Roughness = 1, 0
	s := &scene.Scene{Name: "polished floor"}
	tracertest.AddQuad(s, mgl32.Vec3{-9, 0, 9}, mgl32.Vec3{18, 0, 0}, mgl32.Vec3{0, 0, -18}, polished)
	tracertest.AddQuad(s, mgl32.Vec3{-9, 0, -3}, mgl32.Vec3{18, 0, 0}, mgl32.Vec3{0, 9, 0}, tracertest.Matte(0.5))
	tracertest.AddQuad(s, mgl32.Vec3{-1, 2, -1}, mgl32.Vec3{2, 0, 0}, mgl32.Vec3{0, 0, 2}, tracertest.Emitter(1))
	camera := scene.Camera{Eye: mgl64.Vec3{0, 0.3, 2}, Up: mgl32.Vec3{0, 1, 0}, VFov: 4}
	use := func() *tracertest.Fixture { return tracertest.OnFastest(t).Use(s, tracertest.Dark()) }
	v := tracertest.Shot{Camera: camera, Width: 48, Height: 32, Samples: 512, Settings: filtering(func(s *settings.Settings) { s.Bounces, s.Sampling, s.Seed = 2, "bsdf", 7 })}
	filtersTo(t, use, v, 4, 0, 0.02)
}

// TestAtrousKeepsDrawings: thin bright lines on a dark gloss, which reflects a lamp behind the camera, do not take its reflection for
// light on them, nor does the gloss take theirs. 0.32 of the error of the samples is left, and without the fit more than all of it.
func TestAtrousKeepsDrawings(t *testing.T) {
	dark := tracertest.Matte(0.02)
	dark.Specular, dark.Roughness = 1, 0.3
	s := &scene.Scene{Name: "drawings"}
	for i := range 24 {
		m, width := dark, float32(0.09)
		if i%2 == 1 {
			m, width = tracertest.Matte(0.7), 0.03
		}
		x := float32(i/2)*0.12 - 0.72 + float32(i%2)*0.09
		tracertest.AddQuad(s, mgl32.Vec3{x, -1, 0}, mgl32.Vec3{width, 0, 0}, mgl32.Vec3{0, 2, 0}, m)
	}
	tracertest.AddQuad(s, mgl32.Vec3{-2, 2, 6}, mgl32.Vec3{4, 0, 0}, mgl32.Vec3{0, -4, 0}, tracertest.Emitter(1))
	camera := scene.Camera{Eye: mgl64.Vec3{0, 0, 3}, Up: mgl32.Vec3{0, 1, 0}, VFov: 20}
	use := func() *tracertest.Fixture { return tracertest.OnFastest(t).Use(s, tracertest.Dark()) }
	v := tracertest.Shot{Camera: camera, Width: 96, Height: 64, Samples: 512, Settings: filtering(func(s *settings.Settings) { s.Bounces, s.Seed = 1, 7 })}
	filtersTo(t, use, v, 16, 0, 0.45)
}

// glassSlabs are tinted slabs, one below the other, with nothing behind them; the camera looks at their right edge from above.
func glassSlabs(count int, roughness float32) (*scene.Scene, scene.Camera) {
	glass := tracertest.Matte(0.5)
	glass.Transmission, glass.Specular, glass.Roughness, glass.Thickness = 1, 1, roughness, 1
	s := &scene.Scene{Name: "slabs"}
	for i := range count {
		y := -0.2 * float32(i)
		tracertest.AddQuad(s, mgl32.Vec3{-1, y, 1}, mgl32.Vec3{2, 0, 0}, mgl32.Vec3{0, 0, -2}, glass)
		tracertest.AddQuad(s, mgl32.Vec3{-1, y - 0.1, -1}, mgl32.Vec3{2, 0, 0}, mgl32.Vec3{0, 0, 2}, glass)
	}
	return s, scene.Camera{Eye: mgl64.Vec3{0.9, 0.7, 1}, Target: mgl64.Vec3{0.9, 0, 0}, Up: mgl32.Vec3{0, 1, 0}, VFov: 12}
}

// TestAtrousFiltersWhatGlassShows: where nothing lies behind glass, guides know what passes and what the front reflects; the noise of
// what else is reflected must go. Through five slabs they are not followed to the end.
func TestAtrousFiltersWhatGlassShows(t *testing.T) {
	for _, row := range []struct {
		name      string
		count     int
		roughness float32
	}{{"smooth", 1, 0}, {"nearly smooth", 1, 0.05}, {"five slabs", 5, 0}} {
		t.Run(row.name, func(t *testing.T) {
			s, camera := glassSlabs(row.count, row.roughness)
			use := func() *tracertest.Fixture { return tracertest.OnFastest(t).Use(s, tracertest.Constant(1)) }
			v := tracertest.Shot{Camera: camera, Width: 48, Height: 32, Samples: 256, Settings: filtering(func(s *settings.Settings) { s.Bounces, s.Seed = 16, 7 })}
			filtersTo(t, use, v, 8, 0, 0.1)
		})
	}
}

// TestAtrousFiltersGlassInTheDark: a glass head that is lit by the sun alone. Its guides find the black sky, or are lost within and count
// as white: light that was divided by the one must not be multiplied by the other. What is left of the error is that of glints, which are
// smaller than the filter, of a few samples each.
func TestAtrousFiltersGlassInTheDark(t *testing.T) {
	s, err := scene.Load(t.Context(), "../../../shared/scenes/IridescenceSuzanne/IridescenceSuzanne.glb", scene.Options{})
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("needs a model that does not come with the project: ", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	use := func() *tracertest.Fixture { return tracertest.OnFastest(t).Use(s, tracertest.Dark()) }
	v := tracertest.Shot{Camera: s.DefaultCamera(16. / 9), Width: 160, Height: 90, Samples: 1024, Settings: filtering(func(s *settings.Settings) { s.Bounces, s.Seed = 16, 7 })}
	reference := use().Render(asReference(v))
	v.Samples, v.Settings.Seed = 64, 0
	noisy, clean := filteredStill(use(), v)
	_, before := errorsOf(t, noisy, reference)
	_, after := errorsOf(t, clean, reference)
	t.Logf("FLIP %.4f noisy, %.4f filtered", before, after)
	if !(after < 0.027) {
		t.Errorf("FLIP %.4f noisy, %.4f filtered: want less than 0.027", before, after)
	}
}

// TestAtrousKeepsGlassBeforeLampsClean: two slabs of glass before a small lamp, 10,000 times as bright as what is around it. Samples choose
// whether they pass. What noise that leaves of the lamp is no light for the pixels around, of which many became black.
func TestAtrousKeepsGlassBeforeLampsClean(t *testing.T) {
	s, camera := glassSlabs(2, 0)
	towards := camera.Target.Sub(camera.Eye).Normalize()
	const w, h = 1024, 512
	sky := &gpuscene.Environment{Width: w, Height: h}
	for i := range w * h {
		d := tracertest.TexelDirection(i%w, i/w, w, h)
		v := float32(0.2)
		if math.Acos(min(towards.Dot(d), 1)) < 0.02 {
			v = 2000
		}
		sky.Pixels = append(sky.Pixels, v, v, v)
	}
	use := func() *tracertest.Fixture { return tracertest.OnFastest(t).Use(s, sky) }
	v := tracertest.Shot{Camera: camera, Width: 48, Height: 32, Samples: 256, Settings: filtering(func(s *settings.Settings) { s.Bounces, s.Seed = 16, 7 })}
	reference := use().Render(asReference(v))
	v.Samples, v.Settings.Seed = 128, 0
	noisy, clean := filteredStill(use(), v)
	dark := 0
	for i := range len(clean.Pix) / 3 {
		if clean.Pix[3*i+1] < 0.5*min(noisy.Pix[3*i+1], reference.Pix[3*i+1]) {
			dark++
		}
	}
	t.Logf("%d of %d pixels are less than half as bright as they should be", dark, len(clean.Pix)/3)
	if dark > 0 {
		t.Errorf("%d pixels are less than half as bright as they should be, want none", dark)
	}
}

// TestAtrousKeepsSmallThings: what is smaller than a pixel, as letters far away, is left as it is before the sky at rest. The error of such
// pixels is known, too. Where it was not, relMSE was 3.7 times that of the noisy image.
func TestAtrousKeepsSmallThings(t *testing.T) {
	s := &scene.Scene{Name: "letters"}
	const size = 0.035 // m, of pixels of 0.054
	paper := tracertest.Matte(0.8)
	for i := range 24 * 16 {
		x, y := float32(i%24)*0.121-1.45, float32(i/24)*0.113-0.9
		tracertest.AddQuad(s, mgl32.Vec3{x, y, 0}, mgl32.Vec3{size, 0, 0}, mgl32.Vec3{0, size, 0}, paper)
	}
	camera := scene.Camera{Eye: mgl64.Vec3{0, 0, 3}, Up: mgl32.Vec3{0, 1, 0}, VFov: 60}
	s.Lights = []scene.Light{{Kind: scene.LightDirectional, Direction: mgl32.Vec3{0, 0, -1}, Intensity: mgl32.Vec3{2, 2, 2}}}
	use := func() *tracertest.Fixture { return tracertest.OnCPU(t).Use(s, tracertest.Constant(0.12)) }
	v := tracertest.Shot{Camera: camera, Width: 96, Height: 64, Samples: 1024, Settings: filtering(func(s *settings.Settings) { s.Bounces, s.Seed = 1, 7 })}
	filtersTo(t, use, v, 64, 0, 1.2)
}

// TestAtrousKeepsDetail: of many samples, the filter blurs what guides do not know, such as shadows and reflections, no more than the noise
// that is left makes worth while. Filtered light alone leaves 0.92 of the error, 0.84 if errors limit it, and 0.505 where they are
// those of independent samples.
func TestAtrousKeepsDetail(t *testing.T) {
	s := tracertest.Builtin(t, "city", builtin.Options{})
	sky := gpuscene.Sky{Elevation: 20, Turbidity: 3}.Environment()
	use := func() *tracertest.Fixture { return tracertest.OnFastest(t).Use(s, sky) }
	shot := tracertest.Shot{Camera: s.DefaultCamera(1.5), Width: 72, Height: 48, Samples: 1024, Settings: filtering(func(s *settings.Settings) {
		s.Integrator, s.Seed = "path", 7
	})}
	filtersTo(t, use, shot, 256, 0.001, 0.49)
}

// TestAtrousKeepsEnergy: the mean of an image of noise stays within a percent.
func TestAtrousKeepsEnergy(t *testing.T) {
	for _, name := range []string{"cornell", "mixed-reflection"} {
		s := tracertest.Builtin(t, name, builtin.Options{})
		noisy, clean := filteredStill(tracertest.OnCPU(t).Use(s, nil), tracertest.Shot{Camera: s.DefaultCamera(1), Width: 128, Height: 128, Samples: 8,
			Settings: filtering(func(*settings.Settings) {})})
		before, after := tracertest.Mean(noisy), tracertest.Mean(clean)
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
	s, camera := tracertest.Ground(0.5, 60)
	fx := tracertest.OnCPU(t).Use(s, tracertest.Constant(2))
	_, clean := filteredStill(fx, tracertest.Shot{Camera: camera, Width: 32, Height: 24, Samples: 3, Settings: flatlyLit("atrous")})
	live := shoot(tracertest.OnCPU(t).Use(s, tracertest.Constant(2)), schedule.Request{View: view.View{Camera: camera, Width: 32, Height: 24}}, flatlyLit("atrous"), 5,
		slid(camera), nil)
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
			m := tracertest.Matte(0.1)
			if (x+y)%2 == 0 {
				m = tracertest.Matte(0.8)
			}
			tracertest.AddQuad(s, mgl32.Vec3{float32(x) - 4, 0, float32(y) - 3}, mgl32.Vec3{1, 0, 0}, mgl32.Vec3{0, 0, -1}, m)
		}
	}
	camera := tracertest.FromAbove(60)
	camera.Eye[1], camera.Up = 5, mgl32.Vec3{0.2, 0, -1}.Normalize()
	return s, camera
}

// TestAtrousKeepsTextureAndLampsSharp: where the light is noisy the albedo's edges stay as they are, and so do lamps.
func TestAtrousKeepsTextureAndLampsSharp(t *testing.T) {
	s, camera := checkered()
	tracertest.AddQuad(s, mgl32.Vec3{-0.5, 0.001, 0.5}, mgl32.Vec3{1, 0, 0}, mgl32.Vec3{0, 0, -1}, tracertest.Emitter(30))
	v := tracertest.Shot{Camera: camera, Width: 96, Height: 72, Samples: 4, Settings: filtering(func(s *settings.Settings) {
		s.Antialias, s.Bounces = false, 1
	})}
	want := tracertest.OnCPU(t).Use(s, tracertest.Constant(1))
	truth := v
	truth.Samples = 256
	exact := want.Render(asReference(truth))
	noisy, clean := filteredStill(tracertest.OnCPU(t).Use(s, tracertest.Constant(1)), v)
	before, after := tracertest.RelMSE(t, noisy, exact), tracertest.RelMSE(t, clean, exact)
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
	tracertest.WithoutOIDN(t)
	s := tracertest.Builtin(t, "cornell", builtin.Options{})
	fx := tracertest.OnCPU(t).Use(s, nil)
	own := filtering(func(s *settings.Settings) { s.Denoise = "oidn" })
	v := schedule.Request{View: view.View{Camera: s.Cameras[0], Width: 16, Height: 16}, Live: true}
	stats, err := fx.Renderer.Render(v, own, view.Target{})
	if err != nil || stats.DenoiseError != nil || stats.Denoised != 1 || stats.Denoiser != "atrous" || stats.DenoiserFallback == nil {
		t.Errorf("%+v (%v): want a picture by atrous, and why", stats, err)
	}
	v.Live = false
	if _, err := fx.Renderer.Image().Denoised(v, own); err == nil {
		t.Error("a still is denoised by OIDN, which is not there")
	}
}

// BenchmarkAtrous720p filters an image, without and with history.
func BenchmarkAtrous720p(b *testing.B) {
	s := tracertest.Builtin(b, "cornell", builtin.Options{})
	for _, live := range []bool{false, true} {
		b.Run(map[bool]string{false: "still", true: "live"}[live], func(b *testing.B) {
			fx := tracertest.OnFastest(b).Use(s, nil)
			v := schedule.Request{View: view.View{Camera: s.DefaultCamera(16.0 / 9), Width: 1280, Height: 720}, Live: live}
			own := filtering(func(s *settings.Settings) { s.Bounces = 1 })
			stage := newStage(fx)
			for image := range 2 { // so that there is a past
				v.Frame++
				fx.Frame(v, own, view.Target{})
				denoised(b, stage, sourceOf(fx, v, own, image))
			}
			for b.Loop() {
				denoised(b, stage, sourceOf(fx, v, own, 1))
			}
		})
	}
}

// TestAtrousFadesFireflies: a pixel of 256 samples that three of them have made 30 times as bright as it was. Three are chance. Judged by an
// error that the pixels around had made smaller, they were taken for sure, and it was shown 14 times as bright.
func TestAtrousFadesFireflies(t *testing.T) {
	s := tracertest.Builtin(t, "cornell", builtin.Options{})
	const width, height, at, fireflies = 64, 48, 20*64 + 32, 3
	d := tracertest.NewDevice()
	fx := d.Open(t).Use(s, nil)
	var before float64
	d.BeforeLaunch = func(k cuda.Kernel) {
		if k != cuda.AtrousDemodulate {
			return
		}
		f := d.LastFrame.Film
		sums := tracertest.ReadBuffer[[4]float32](t, d, f.Accumulation)
		p := &sums[at]
		before = imageio.Luminance(float64(p[0]), float64(p[1]), float64(p[2]))
		light := 30 * before
		for c := range 3 {
			p[c] += float32(light)
		}
		tracertest.WriteBuffer(t, d, f.Accumulation, sums)
		aovs := tracertest.ReadBuffer[float32](t, d, f.Aovs)
		moments := aovs[4*(int(cuda.AovGloss)*width*height+at)+2:]
		moments[0] += float32(light)
		moments[1] += float32(light * light / fireflies)
		block := aovs[int(f.Blocks-f.Aovs)/4+2*at:]
		block[0] += float32(light)
		block[1] += float32(light * light / fireflies / float64(film.BlockSamples))
		tracertest.WriteBuffer(t, d, f.Aovs, aovs)
	}
	v := tracertest.Shot{Camera: s.Cameras[0], Width: width, Height: height, Samples: 256, Settings: filtering(func(*settings.Settings) {})}
	_, clean := filteredStill(fx, v)
	shown := imageio.Luminance(float64(clean.Pix[3*at]), float64(clean.Pix[3*at+1]), float64(clean.Pix[3*at+2])) * 256 / before
	t.Logf("the pixel is %.2f times as bright as it was", shown)
	if !(shown < 5) {
		t.Errorf("the pixel is %.2f times as bright as it was, want less than 5", shown)
	}
}

// TestFiltersFadeDots: bright samples that no pixel around confirms are held back, be there many samples or few. Without that, 43 and 90
// dots are left here by atrous; some of the rest are bright in truth as well, if a little less.
func TestFiltersFadeDots(t *testing.T) {
	s := tracertest.Builtin(t, "glass-chain", builtin.Options{})
	shot := tracertest.Shot{Camera: s.DefaultCamera(1), Width: 96, Height: 96, Samples: 256,
		Settings: tracertest.Settings(func(s *settings.Settings) {
			s.Denoise, s.Sampling = "atrous", "bsdf" // rays find lamps by chance
		})}
	reference := tracertest.OnCPU(t).Use(s, nil).Render(asReference(shot))
	for _, row := range []struct{ samples, most int }{{64, 25}, {4, 60}} {
		for _, by := range []string{"atrous", "learned"} {
			shot.Samples, shot.Settings.Denoise = row.samples, by
			_, clean := filteredStill(tracertest.OnCPU(t).Use(s, nil), shot)
			dots, err := metric.LoneDots(clean, reference)
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%s, %d samples: %d dots", by, row.samples, dots)
			if dots > row.most {
				t.Errorf("%s, %d samples: %d dots, want at most %d", by, row.samples, dots, row.most)
			}
		}
	}
}

// TestAtrousKeepsLampsToThemselves: pixels at the rim of a bright spot err much. Dark ground some pixels away must not take a grid of
// dots from there.
func TestAtrousKeepsLampsToThemselves(t *testing.T) {
	s, camera := tracertest.Ground(0.5, 40)
	up := camera.Eye.Sub(camera.Target)
	s.Lights = append(s.Lights, scene.Light{Kind: scene.LightSpot, Position: scene.Single(camera.Target.Add(up.Mul(0.5))), Direction: scene.Single(up.Normalize().Mul(-1)),
		Intensity: mgl32.Vec3{200, 200, 200}, InnerCone: 0.35, OuterCone: 0.3501})
	fx := tracertest.OnFastest(t).Use(s, tracertest.Constant(0.02))
	v := tracertest.Shot{Camera: camera, Width: 96, Height: 64, Samples: 16, Settings: filtering(func(s *settings.Settings) { s.Bounces = 2 })}
	_, clean := filteredStill(fx, v)
	dots, dark := 0, 0
	const ground = 0.01 // radiance of what the sky alone lights: albedo × 0.02
	for i := range len(clean.Pix) / 3 {
		x, y := float64(i%v.Width)-47.5, float64(i/v.Width)-31.5
		if math.Hypot(x, y) < 22 {
			continue
		}
		dark++
		if clean.Pix[3*i+1] > 1.5*ground {
			dots++
		}
	}
	t.Logf("%d of %d pixels are more than 1.5 times as bright as they should be", dots, dark)
	if dots > 500 {
		t.Errorf("%d pixels are more than 1.5 times as bright as they should be, want at most 500", dots)
	}
}
