package denoise_test

import (
	"math"
	"testing"
	"time"

	"glint/cuda"
	"glint/tracer/builtin"
	"glint/tracer/profile"
	"glint/tracer/schedule"
	"glint/tracer/settings"
	"glint/tracer/tracertest"
	"glint/tracer/view"
)

func denoising(change func(*settings.Settings)) settings.Settings {
	return tracertest.Settings(func(s *settings.Settings) {
		s.Denoise = "oidn"
		change(s)
	})
}

func TestDenoiseBringsTheErrorDown(t *testing.T) {
	tracertest.NeedsOIDN(t)
	s := tracertest.Builtin(t, "cornell", builtin.Options{})
	fx := tracertest.OnFastest(t).Use(s, nil)
	v := schedule.Request{View: view.View{Camera: s.Cameras[0], Width: 64, Height: 64}}
	own := denoising(func(s *settings.Settings) { s.Bounces = 4 })
	reference := fx.Render(tracertest.Shot{Camera: v.Camera, Width: 64, Height: 64, Samples: 256, Settings: tracertest.Settings(func(s *settings.Settings) { s.Bounces, s.Seed = 4, 7 })})
	noisy := fx.Render(tracertest.Shot{Camera: v.Camera, Width: 64, Height: 64, Samples: 8, Settings: own})
	clean, err := fx.Renderer.Image().Denoised(v, own)
	if err != nil {
		t.Fatal(err)
	}
	before, after := tracertest.RelMSE(t, noisy, reference), tracertest.RelMSE(t, clean, reference)
	t.Logf("relMSE %.4f noisy, %.4f denoised", before, after)
	if !(after*4 < before) {
		t.Errorf("relMSE %.4f noisy, %.4f denoised: want a quarter at most", before, after)
	}
}

// TestNoNaNReachesTheDenoiser plants some, in light and guides.
func TestNoNaNReachesTheDenoiser(t *testing.T) {
	for _, live := range []bool{false, true} {
		denoisers(t, func(t *testing.T, name string) { checkNoNaN(t, name, live) })
	}
}

func checkNoNaN(t *testing.T, name string, live bool) {
	t.Helper()
	s := tracertest.Builtin(t, "cornell", builtin.Options{})
	d := tracertest.NewDevice()
	fx := d.Open(t).Use(s, nil)
	v := schedule.Request{View: view.View{Camera: s.Cameras[0], Width: 32, Height: 32}, Live: live}
	own := filtering(func(s *settings.Settings) { s.Denoise = name })
	for sample := range 3 {
		v.Unseen = sample > 0 // the first one makes a history
		if _, err := fx.Renderer.Render(v, own, view.Target{}); err != nil {
			t.Fatal(err)
		}
	}
	tracertest.PlantNaN(t, d, d.FrameOf(cuda.Guides), 5*32+7)
	img, err := fx.Renderer.Image().Denoised(v, own)
	if err != nil {
		t.Fatal(err)
	}
	inputs := tracertest.ReadBuffer[float32](t, d, d.LastFrame.Denoise.Inputs)
	for name, values := range map[string][]float32{"inputs": inputs, "output": img.Pix} {
		for i, x := range values {
			if math.IsNaN(float64(x)) || math.IsInf(float64(x), 0) {
				t.Fatalf("%s: value %d is %v", name, i, x)
			}
		}
	}
}

// liveOnCPU is a window's view: slices of time, answered at once.
func liveOnCPU(t *testing.T) (*tracertest.Fixture, schedule.Request) {
	s := tracertest.Builtin(t, "cornell", builtin.Options{})
	return tracertest.OnCPU(t).Use(s, nil), schedule.Request{View: view.View{Camera: s.Cameras[0], Width: 48, Height: 32}, Live: true, Budget: 5 * time.Millisecond}
}

// until renders until a view is as it should be.
func until(t *testing.T, fx *tracertest.Fixture, v schedule.Request, s settings.Settings, done func(view.Stats) bool) view.Stats {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); {
		stats, err := fx.Renderer.Render(v, s, view.Target{})
		if err == nil {
			err = stats.DenoiseError
		}
		if err != nil {
			t.Fatal(err)
		}
		if done(stats) {
			return stats
		}
	}
	t.Fatal("it never came to that")
	return view.Stats{}
}

// TestLiveViewIsDenoisedInTheBackground: at growing sample counts, and what was of another view is never shown.
func TestLiveViewIsDenoisedInTheBackground(t *testing.T) {
	denoisers(t, checkBackground)
}

