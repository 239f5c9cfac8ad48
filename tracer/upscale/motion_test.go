package upscale_test

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

// TestRestingViewEndsAtFullSize: a view that was upscaled ends at the very image that it would have been without, and meanwhile
// nothing jumps.
func TestRestingViewEndsAtFullSize(t *testing.T) {
	s := tracertest.Builtin(t, "cornell", builtin.Options{})
	fx, plain := tracertest.OnCPU(t).Use(s, nil), tracertest.OnCPU(t).Use(s, nil)
	v := schedule.Request{View: view.View{Camera: s.Cameras[0], Width: 33, Height: 24}, Live: true}
	target, want := view.Target{Pixels: make([]byte, 4*33*24)}, view.Target{Pixels: make([]byte, 4*33*24)}
	var frames, small, farthest int
	var before []byte
	for stats := (view.Stats{}); stats.Samples < 40; frames++ {
		stats = fx.Frame(v, scaled(0.5, asItIs), target)
		if stats.Width < v.Width {
			small++
		} else if stats.Samples != frames-small+1 {
			t.Fatalf("frame %d: %d samples", frames, stats.Samples)
		}
		if frames > small {
			farthest = max(farthest, meanStep(before, target.Pixels))
		}
		before = slices.Clone(target.Pixels)
	}
	for range 40 {
		plain.Frame(v, scaled(1, asItIs), want)
	}
	if !bytes.Equal(target.Pixels, want.Pixels) {
		t.Error("the picture differs from that of a view which was never upscaled")
	}
	if small == 0 || farthest > 8 {
		t.Errorf("%d frames were upscaled; then pictures that follow each other differ by %d of 255", small, farthest)
	}
}

// meanStep is by how much two pictures differ on average, of 255.
func meanStep(a, b []byte) int {
	sum := 0
	for i := range a {
		sum += max(int(a[i])-int(b[i]), int(b[i])-int(a[i]))
	}
	return sum / len(a)
}

// TestMotionBeginsWithWhatWasShown: a view that has rested hands what it had on: the first frame of the motion that follows is
// far better than one without history.
func TestMotionBeginsWithWhatWasShown(t *testing.T) {
	s := tracertest.Builtin(t, "cornell", builtin.Options{})
	own := scaled(0.5, asItIs)
	v := schedule.Request{View: view.View{Camera: s.Cameras[0], Width: 48, Height: 48}, Live: true}
	moved := v
	moved.Camera, moved.Moving = tracertest.Orbited(v.Camera, 0.2), true
	truth := tracertest.OnCPU(t).Use(s, nil).Render(tracertest.Shot{Camera: moved.Camera, Width: 48, Height: 48, Samples: 512, Settings: tracertest.Settings(func(s *settings.Settings) { s.Seed = 3 })})
	first := tracertest.RelMSE(t, upscaled(tracertest.OnCPU(t).Use(s, nil), moved, own, 1, nil), truth)
	fx := tracertest.OnCPU(t).Use(s, nil)
	for range 100 {
		fx.Frame(v, own, view.Target{})
	}
	got := tracertest.RelMSE(t, upscaled(fx, moved, own, 1, nil), truth)
	t.Logf("relMSE %.4f, without history %.4f", got, first)
	if !(got < first/4) {
		t.Errorf("relMSE %.4f, without history %.4f: want a quarter at most", got, first)
	}
}

// TestScaleChangesKeepHistory: a frame at another scale goes on with what there was.
func TestScaleChangesKeepHistory(t *testing.T) {
	s := tracertest.Builtin(t, "cornell", builtin.Options{})
	v := schedule.Request{View: view.View{Camera: s.Cameras[0], Width: 48, Height: 48}, Moving: true}
	truth := tracertest.OnCPU(t).Use(s, nil).Render(tracertest.Shot{Camera: v.Camera, Width: 48, Height: 48, Samples: 512, Settings: tracertest.Settings(func(s *settings.Settings) { s.Seed = 3 })})
	alone := tracertest.RelMSE(t, upscaled(tracertest.OnCPU(t).Use(s, nil), v, scaled(0.4, asItIs), 1, nil), truth)
	fx := tracertest.OnCPU(t).Use(s, nil)
	upscaled(fx, v, scaled(0.6, asItIs), 12, nil)
	got := tracertest.RelMSE(t, upscaled(fx, v, scaled(0.4, asItIs), 1, nil), truth)
	t.Logf("relMSE %.4f, without history %.4f", got, alone)
	if !(got < alone/3) {
		t.Errorf("relMSE %.4f, without history %.4f: want a third at most", got, alone)
	}
}

