package tracer_test

import (
	"errors"
	"math"
	"testing"
	"time"

	"glint/cuda"
	"glint/tracer/builtin"
	"glint/tracer/oidn"
	"glint/tracer/profile"
	"glint/tracer/settings"
	"glint/tracer/view"
)

// needsOIDN skips a test where there is no denoiser.
func needsOIDN(t testing.TB) {
	t.Helper()
	if _, err := oidn.Find(); errors.Is(err, oidn.ErrNotFound) {
		t.Skip(err)
	}
}

func denoising(change func(*settings.Settings)) settings.Settings {
	return changed(func(s *settings.Settings) {
		s.Denoise = "oidn"
		change(s)
	})
}

func TestDenoiseBringsTheErrorDown(t *testing.T) {
	needsOIDN(t)
	s := made(t, "cornell", builtin.Options{})
	st := onFastest(t).use(s, nil)
	v := view.View{Camera: s.Cameras[0], Width: 64, Height: 64}
	own := denoising(func(s *settings.Settings) { s.Bounces = 4 })
	reference := st.take(shot{camera: v.Camera, width: 64, height: 64, samples: 512, settings: changed(func(s *settings.Settings) { s.Bounces, s.Seed = 4, 7 })})
	noisy := st.take(shot{camera: v.Camera, width: 64, height: 64, samples: 8, settings: own})
	clean, err := st.r.Image().Denoised(v, own)
	if err != nil {
		t.Fatal(err)
	}
	before, after := relMSE(t, noisy, reference), relMSE(t, clean, reference)
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
	s := made(t, "cornell", builtin.Options{})
	d := newDouble()
	st := d.studio(t).use(s, nil)
	v := view.View{Camera: s.Cameras[0], Width: 32, Height: 32, Live: live}
	own := filtering(func(s *settings.Settings) { s.Denoise = name })
	for sample := range 3 {
		v.SkipDenoise = sample > 0 // the first one makes a history
		if _, err := st.r.Render(v, own, view.Target{}); err != nil {
			t.Fatal(err)
		}
	}
	f := st.r.FrameOf(v, own)
	f.Film.Aovs = d.frames[cuda.Guides].Film.Aovs
	plantNaN(t, d, f, 5*32+7)
	img, err := st.r.Image().Denoised(v, own)
	if err != nil {
		t.Fatal(err)
	}
	inputs := read[float32](t, d, d.frame.Denoise.Inputs)
	for name, values := range map[string][]float32{"inputs": inputs, "output": img.Pix} {
		for i, x := range values {
			if math.IsNaN(float64(x)) || math.IsInf(float64(x), 0) {
				t.Fatalf("%s: value %d is %v", name, i, x)
			}
		}
	}
}

// liveOnCPU is a window's view: slices of time, answered at once.
func liveOnCPU(t *testing.T) (*studio, view.View) {
	s := made(t, "cornell", builtin.Options{})
	return onCPU(t).use(s, nil), view.View{Camera: s.Cameras[0], Width: 48, Height: 32, Live: true, Budget: 5 * time.Millisecond}
}

// until renders until a view is as it should be.
func until(t *testing.T, st *studio, v view.View, s settings.Settings, done func(view.Stats) bool) view.Stats {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); {
		stats, err := st.r.Render(v, s, view.Target{})
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
	st, v := liveOnCPU(t)
	own := filtering(func(s *settings.Settings) { s.Denoise = name })
	first := until(t, st, v, own, func(s view.Stats) bool { return s.Denoised > 0 })
	later := until(t, st, v, own, func(s view.Stats) bool { return s.Denoised > first.Denoised })
	if later.Denoised < 2*first.Denoised {
		t.Errorf("denoised after %d and again after %d samples", first.Denoised, later.Denoised)
	}
	v.Camera.Eye[0] += 0.1
	stats, err := st.r.Render(v, own, view.Target{})
	if err != nil || stats.Denoised != 0 {
		t.Errorf("a new view shows a picture denoised after %d samples (%v)", stats.Denoised, err)
	}
	v.Width = 40 // while a job may be under way
	until(t, st, v, own, func(s view.Stats) bool { return s.Denoised > 0 })
}

// TestDenoisedFilmDiffers: film shows the denoised picture, and the noisy one again when it is switched off.
func TestDenoisedFilmDiffers(t *testing.T) {
	needsOIDN(t)
	st, v := liveOnCPU(t)
	own := denoising(func(*settings.Settings) {})
	until(t, st, v, own, func(s view.Stats) bool { return s.Denoised > 0 })
	on, err := st.r.Image().Picture(v, own)
	if err != nil {
		t.Fatal(err)
	}
	own.Denoise = "off"
	off, err := st.r.Image().Picture(v, own)
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
	// Planes of 16 bytes a pixel: guides, inputs, outputs, signals, history.
	for name, row := range map[string]struct{ inBackground, steady float64 }{
		"oidn":   {2 + 3 + 2, 5 + 3 + 2 + 2*2},
		"atrous": {5 + 3 + 2 + 2, 5 + 3 + 2 + 2 + 2*3.25},
	} {
		t.Run(name, func(t *testing.T) {
			if name == "oidn" {
				needsOIDN(t)
			}
			checkMemory(t, name, 5*time.Millisecond, row.inBackground)
			checkMemory(t, name, 0, row.steady)
		})
	}
}