func checkBackground(t *testing.T, name string) {
	t.Helper()
	fx, v := liveOnCPU(t)
	own := filtering(func(s *settings.Settings) { s.Denoise = name })
	first := until(t, fx, v, own, func(s view.Stats) bool { return s.Denoised > 0 })
	later := until(t, fx, v, own, func(s view.Stats) bool { return s.Denoised > first.Denoised })
	if later.Denoised < 2*first.Denoised {
		t.Errorf("denoised after %d and again after %d samples", first.Denoised, later.Denoised)
	}
	v.Camera.Eye[0] += 0.1
	stats, err := fx.Renderer.Render(v, own, view.Target{})
	if err != nil || stats.Denoised != 0 {
		t.Errorf("a new view shows a picture denoised after %d samples (%v)", stats.Denoised, err)
	}
	v.Width = 40 // while a job may be under way
	until(t, fx, v, own, func(s view.Stats) bool { return s.Denoised > 0 })
}

// TestDenoisedFilmDiffers: film shows the denoised picture, and the noisy one again when it is switched off.
func TestDenoisedFilmDiffers(t *testing.T) {
	tracertest.NeedsOIDN(t)
	fx, v := liveOnCPU(t)
	own := denoising(func(*settings.Settings) {})
	until(t, fx, v, own, func(s view.Stats) bool { return s.Denoised > 0 })
	on, err := fx.Renderer.Image().Picture(v, own)
	if err != nil {
		t.Fatal(err)
	}
	own.Denoise = "off"
	off, err := fx.Renderer.Image().Picture(v, own)
	if err != nil {
		t.Fatal(err)
	}
	if string(on.Pix) == string(off.Pix) {
		t.Error("both pictures are the same")
	}
}

// TestResizingKeepsMemoryFlat: what is held, by the device's own account, depends on the size alone. Where a job is under way when the
// denoiser is switched off, what it works on goes when it ends.
func TestResizingKeepsMemoryFlat(t *testing.T) {
	// Planes of 16 bytes a pixel: guides and blocks of samples, inputs, outputs, signals, history.
	for name, row := range map[string]struct{ inBackground, steady float64 }{
		"oidn":   {2 + 3 + 2, 5.5 + 3 + 1 + 2*2},
		"atrous": {5.5 + 3 + 2 + 2, 5.5 + 3 + 1 + 2 + 2*3.25},
	} {
		t.Run(name, func(t *testing.T) {
			if name == "oidn" {
				tracertest.NeedsOIDN(t)
			}
			checkMemory(t, name, 5*time.Millisecond, row.inBackground)
			checkMemory(t, name, 0, row.steady)
		})
	}
}

func checkMemory(t *testing.T, denoise string, budget time.Duration, planes float64) {
	t.Helper()
	d, fx, v, held := accounted(t)
	v.Budget = budget
	off := filtering(func(s *settings.Settings) { s.Denoise = "off" })
	v.Width, v.Height = 20, 10
	fx.Frame(v, off, view.Target{})
	plain := held()
	own := filtering(func(s *settings.Settings) { s.Denoise = denoise })
	for i := range 200 {
		v.Width, v.Height = 16+i%5, 16+i%7
		fx.Frame(v, own, view.Target{})
	}
	v.Width, v.Height = 20, 10
	until(t, fx, v, own, func(s view.Stats) bool { return s.Denoised > 0 })
	const hits = 16 * 24 * 12 // that guides and paths share, of whole tiles
	if got, want := held()-plain, int(planes*16*20*10)+hits; got != want {
		t.Errorf("%d bytes are held, want %d", got, want)
	}
	stats, err := fx.Renderer.Statistics()
	if err != nil || stats.Memory.Denoiser+stats.Memory.Hits != held()-plain {
		t.Errorf("%d bytes are said to be held, %d are (%v)", stats.Memory.Denoiser+stats.Memory.Hits, held()-plain, err)
	}
	if budget > 0 && denoise == "atrous" { // the gate is for kernels, which OIDN's job does not run
		d.Gate.Lock()
		until(t, fx, v, own, func(view.Stats) bool { return d.Waiting() })
		fx.Frame(v, off, view.Target{})
		if held() == plain {
			t.Error("what a job works on has been given back")
		}
		d.Gate.Unlock()
	}
	for deadline := time.Now().Add(time.Minute); held() != plain && time.Now().Before(deadline); {
		fx.Frame(v, off, view.Target{})
	}
	if held() != plain {
		t.Errorf("%d bytes are held when it is off", held()-plain)
	}
}

// accounted is a live view on a CPU that tells the bytes that are held, without the film's and the preview's, which depend
// on time.
func accounted(t *testing.T) (d *tracertest.Device, fx *tracertest.Fixture, v schedule.Request, held func() int) {
	t.Helper()
	d = tracertest.NewDevice()
	s := tracertest.Builtin(t, "cornell", builtin.Options{})
	fx = d.Open(t).Use(s, nil)
	v = schedule.Request{View: view.View{Camera: s.Cameras[0], Width: 48, Height: 32}, Live: true, Budget: 5 * time.Millisecond}
	return d, fx, v, func() int {
		m := fx.Statistics().Memory
		return d.Held - m.Film - m.Upscaler
	}
}