// TestImagesAtRestStay: a resting view that begins to be upscaled keeps its image at full size on the screen, and the motion
// that follows begins with it.
func TestImagesAtRestStay(t *testing.T) {
	s := tracertest.Builtin(t, "cornell", builtin.Options{})
	half := scaled(0.5, asItIs)
	v := schedule.Request{View: view.View{Camera: s.Cameras[0], Width: 48, Height: 48}, Live: true}
	moved := v
	moved.Camera, moved.Moving = tracertest.Orbited(v.Camera, 0.2), true
	truth := tracertest.OnCPU(t).Use(s, nil).Render(tracertest.Shot{Camera: moved.Camera, Width: 48, Height: 48, Samples: 512, Settings: tracertest.Settings(func(s *settings.Settings) { s.Seed = 3 })})
	first := tracertest.RelMSE(t, upscaled(tracertest.OnCPU(t).Use(s, nil), moved, half, 1, nil), truth)
	for _, row := range []struct {
		name string
		away func(*settings.Settings) // the resting view is of full size by this
	}{
		{"AOV", func(s *settings.Settings) { s.AOVView = "normal" }},
		{"full size", func(s *settings.Settings) { s.RenderScale = 1 }},
	} {
		fx := tracertest.OnCPU(t).Use(s, nil)
		target := view.Target{Pixels: make([]byte, 4*48*48)}
		for range 100 {
			fx.Frame(v, half, target)
		}
		before, away := slices.Clone(target.Pixels), half
		row.away(&away)
		samples := fx.Frame(v, away, view.Target{}).Samples
		for i := range 10 {
			stats := fx.Frame(v, half, target)
			if stats.Samples < samples || meanStep(before, target.Pixels) > 0 {
				t.Fatalf("%s, frame %d: %d samples after %d, and pictures differ by %d of 255", row.name, i, stats.Samples, samples,
					meanStep(before, target.Pixels))
			}
		}
		fx.Frame(v, away, view.Target{})
		fx.Frame(v, half, target)
		if got := tracertest.RelMSE(t, upscaled(fx, moved, half, 1, nil), truth); !(got < first/4) {
			t.Errorf("%s: the first frame of a motion has relMSE %.4f, without history %.4f: want a quarter at most", row.name, got, first)
		}
	}
}

// TestAYoungImageStays: an image at full size of a few samples is not mixed with a single upscaled frame, which is worse.
func TestAYoungImageStays(t *testing.T) {
	s := tracertest.Builtin(t, "cornell", builtin.Options{})
	fx := tracertest.OnCPU(t).Use(s, nil)
	v := schedule.Request{View: view.View{Camera: s.Cameras[0], Width: 24, Height: 24}, Live: true}
	target := view.Target{Pixels: make([]byte, 4*24*24)}
	for range 8 {
		fx.Frame(v, scaled(1, asItIs), target)
	}
	before := slices.Clone(target.Pixels)
	fx.Frame(v, scaled(0.5, asItIs), target)
	if step := meanStep(before, target.Pixels); step > 0 {
		t.Errorf("the picture differs by %d of 255", step)
	}
}

