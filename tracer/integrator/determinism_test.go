package integrator_test

import (
	"runtime"
	"slices"
	"testing"
	"time"

	"glint/cuda"
	"glint/tracer/builtin"
	"glint/tracer/imageio"
	"glint/tracer/schedule"
	"glint/tracer/settings"
	"glint/tracer/tracertest"
	"glint/tracer/view"
)

// smallShot is the default view of a built-in scene, small.
func smallShot(t *testing.T, fx *tracertest.Fixture, scene string) tracertest.Shot {
	t.Helper()
	s := tracertest.Builtin(t, scene, builtin.Options{})
	fx.Use(s, tracertest.Dark())
	return tracertest.Shot{Camera: s.Cameras[0], Width: 40, Height: 28, Samples: 3, Settings: settings.Defaults()}
}

// TestSameSeedSameBits: neither a new renderer nor the number of threads may show.
func TestSameSeedSameBits(t *testing.T) {
	var first *imageio.Image
	for _, threads := range []int{runtime.GOMAXPROCS(0), runtime.GOMAXPROCS(0), 1, 7} {
		before := runtime.GOMAXPROCS(threads)
		fx := tracertest.OnCPU(t)
		img := fx.Render(smallShot(t, fx, "chess"))
		runtime.GOMAXPROCS(before)
		if first == nil {
			first = img
		}
		if !slices.Equal(img.Pix, first.Pix) {
			t.Errorf("%d threads: the same seed gave other bits", threads)
		}
	}
}

func TestOtherSeedOtherBits(t *testing.T) {
	fx := tracertest.OnCPU(t)
	s := smallShot(t, fx, "cornell")
	first := fx.Render(s)
	s.Settings.Seed++
	if slices.Equal(first.Pix, fx.Render(s).Pix) {
		t.Error("two seeds gave the same picture")
	}
	s.Settings.Seed--
	if !slices.Equal(first.Pix, fx.Render(s).Pix) {
		t.Error("going back to the first seed did not give the first picture")
	}
}

// TestPiecesGiveTheSameBits: a sample rendered in pieces is the sample rendered at once.
func TestPiecesGiveTheSameBits(t *testing.T) {
	fx := tracertest.OnCPU(t)
	s := smallShot(t, fx, "cornell")
	s.Width, s.Height = 160, 120
	whole := fx.Render(s)
	s.Settings.Seed = 1 // forget what was accumulated
	fx.Render(s)
	s.Settings.Seed = 0
	v := schedule.Request{View: view.View{Camera: s.Camera, Width: s.Width, Height: s.Height}, Budget: time.Microsecond}
	calls := 0
	for samples := 0; samples < s.Samples; calls++ {
		stats, err := fx.Renderer.Render(v, s.Settings, view.Target{})
		if err != nil {
			t.Fatal(err)
		}
		samples = stats.Samples
	}
	if calls <= s.Samples {
		t.Fatalf("%d samples took %d calls: nothing was rendered in pieces", s.Samples, calls)
	}
	pieces, err := fx.Renderer.Image().Radiance()
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(whole.Pix, pieces.Pix) {
		t.Error("rendering in pieces changed the picture")
	}
}

// TestVariantsAgree: the build for any processor and the one for AVX2 round differently, and estimate the same picture.
func TestVariantsAgree(t *testing.T) {
	if cuda.BestVariant() != cuda.V3 {
		t.Skip("this processor has no AVX2: there is one variant only")
	}
	baseline, v3 := tracertest.OnVariant(t, cuda.Baseline), tracertest.OnCPU(t)
	row := agreementRow{scene: "cornell-sphere-light"}
	still := func(s *settings.Settings) { s.Bounces = 3 }
	s := row.shot(t, baseline, still)
	row.shot(t, v3, still)
	s.Width, s.Height, s.Samples = 32, 32, 32
	agree(t, baseline.RenderSeeds(s, agreementRuns, 1), v3.RenderSide(s, agreementRuns, naiveSeed))
}
