package integrator_test

import (
	"math"
	"slices"
	"testing"

	"glint/tracer/builtin"
	"glint/tracer/imageio"
	"glint/tracer/profile"
	"glint/tracer/scene"
	"glint/tracer/schedule"
	"glint/tracer/settings"
	"glint/tracer/tracertest"
	"glint/tracer/view"
)

// cached are settings with first hits kept.
func cached(s settings.Settings) settings.Settings {
	s.FirstHitCache = true
	return s
}

// TestFirstHitsGiveTheSameBits: without antialiasing the camera's rays are always the same, and only traced once.
func TestFirstHitsGiveTheSameBits(t *testing.T) {
	s := tracertest.Builtin(t, "mixed-reflection", builtin.Options{})
	const samples = 4
	for _, engine := range []string{"megakernel", "wavefront"} {
		for _, row := range []struct {
			integrator string
			live       bool
		}{{"naive", false}, {"direct", false}, {"path", false}, {"restir-gi", false}, {"restir-gi", true}, {"restir", false}} {
			own := tracertest.Settings(func(s *settings.Settings) { s.Exec, s.Integrator, s.Antialias = engine, row.integrator, false })
			v := schedule.Request{View: view.View{Camera: s.Cameras[0], Width: 30, Height: 21}, Live: row.live}
			want, all := counted(t, s, v, own, samples)
			got, fewer := counted(t, s, v, cached(own), samples)
			if !slices.Equal(got.Pix, want.Pix) {
				t.Errorf("%s %+v: another picture with first hits kept", engine, row)
			}
			if saved := all.ExtensionRays - fewer.ExtensionRays; saved != uint64((samples-1)*v.Width*v.Height) {
				t.Errorf("%s %+v: %d rays of %d saved", engine, row, saved, all.ExtensionRays)
			}
		}
	}
}

// counted renders samples of a view, and counts.
func counted(t *testing.T, s *scene.Scene, v schedule.Request, own settings.Settings, samples int) (*imageio.Image, profile.Counters) {
	t.Helper()
	fx := tracertest.OnFastest(t).Use(s, nil)
	fx.Renderer.SetProfilePolicy(profile.Policy{CountEvery: 1})
	for range samples {
		fx.Frame(v, own, view.Target{})
	}
	img, err := fx.Renderer.Image().Radiance()
	if err != nil {
		t.Fatal(err)
	}
	return img, fx.Statistics().Counters
}

// TestFirstHitsAgree: with antialiasing, images with first hits kept estimate what others do, at 16 rays from the eye in each
// pixel and then again and again the same.
func TestFirstHitsAgree(t *testing.T) {
	row := agreementRow{scene: "cornell"}
	known := &tracertest.Side{}
	if err := known.Know(readEstimate(t, "naive", row.scene)); err != nil {
		t.Fatal(err)
	}
	integrators := []string{"path"}
	if tracertest.Long() {
		integrators = append(integrators, "restir-gi")
	}
	for _, integrator := range integrators {
		fx := tracertest.OnBestBackend(t)
		s := row.shot(t, fx, func(s *settings.Settings) { s.FirstHitCache, s.Integrator = true, integrator })
		s.Samples = 24
		agree(t, fx.RenderSeeds(s, agreementRuns, 1), known)
	}
}

