package tracer_test

import (
	"math"
	"slices"
	"testing"

	"glint/tracer"
	"glint/tracer/builtin"
	"glint/tracer/imageio"
	"glint/tracer/metric"
	"glint/tracer/scene"
	"glint/tracer/settings"
	"glint/tracer/view"
)

// cached are settings with first hits kept.
func cached(s settings.Settings) settings.Settings {
	s.FirstHitCache = true
	return s
}

// TestFirstHitsGiveTheSameBits: without antialiasing the camera's rays are always the same, and only traced once.
func TestFirstHitsGiveTheSameBits(t *testing.T) {
	s := made(t, "mixed-reflection", builtin.Options{})
	const samples = 4
	for _, engine := range []string{"megakernel", "wavefront"} {
		for _, row := range []struct {
			integrator string
			live       bool
		}{{"naive", false}, {"direct", false}, {"path", false}, {"restir-gi", false}, {"restir-gi", true}} {
			own := changed(func(s *settings.Settings) { s.Exec, s.Integrator, s.Antialias = engine, row.integrator, false })
			v := view.View{Camera: s.Cameras[0], Width: 30, Height: 21, Live: row.live}
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
func counted(t *testing.T, s *scene.Scene, v view.View, own settings.Settings, samples int) (*imageio.Image, tracer.Counters) {
	t.Helper()
	st := onFastest(t).use(s, nil)
	st.r.Watch(tracer.Watch{CountEvery: 1})
	for range samples {
		st.rendered(v, own, view.Target{})
	}
	img, err := st.r.Radiance()
	if err != nil {
		t.Fatal(err)
	}
	return img, st.statistics().Counters
}

// TestFirstHitsAgree: with antialiasing, images with first hits kept estimate what others do, at 16 rays from the eye in each
// pixel and then again and again the same.
func TestFirstHitsAgree(t *testing.T) {
	row := agreementRow{scene: "cornell"}
	known := &metric.Side{}
	if err := known.Know(readEstimate(t, "naive", row.scene)); err != nil {
		t.Fatal(err)
	}
	integrators := []string{"path"}
	if long() {
		integrators = append(integrators, "restir-gi")
	}
	for _, integrator := range integrators {
		st := onBest(t)
		s := row.shot(t, st, func(s *settings.Settings) { s.FirstHitCache, s.Integrator = true, integrator })
		s.samples = 24
		agree(t, st.images(s, agreementRuns, 1), known)
	}
}

// TestFirstHitsConverge: sets of camera rays are replaced, so that edges and what is out of focus become as smooth as they do
// without: the error after 1024 samples is that of 128 rays from the eye, not of 16.
func TestFirstHitsConverge(t *testing.T) {
	s, camera := smallLight(0.53) // whose edges lie inside pixels
	for _, aperture := range []float64{0, 0.5} {
		own := changed(func(s *settings.Settings) { s.Bounces, s.Aperture, s.Focus = 0, aperture, 2 })
		own.EnvStrength = 0
		v := shot{camera: camera, width: 32, height: 32, samples: 2048, settings: own}
		want := onCPU(t).use(s, dark()).take(v)
		v.settings = cached(own)
		var errors []float64
		for _, v.samples = range []int{128, 1024} {
			errors = append(errors, rms(onCPU(t).use(s, dark()).take(v), want))
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
	cornell, glossy := made(t, "cornell", builtin.Options{}), made(t, "spheres", builtin.Options{})
	own := cached(changed(func(s *settings.Settings) { s.Antialias = false }))
	st := onFastest(t).use(cornell, nil)
	first := shot{camera: cornell.Cameras[0], width: 24, height: 16, samples: 3, settings: own}
	st.take(first)
	for name, change := range map[string]func(*shot){
		"view":  func(s *shot) { s.camera.Eye[0] += 0.2 },
		"size":  func(s *shot) { s.width, s.height = 16, 24 },
		"lens":  func(s *shot) { s.settings.Aperture = 0.2 },
		"scene": func(*shot) { st.use(glossy, nil) },
	} {
		next := first
		change(&next)
		got := st.take(next)
		fresh := onFastest(t).use(cornell, nil)
		if name == "scene" {
			fresh.use(glossy, nil)
		}
		if want := fresh.take(next); !slices.Equal(got.Pix, want.Pix) {
			t.Errorf("another %s: the picture is not that of a renderer that begins with it", name)
		}
		st.use(cornell, nil)
	}
}

// TestFirstHitsFitMemory: fewer sets of rays are kept where memory is short.
func TestFirstHitsFitMemory(t *testing.T) {
	const width, height, hit = 128, 128, 16 // bytes a hit
	s := made(t, "cornell", builtin.Options{})
	for _, row := range []struct {
		most, sets int
	}{{16 * width * height * hit, 16}, {7 * width * height * hit, 4}, {2*width*height*hit - 1, 1}} {
		r, err := tracer.OpenScarce(row.most)
		if err != nil {
			t.Fatal(err)
		}
		st := newStudio(t, r).use(s, dark())
		st.take(shot{camera: s.Cameras[0], width: width, height: height, samples: 3 * row.sets, settings: cached(changed(func(s *settings.Settings) { s.Bounces = 1 }))})
		if m := st.statistics().Memory; m.Hits != row.sets*width*height*hit {
			t.Errorf("with %d bytes at most: %d are kept, want %d sets", row.most, m.Hits, row.sets)
		}
		st.take(shot{camera: s.Cameras[0], width: width, height: height, samples: 1, settings: changed(func(s *settings.Settings) { s.Bounces = 1 })})
		if m := st.statistics().Memory; m.Hits != 0 {
			t.Errorf("%d bytes are kept for nothing", m.Hits)
		}
	}
}