// TestAHeldViewStays: a view that is said to move, but does not, keeps its image at full size on the screen.
func TestAHeldViewStays(t *testing.T) {
	s := tracertest.Builtin(t, "cornell", builtin.Options{})
	fx := tracertest.OnCPU(t).Use(s, nil)
	v := schedule.Request{View: view.View{Camera: s.Cameras[0], Width: 16, Height: 16}, Live: true}
	target := view.Target{Pixels: make([]byte, 4*16*16)}
	for range 48 {
		fx.Frame(v, scaled(0.5, asItIs), target)
	}
	before := slices.Clone(target.Pixels)
	v.Moving = true
	fx.Frame(v, scaled(0.5, asItIs), target)
	if !bytes.Equal(before, target.Pixels) {
		t.Errorf("the picture differs by %d of 255", meanStep(before, target.Pixels))
	}
}

// TestRestartForgetsEverything: the frame after is the first one, to the last bit.
func TestRestartForgetsEverything(t *testing.T) {
	s := tracertest.Builtin(t, "cornell", builtin.Options{})
	for _, row := range []struct {
		integrator, denoiser string
		scale                float64
	}{{"restir-gi", "off", 0.5}, {"restir-gi", "atrous", 0.5}, {"path", "atrous", 0.5}, {"path", "atrous", 1}, {"restir-gi", "atrous", 1}} {
		own := scaled(row.scale, func(s *settings.Settings) { s.Integrator, s.Denoise = row.integrator, row.denoiser })
		fx := tracertest.OnCPU(t).Use(s, nil)
		target := view.Target{Pixels: make([]byte, 4*24*24)}
		v := schedule.Request{View: view.View{Camera: s.Cameras[0], Width: 24, Height: 24}, Live: true, Moving: true}
		var first [2][]byte
		for i := range first {
			fx.Frame(v, own, target)
			first[i] = slices.Clone(target.Pixels)
			for frame := range 7 {
				moved := v
				moved.Camera = tracertest.Orbited(v.Camera, float64(frame))
				fx.Frame(moved, own, target)
			}
			fx.Renderer.Restart()
		}
		if !bytes.Equal(first[0], first[1]) {
			t.Errorf("%+v: the frame after a restart differs from the first one by %d of 255", row, meanStep(first[0], first[1]))
		}
	}
}

// TestMotionClearsNothingLarge: while an upscaled view moves, nobody reads the image at full size, and nobody clears it.
func TestMotionClearsNothingLarge(t *testing.T) {
	d := tracertest.NewDevice()
	s := tracertest.Builtin(t, "cornell", builtin.Options{})
	fx := d.Open(t).Use(s, nil)
	v := schedule.Request{View: view.View{Camera: s.Cameras[0], Width: 32, Height: 32}, Live: true, Moving: true}
	const accumulation = 16 * 32 * 32
	for frame := range 4 {
		v.Camera = tracertest.Orbited(s.Cameras[0], float64(frame))
		d.LargestCleared = 0
		fx.Frame(v, scaled(0.25, asItIs), view.Target{})
		if d.LargestCleared >= accumulation {
			t.Errorf("frame %d clears %d bytes at once, the image has %d", frame, d.LargestCleared, accumulation)
		}
	}
	v.Moving, d.LargestCleared = false, 0
	for range 16 {
		fx.Frame(v, scaled(0.25, asItIs), view.Target{})
	}
	if d.LargestCleared < accumulation {
		t.Errorf("a view that rests clears %d bytes at once, the image has %d", d.LargestCleared, accumulation)
	}
}

// TestUnseenCallsHaveNoGoal: calls that show nothing do not wait for a GPU, so that their time says nothing.
func TestUnseenCallsHaveNoGoal(t *testing.T) {
	s := tracertest.Builtin(t, "cornell", builtin.Options{})
	fx := tracertest.OnCPU(t).Use(s, nil)
	v := schedule.Request{View: view.View{Camera: s.Cameras[0], Width: 16, Height: 16}, Live: true, Moving: true, Goal: time.Nanosecond}
	for range 10 {
		if stats := fx.Frame(v, scaled(1, asItIs), view.Target{}); stats.Width != 16 {
			t.Fatalf("%d×%d are rendered, want full size", stats.Width, stats.Height)
		}
	}
}