// TestFirstHitsConverge: sets of camera rays are replaced, so that edges and what is out of focus become as smooth as they do
// without: the error after 1024 samples is that of 128 rays from the eye, not of 16.
func TestFirstHitsConverge(t *testing.T) {
	s, camera := tracertest.SmallLight(0.53) // whose edges lie inside pixels
	for _, aperture := range []float64{0, 0.5} {
		own := tracertest.Settings(func(s *settings.Settings) { s.Bounces, s.Aperture, s.Focus = 0, aperture, 2 })
		own.EnvStrength = 0
		v := tracertest.Shot{Camera: camera, Width: 32, Height: 32, Samples: 2048, Settings: own}
		want := tracertest.OnCPU(t).Use(s, tracertest.Dark()).Render(v)
		v.Settings = cached(own)
		var errors []float64
		for _, v.Samples = range []int{128, 1024} {
			errors = append(errors, rms(tracertest.OnCPU(t).Use(s, tracertest.Dark()).Render(v), want))
		}
		t.Logf("aperture %v m: error %.4f after 128 samples, %.4f after 1024", aperture, errors[0], errors[1])
		if errors[0] > 0.05 || errors[1] > errors[0]/2 {
			t.Errorf("aperture %v m: the error is %v, then %v", aperture, errors[0], errors[1])
		}
	}
}

// rms is the root of the mean squared difference of two pictures.
func rms(a, b *imageio.Image) float64 {
	var sum float64
	for i := range a.Pix {
		sum += math.Pow(float64(a.Pix[i]-b.Pix[i]), 2)
	}
	return math.Sqrt(sum / float64(len(a.Pix)))
}

// TestFirstHitsAreForgotten: another view, scene or size has first hits of its own.
func TestFirstHitsAreForgotten(t *testing.T) {
	cornell, glossy := tracertest.Builtin(t, "cornell", builtin.Options{}), tracertest.Builtin(t, "spheres", builtin.Options{})
	own := cached(tracertest.Settings(func(s *settings.Settings) { s.Antialias = false }))
	fx := tracertest.OnFastest(t).Use(cornell, nil)
	first := tracertest.Shot{Camera: cornell.Cameras[0], Width: 24, Height: 16, Samples: 3, Settings: own}
	fx.Render(first)
	for name, change := range map[string]func(*tracertest.Shot){
		"view":  func(s *tracertest.Shot) { s.Camera.Eye[0] += 0.2 },
		"size":  func(s *tracertest.Shot) { s.Width, s.Height = 16, 24 },
		"lens":  func(s *tracertest.Shot) { s.Settings.Aperture = 0.2 },
		"scene": func(*tracertest.Shot) { fx.Use(glossy, nil) },
	} {
		next := first
		change(&next)
		got := fx.Render(next)
		fresh := tracertest.OnFastest(t).Use(cornell, nil)
		if name == "scene" {
			fresh.Use(glossy, nil)
		}
		if want := fresh.Render(next); !slices.Equal(got.Pix, want.Pix) {
			t.Errorf("another %s: the picture is not that of a renderer that begins with it", name)
		}
		fx.Use(cornell, nil)
	}
}

// TestFirstHitsFitMemory: fewer sets of rays are kept where memory is short.
func TestFirstHitsFitMemory(t *testing.T) {
	const width, height, hit = 128, 128, 16 // bytes a hit
	s := tracertest.Builtin(t, "cornell", builtin.Options{})
	for _, row := range []struct {
		most, sets int
	}{{16 * width * height * hit, 16}, {7 * width * height * hit, 4}, {2*width*height*hit - 1, 1}} {
		d := tracertest.NewDevice()
		d.MaxBuffer = row.most
		fx := d.Open(t).Use(s, tracertest.Dark())
		fx.Render(tracertest.Shot{Camera: s.Cameras[0], Width: width, Height: height, Samples: 3 * row.sets, Settings: cached(tracertest.Settings(func(s *settings.Settings) { s.Bounces = 1 }))})
		if m := fx.Statistics().Memory; m.Hits != row.sets*width*height*hit {
			t.Errorf("with %d bytes at most: %d are kept, want %d sets", row.most, m.Hits, row.sets)
		}
		fx.Render(tracertest.Shot{Camera: s.Cameras[0], Width: width, Height: height, Samples: 1, Settings: tracertest.Settings(func(s *settings.Settings) { s.Bounces = 1 })})
		if m := fx.Statistics().Memory; m.Hits != 0 {
			t.Errorf("%d bytes are kept for nothing", m.Hits)
		}
	}
}
