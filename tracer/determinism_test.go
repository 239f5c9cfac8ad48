package tracer_test

import (
	"runtime"
	"slices"
	"testing"
	"time"

	"glint/cuda"
	"glint/tracer"
	"glint/tracer/builtin"
	"glint/tracer/imageio"
	"glint/tracer/settings"
	"glint/tracer/view"
)

// smallShot is the default view of a built-in scene, small.
func smallShot(t *testing.T, st *studio, scene string) shot {
	t.Helper()
	s := made(t, scene, builtin.Options{})
	st.use(s, dark())
	return shot{camera: s.Cameras[0], width: 40, height: 28, samples: 3, settings: settings.Defaults()}
}

// TestSameSeedSameBits: neither a new renderer nor the number of threads may show.
func TestSameSeedSameBits(t *testing.T) {
	var first *imageio.Image
	for _, threads := range []int{runtime.GOMAXPROCS(0), runtime.GOMAXPROCS(0), 1, 7} {
		before := runtime.GOMAXPROCS(threads)
		st := onCPU(t)
		img := st.take(smallShot(t, st, "chess"))
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
	st := onCPU(t)
	s := smallShot(t, st, "cornell")
	first := st.take(s)
	s.settings.Seed++
	if slices.Equal(first.Pix, st.take(s).Pix) {
		t.Error("two seeds gave the same picture")
	}
	s.settings.Seed--
	if !slices.Equal(first.Pix, st.take(s).Pix) {
		t.Error("going back to the first seed did not give the first picture")
	}
}

// TestPiecesGiveTheSameBits: a sample rendered in pieces is the sample rendered at once.
func TestPiecesGiveTheSameBits(t *testing.T) {
	st := onCPU(t)
	s := smallShot(t, st, "cornell")
	s.width, s.height = 160, 120
	whole := st.take(s)
	s.settings.Seed = 1 // forget what was accumulated
	st.take(s)
	s.settings.Seed = 0
	v := view.View{Camera: s.camera, Width: s.width, Height: s.height, Budget: time.Microsecond}
	calls := 0
	for samples := 0; samples < s.samples; calls++ {
		stats, err := st.r.Render(v, s.settings, view.Target{})
		if err != nil {
			t.Fatal(err)
		}
		samples = stats.Samples
	}
	if calls <= s.samples {
		t.Fatalf("%d samples took %d calls: nothing was rendered in pieces", s.samples, calls)
	}
	pieces, err := st.r.Radiance()
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
	r, err := tracer.OpenVariant(cuda.Baseline)
	if err != nil {
		t.Fatal(err)
	}
	baseline, v3 := newStudio(t, r), onCPU(t)
	row := agreementRow{scene: "cornell-sphere-light"}
	still := func(s *settings.Settings) { s.Bounces = 3 }
	s := row.shot(t, baseline, still)
	row.shot(t, v3, still)
	s.width, s.height, s.samples = 32, 32, 40
	agree(t, baseline.images(s, agreementRuns, 1), v3.runs(s, agreementRuns, naiveSeed))
}