func checkMemory(t *testing.T, denoise string, budget time.Duration, planes float64) {
	t.Helper()
	d, st, v, held := accounted(t)
	v.Budget = budget
	off := filtering(func(s *settings.Settings) { s.Denoise = "off" })
	v.Width, v.Height = 20, 10
	st.rendered(v, off, view.Target{})
	plain := held()
	own := filtering(func(s *settings.Settings) { s.Denoise = denoise })
	for i := range 200 {
		v.Width, v.Height = 16+i%5, 16+i%7
		st.rendered(v, own, view.Target{})
	}
	v.Width, v.Height = 20, 10
	until(t, st, v, own, func(s view.Stats) bool { return s.Denoised > 0 })
	const hits = 16 * 24 * 12 // that guides and paths share, of whole tiles
	if got, want := held()-plain, int(planes*16*20*10)+hits; got != want {
		t.Errorf("%d bytes are held, want %d", got, want)
	}
	stats, err := st.r.Statistics()
	if err != nil || stats.Memory.Denoiser+stats.Memory.Hits != held()-plain {
		t.Errorf("%d bytes are said to be held, %d are (%v)", stats.Memory.Denoiser+stats.Memory.Hits, held()-plain, err)
	}
	if budget > 0 {
		d.gate.Lock()
		until(t, st, v, own, func(view.Stats) bool { return d.waiting() })
		st.rendered(v, off, view.Target{})
		if held() == plain {
			t.Error("what a job works on has been given back")
		}
		d.gate.Unlock()
	}
	for deadline := time.Now().Add(time.Minute); held() != plain && time.Now().Before(deadline); {
		st.rendered(v, off, view.Target{})
	}
	if held() != plain {
		t.Errorf("%d bytes are held when it is off", held()-plain)
	}
}

// accounted is a live view on a CPU that tells the bytes that are held, without the preview's, which depend on time.
func accounted(t *testing.T) (d *double, st *studio, v view.View, held func() int) {
	t.Helper()
	d = newDouble()
	s := made(t, "cornell", builtin.Options{})
	st = d.studio(t).use(s, nil)
	v = view.View{Camera: s.Cameras[0], Width: 48, Height: 32, Live: true, Budget: 5 * time.Millisecond}
	return d, st, v, func() int { return d.held - st.r.PreviewBytes() }
}

// TestAnotherQualityIsSeenAtOnce: a picture of another quality is made without waiting for twice the samples.
func TestAnotherQualityIsSeenAtOnce(t *testing.T) {
	needsOIDN(t)
	st, v := liveOnCPU(t)
	own := denoising(func(*settings.Settings) {})
	before := until(t, st, v, own, func(s view.Stats) bool { return s.Denoised >= 64 && 2*s.Samples < 3*s.Denoised })
	own.DenoiseQuality = "high"
	after := until(t, st, v, own, func(view.Stats) bool { return st.r.DenoisedQuality() == "high" })
	if after.Denoised >= 2*before.Denoised {
		t.Errorf("asked for at %d samples, made of %d", before.Samples, after.Denoised)
	}
}

// TestDenoisingCostOnGPU logs what a live frame takes with and without; needs a GPU, OIDN and GLINT_TEST_SCENE.
func TestDenoisingCostOnGPU(t *testing.T) {
	s := timedScene(t)
	st := open(t, "cuda").use(s, nil)
	for _, size := range [][2]int{{1200, 1200}, {1920, 1080}} {
		for _, denoise := range []string{"off", "oidn"} {
			for _, integrator := range []string{"path", "restir-gi"} {
				own := changed(func(o *settings.Settings) { o.Denoise, o.Integrator = denoise, integrator })
				v := view.View{Camera: proxyCamera, Width: size[0], Height: size[1], Live: true}
				t.Logf("%d×%d %s, denoise %s: %.2f ms a frame", v.Width, v.Height, integrator, denoise, st.frameTime(v, own))
			}
		}
	}
}

// frameTime is the mean of frames by the GPU's clock, ms.
func (st *studio) frameTime(v view.View, s settings.Settings) float64 {
	st.t.Helper()
	const warmUp, frames = 10, 40
	st.r.SetProfilePolicy(profile.Policy{TimeEvery: math.MaxInt}) // whole frames, all but the first
	for i := range warmUp + frames {
		if i == warmUp {
			if _, err := st.r.Statistics(); err != nil {
				st.t.Fatal(err)
			}
		}
		v.Frame = i + 1
		stats, err := st.r.Render(v, s, view.Target{})
		if err == nil {
			err = stats.DenoiseError
		}
		if err != nil {
			st.t.Fatal(err)
		}
	}
	told, err := st.r.Statistics()
	if err != nil {
		st.t.Fatal(err)
	}
	return told.Whole.Mean()
}
