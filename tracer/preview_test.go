package tracer_test

import (
	"bytes"
	"slices"
	"testing"
	"time"

	"glint/tracer/builtin"
	"glint/tracer/schedule"
	"glint/tracer/settings"
	"glint/tracer/tracertest"
	"glint/tracer/view"
)

// resting is a window on a processor that shows cornell, at first by a preview.
func resting(t *testing.T) (*tracertest.Fixture, schedule.Request) {
	fx := tracertest.OnCPU(t)
	s := tracertest.Builtin(t, "cornell", builtin.Options{})
	fx.Use(s, nil)
	return fx, schedule.Request{View: view.View{Camera: s.Cameras[0], Width: 96, Height: 64}, Live: true, Window: true, Budget: time.Nanosecond}
}

// TestPreviewEndsWithTheDenoiser: a smooth preview stands for a denoised picture that is to come. Where none is, what there is at full
// size is shown as soon as it is counted.
func TestPreviewEndsWithTheDenoiser(t *testing.T) {
	fx, v := resting(t)
	o := tracertest.Settings(func(s *settings.Settings) { s.Integrator, s.Denoise = "path", "atrous" })
	preview := fx.Frame(v, o, view.Target{})
	for preview.Scale > 1 {
		preview = fx.Frame(v, o, view.Target{})
	}
	if preview.Samples != 0 || preview.Shown != 0 {
		t.Fatalf("a sample at full size was made in one call: %+v", preview)
	}
	o.Denoise = "off"
	shown := make([]byte, 4*v.Width*v.Height)
	stats := view.Stats{}
	for stats.Samples == 0 {
		stats = fx.Frame(v, o, view.Target{Pixels: shown})
	}
	if stats.Restarted || stats.Shown != stats.Samples {
		t.Errorf("the picture is of %d of %d samples, restarted: %v", stats.Shown, stats.Samples, stats.Restarted)
	}
	other, v2 := resting(t)
	v2.Budget = 0
	whole := make([]byte, len(shown))
	for range stats.Samples {
		other.Frame(v2, o, view.Target{Pixels: whole})
	}
	if !bytes.Equal(shown, whole) {
		t.Errorf("what is shown of %d samples is not what they amount to", stats.Samples)
	}
}

// TestShownSamples: a picture that was denoised a while ago is of fewer samples than there are.
func TestShownSamples(t *testing.T) {
	fx, v := resting(t)
	o := tracertest.Settings(func(s *settings.Settings) { s.Integrator = "path" }) // --denoise auto
	before, older := 0, 0
	for older == 0 {
		stats := fx.Frame(v, o, view.Target{})
		if stats.Denoiser != "atrous" {
			t.Fatalf("auto stands for %q after %d samples, %d of them denoised", stats.Denoiser, stats.Samples, stats.Denoised)
		}
		switch {
		case stats.Denoised == 0:
			before++
			if stats.Shown > stats.Samples {
				t.Fatalf("the picture is of %d samples: there are %d", stats.Shown, stats.Samples)
			}
		case stats.Shown != stats.Denoised:
			t.Fatalf("the picture is of %d samples: there are %d, of which %d are denoised", stats.Shown, stats.Samples, stats.Denoised)
		case stats.Denoised < stats.Samples:
			older++
		}
	}
	if before == 0 {
		t.Error("the first call has a denoised picture")
	}
}

// TestPreviewNeverGetsCoarser: what a view shows while it rests is at least as fine as what it showed before, though there is less
// time for it, or far too little.
func TestPreviewNeverGetsCoarser(t *testing.T) {
	fx, v := resting(t)
	v.Width, v.Height, v.Budget = 480, 320, 20*time.Millisecond
	o := tracertest.Settings(func(s *settings.Settings) { s.Integrator = "path" })
	move := func() (scale int) {
		v.Moving = true
		for range 12 {
			v.Camera.Eye[0] += 1e-3
			scale = fx.Frame(v, o, view.Target{}).Scale
		}
		return scale
	}
	for range 12 { // until previews are neither as large as they may be nor as small
		switch scale := move(); {
		case scale < 3:
			v.Budget /= 2
		case scale > 6:
			v.Budget *= 2
		}
	}
	for name, share := range map[string]time.Duration{"less time": 4, "far too little": 10_000} {
		before, budget := move(), v.Budget
		v.Moving, v.Budget = false, budget/share
		var scales []int
		for range 10 {
			if stats := fx.Frame(v, o, view.Target{}); stats.Scale > 1 {
				scales = append(scales, stats.Scale)
			}
		}
		if len(scales) == 0 || slices.Max(scales) > before {
			t.Errorf("%s: after previews of 1/%d the resting view has previews of 1/%v", name, before, scales)
		}
		v.Budget = budget
	}
}