// TestASmallerViewHoldsLess: what a large view took goes back as soon as the view is small, and a preview when nobody sees it any
// more.
func TestASmallerViewHoldsLess(t *testing.T) {
	_, fx, v, _ := accounted(t)
	own, large := filtering(func(*settings.Settings) {}), v
	large.Width, large.Height = 8*v.Width, 8*v.Height
	denoised := func(s view.Stats) bool { return s.Denoised > 0 }
	until(t, fx, v, own, denoised)
	want := fx.Statistics().Memory
	const counters = 2 * 8 * int(cuda.CounterCount) // which are kept
	if want.Upscaler > counters {
		t.Errorf("a view that rests holds a preview of %d bytes", want.Upscaler)
	}
	until(t, fx, large, own, denoised)
	fx.Frame(v, own, view.Target{})
	if m := fx.Statistics().Memory; m.Denoiser > want.Denoiser || m.Upscaler > want.Device() {
		t.Errorf("at first a smaller view holds %+v, want no more than %+v", m, want)
	}
	until(t, fx, v, own, denoised)
	if m := fx.Statistics().Memory; m.Denoiser != want.Denoiser || m.Upscaler > counters {
		t.Errorf("a view that was larger before holds %+v, want %+v", m, want)
	}
}

// TestAnotherQualityIsSeenAtOnce: a picture of another quality is made without waiting for twice the samples.
func TestAnotherQualityIsSeenAtOnce(t *testing.T) {
	tracertest.NeedsOIDN(t)
	fx, v := liveOnCPU(t)
	own := denoising(func(*settings.Settings) {})
	before := until(t, fx, v, own, func(s view.Stats) bool {
		return s.Denoised >= 64 && s.Samples > s.Denoised && 2*s.Samples < 3*s.Denoised // no job is under way
	})
	own.DenoiseQuality = "high"
	after := until(t, fx, v, own, func(s view.Stats) bool { return s.Denoised != before.Denoised })
	if after.Denoised >= 2*before.Denoised {
		t.Errorf("asked for at %d samples, made of %d", before.Samples, after.Denoised)
	}
}

// TestDenoisingCostOnGPU logs what a live frame takes with and without; needs a GPU, OIDN and GLINT_TEST_SCENE.
func TestDenoisingCostOnGPU(t *testing.T) {
	s := tracertest.TimedScene(t)
	fx := tracertest.Open(t, "cuda").Use(s, nil)
	for _, size := range [][2]int{{1200, 1200}, {1920, 1080}} {
		for _, denoise := range []string{"off", "atrous", "oidn"} {
			for _, integrator := range []string{"path", "restir-gi"} {
				own := tracertest.Settings(func(o *settings.Settings) { o.Denoise, o.Integrator = denoise, integrator })
				v := schedule.Request{View: view.View{Camera: tracertest.ProxyCamera(), Width: size[0], Height: size[1]}, Live: true}
				t.Logf("%d×%d %s, denoise %s: %.2f ms a frame", v.Width, v.Height, integrator, denoise, frameTime(fx, v, own))
			}
		}
	}
}

// frameTime is the mean of frames by the GPU's clock, ms.
func frameTime(fx *tracertest.Fixture, v schedule.Request, s settings.Settings) float64 {
	fx.T.Helper()
	const warmUp, frames = 10, 40
	fx.Renderer.SetProfilePolicy(profile.Policy{TimeEvery: math.MaxInt}) // whole frames, all but the first
	for i := range warmUp + frames {
		if i == warmUp {
			if _, err := fx.Renderer.Statistics(); err != nil {
				fx.T.Fatal(err)
			}
		}
		v.Frame = i + 1
		stats, err := fx.Renderer.Render(v, s, view.Target{})
		if err == nil {
			err = stats.DenoiseError
		}
		if err != nil {
			fx.T.Fatal(err)
		}
	}
	told, err := fx.Renderer.Statistics()
	if err != nil {
		fx.T.Fatal(err)
	}
	return told.Whole.Mean()
}

// TestSwitchingOffKeepsGuides: a denoiser that is switched off and on again while a view rests finds guides of all samples, as if it
// had been on.
func TestSwitchingOffKeepsGuides(t *testing.T) {
	d := tracertest.NewDevice()
	s := tracertest.Builtin(t, "cornell", builtin.Options{})
	fx := d.Open(t).Use(s, nil)
	v := schedule.Request{View: view.View{Camera: s.Cameras[0], Width: 24, Height: 16}, Live: true, Window: true}
	samples := 0
	for _, denoise := range []string{"atrous", "off", "off", "atrous"} {
		samples = fx.Frame(v, filtering(func(s *settings.Settings) { s.Denoise = denoise }), view.Target{}).Samples
	}
	guides := tracertest.ReadBuffer[[4]float32](t, d, d.FrameOf(cuda.Guides).Film.Aovs)
	if got := guides[v.Width*v.Height/2+v.Width/2][3]; got != float32(samples) {
		t.Errorf("after %d samples the guides are of %v", samples, got)
	}
}
