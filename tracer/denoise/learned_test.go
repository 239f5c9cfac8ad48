package denoise_test

import (
	"math"
	"testing"

	"glint/tracer/builtin"
	"glint/tracer/schedule"
	"glint/tracer/settings"
	"glint/tracer/tracertest"
	"glint/tracer/view"
)

// learning are settings of the filter that has learned.
func learning(change func(*settings.Settings)) settings.Settings {
	return filtering(func(s *settings.Settings) {
		s.Denoise = "learned"
		if change != nil {
			change(s)
		}
	})
}

// TestLearnedFurnace: what is the same everywhere stays so, in stills and in live views, to what half floats keep.
func TestLearnedFurnace(t *testing.T) {
	s, camera := tracertest.Ground(0.5, 60)
	_, clean := filteredStill(tracertest.OnCPU(t).Use(s, tracertest.Constant(2)), tracertest.Shot{Camera: camera, Width: 32, Height: 24, Samples: 3, Settings: flatlyLit("learned")})
	live := shoot(tracertest.OnCPU(t).Use(s, tracertest.Constant(2)), schedule.Request{View: view.View{Camera: camera, Width: 32, Height: 24}}, flatlyLit("learned"), 5,
		slid(camera), nil)
	for i := range clean.Pix {
		if a, b := float64(clean.Pix[i]), float64(live.Pix[i]); math.Abs(a-1) > 2e-3 || math.Abs(b-1) > 2e-3 {
			t.Fatalf("value %d is %v in a still and %v in a live view, want 1", i, a, b)
		}
	}
}

// TestLearnedInventsNothing: the light of a grey floor lies between that of its darkest and its brightest samples, channel by channel.
func TestLearnedInventsNothing(t *testing.T) {
	s, camera := tracertest.Ground(0.5, 60)
	tracertest.AddQuad(s, [3]float32{-1, 0, -1}, [3]float32{2, 0, 0}, [3]float32{0, 1, 0}, tracertest.Emitter(1e6))
	noisy, clean := filteredStill(tracertest.OnCPU(t).Use(s, nil), tracertest.Shot{Camera: camera, Width: 64, Height: 48, Samples: 2, Settings: learning(nil)})
	for c := range 3 {
		low, high := float32(math.Inf(1)), float32(0)
		for i := c; i < len(noisy.Pix); i += 3 {
			low, high = min(low, noisy.Pix[i]), max(high, noisy.Pix[i])
		}
		for i := c; i < len(clean.Pix); i += 3 {
			if x := clean.Pix[i]; !(x >= low*0.998-1e-6 && x <= high*1.002) {
				t.Fatalf("value %d is %v: the samples lie between %v and %v", i, x, low, high)
			}
		}
	}
}

// TestLearnedBringsTheErrorDown, most where there is most noise, and from very many samples on it is as good as they are.
func TestLearnedBringsTheErrorDown(t *testing.T) {
	s := tracertest.Builtin(t, "cornell", builtin.Options{})
	v := tracertest.Shot{Camera: s.Cameras[0], Width: 64, Height: 64, Samples: 768, Settings: learning(func(s *settings.Settings) { s.Bounces, s.Seed = 4, 7 })}
	reference := tracertest.OnFastest(t).Use(s, nil).Render(asReference(v))
	v.Settings.Seed = 0
	for _, row := range []struct {
		samples int
		most    float64 // of the noisy error
	}{{2, 0.2}, {8, 0.4}, {64, 1}, {256, 1.1}} {
		v.Samples = row.samples
		noisy, clean := filteredStill(tracertest.OnFastest(t).Use(s, nil), v)
		before, raw := errorsOf(t, noisy, reference)
		after, flip := errorsOf(t, clean, reference)
		t.Logf("%d samples: relMSE %.5f noisy, %.5f filtered (%.2f); FLIP %.4f and %.4f (%.2f)", row.samples, before, after, after/before, raw, flip, flip/raw)
		if !(after <= row.most*before) {
			t.Errorf("%d samples: relMSE %.5f noisy, %.5f filtered: want %.2f of it at most", row.samples, before, after, row.most)
		}
	}
}

// TestLearnedSeesInTheDark: a room that is 2⁷ times darker is filtered as well, although its picture is exposed as before.
func TestLearnedSeesInTheDark(t *testing.T) {
	s := tracertest.Builtin(t, "cornell", builtin.Options{})
	const darker = 1.0 / (1 << 7)
	v := tracertest.Shot{Camera: s.Cameras[0], Width: 64, Height: 48, Samples: 256, Settings: learning(nil)}
	reference := tracertest.OnFastest(t).Use(s, nil).Render(asReference(v))
	v.Samples = 4
	wrong := func(scale float64) float64 {
		v.Settings = learning(func(s *settings.Settings) { s.LightScale, s.Seed = scale, 7 })
		_, clean := filteredStill(tracertest.OnFastest(t).Use(s, nil), v)
		for i := range clean.Pix {
			clean.Pix[i] /= float32(scale)
		}
		relMSE, _ := errorsOf(t, clean, reference)
		return relMSE
	}
	bright, dark := wrong(1), wrong(darker)
	t.Logf("relMSE %.5f, and in the dark %.5f", bright, dark)
	if !(dark < 1.2*bright) {
		t.Errorf("relMSE %.5f, and in the dark %.5f", bright, dark)
	}
}
