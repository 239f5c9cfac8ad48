package tracer_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"glint/tracer"
	"glint/tracer/builtin"
	"glint/tracer/device"
	"glint/tracer/profile"
	"glint/tracer/scene"
	"glint/tracer/schedule"
	"glint/tracer/settings"
	"glint/tracer/tracertest"
	"glint/tracer/view"
)

// lensed are settings under which every row of the table matters.
func lensed() settings.Settings {
	return tracertest.Settings(func(s *settings.Settings) { s.Aperture = 0.05 })
}

// begun is a fixture that has rendered two samples of a view with the settings of lensed.
func begun(t *testing.T) (*tracertest.Fixture, schedule.Request) {
	t.Helper()
	fx := tracertest.OnCPU(t)
	s := tracertest.Builtin(t, "cornell", builtin.Options{})
	fx.Use(s, tracertest.Dark())
	v := schedule.Request{View: view.View{Camera: s.Cameras[0], Width: 24, Height: 16}}
	for i, restarted := range []bool{true, false} {
		if stats := fx.Frame(v, lensed(), view.Target{}); stats.Restarted != restarted || stats.Samples != i+1 {
			t.Fatalf("call %d: restarted %v, %d samples", i+1, stats.Restarted, stats.Samples)
		}
	}
	return fx, v
}

// TestAnotherMethodHoldsNoMore: an integrator or engine that is switched away from gives back what it took.
func TestAnotherMethodHoldsNoMore(t *testing.T) {
	fx, v := begun(t)
	before := fx.Statistics().Memory
	for _, change := range []func(*settings.Settings){
		func(s *settings.Settings) { s.Integrator = "restir-gi" },
		func(s *settings.Settings) { s.Exec = "wavefront" },
	} {
		other := lensed()
		change(&other)
		fx.Frame(v, other, view.Target{})
		if m := fx.Statistics().Memory; m.Device() <= before.Device() {
			t.Errorf("the test has no power: %+v is held, before %+v", m, before)
		}
		fx.Frame(v, lensed(), view.Target{})
		if m := fx.Statistics().Memory; m.Device() != before.Device() {
			t.Errorf("%+v is held, before %+v", m, before)
		}
	}
}

// TestSettingsRestart: accumulation restarts for just those settings whose row says so.
func TestSettingsRestart(t *testing.T) {
	for _, row := range tracer.SettingsTable() {
		t.Run(row.Name, func(t *testing.T) {
			tracertest.Parallel(t)
			fx, v := begun(t)
			s := lensed()
			change(t, row, &s)
			stats := fx.Frame(v, s, view.Target{})
			if stats.Restarted != row.Restarts {
				t.Errorf("restarted is %v, the table says %v", stats.Restarted, row.Restarts)
			}
			if want := map[bool]int{true: 1, false: 3}[row.Restarts]; stats.Samples != want {
				t.Errorf("%d samples, want %d", stats.Samples, want)
			}
		})
	}
}

// change gives a setting another value than its default.
func change(t *testing.T, row settings.Setting, s *settings.Settings) {
	t.Helper()
	switch value := row.Value(s).(type) {
	case *bool:
		*value = !*value
	case *int:
		*value++
	case *float64:
		*value += row.Step
	case *string:
		for _, choice := range row.Choices {
			if choice != *value {
				*value = choice
				return
			}
		}
	default:
		t.Fatalf("setting %s is of type %T", row.Name, value)
	}
}

// TestDisplayDoesNotRestart names the settings that must not: they only change the film, or give the same image.
func TestDisplayDoesNotRestart(t *testing.T) {
	for _, row := range tracer.SettingsTable() {
		if display := slices.Contains([]string{"exposure", "auto-exposure", "white-balance", "tint", "tonemap", "bloom", "dither", "reuse-view", "bvh", "rays", "floor", "denoise", "denoise-quality", "denoise-history", "aov-view", "render-scale", "target-fps"}, row.Name); row.Restarts == display {
			t.Errorf("%s: restarts is %v", row.Name, row.Restarts)
		}
	}
}

// TestPinholeHasNoFocus: without an aperture focus changes nothing, so nothing is thrown away.
func TestPinholeHasNoFocus(t *testing.T) {
	fx, v := begun(t)
	s := settings.Defaults()
	for i, focus := range []float64{1, 2} {
		s.Focus = focus
		if stats := fx.Frame(v, s, view.Target{}); stats.Restarted != (i == 0) {
			t.Errorf("focus %v: restarted is %v", focus, stats.Restarted)
		}
	}
}

// TestViewRestarts: camera, size and scene do, the budget and moving do not.
func TestViewRestarts(t *testing.T) {
	for _, row := range []struct {
		name     string
		change   func(fx *tracertest.Fixture, v *schedule.Request)
		restarts bool
	}{
		{"nothing", func(*tracertest.Fixture, *schedule.Request) {}, false},
		{"eye", func(_ *tracertest.Fixture, v *schedule.Request) { v.Camera.Eye[0] += 0.01 }, true},
		{"target", func(_ *tracertest.Fixture, v *schedule.Request) { v.Camera.Target[1] += 0.01 }, true},
		{"field of view", func(_ *tracertest.Fixture, v *schedule.Request) { v.Camera.VFov++ }, true},
		{"orthographic", func(_ *tracertest.Fixture, v *schedule.Request) { v.Camera.Orthographic = 1 }, true},
		{"camera's name", func(_ *tracertest.Fixture, v *schedule.Request) { v.Camera.Name = "other" }, false},
		{"width", func(_ *tracertest.Fixture, v *schedule.Request) { v.Width++ }, true},
		{"height", func(_ *tracertest.Fixture, v *schedule.Request) { v.Height-- }, true},
		{"budget", func(_ *tracertest.Fixture, v *schedule.Request) { v.Budget = time.Hour }, false},
		{"scene", func(fx *tracertest.Fixture, _ *schedule.Request) {
			fx.Use(tracertest.Builtin(fx.T, "cornell-glossy", builtin.Options{}), tracertest.Dark())
		}, true},
		{"environment", func(fx *tracertest.Fixture, _ *schedule.Request) {
			fx.Use(tracertest.Builtin(fx.T, "cornell", builtin.Options{}), tracertest.Constant(1))
		}, true},
	} {
		t.Run(row.name, func(t *testing.T) {
			fx, v := begun(t)
			row.change(fx, &v)
			if stats := fx.Frame(v, lensed(), view.Target{}); stats.Restarted != row.restarts {
				t.Errorf("restarted is %v, want %v", stats.Restarted, row.restarts)
			}
		})
	}
}

// TestBudget: a call on the CPU ends soon after its budget, a small picture comes first, and the calls finish samples.
func TestBudget(t *testing.T) {
	fx := tracertest.OnCPU(t)
	s := tracertest.Builtin(t, "cornell", builtin.Options{})
	fx.Use(s, tracertest.Dark())
	v := schedule.Request{View: view.View{Camera: s.Cameras[0], Width: 640, Height: 480}, Budget: 10 * time.Millisecond}
	target := view.Target{Pixels: make([]byte, 4*v.Width*v.Height)}
	first := fx.Frame(v, settings.Defaults(), target)
	if first.Samples != 0 || first.Scale <= 1 {
		t.Errorf("the first call left %d samples at scale 1/%d, want a small picture", first.Samples, first.Scale)
	}
	if black := bytes.Count(target.Pixels, []byte{0, 0, 0, 255}); black > len(target.Pixels)/8 {
		t.Errorf("the small picture leaves %d pixels black", black)
	}
	const patience = time.Second // for a machine that does other work; a whole sample takes longer still
	shortest, samples := time.Hour, 0
	for calls := 0; samples < 2; calls++ {
		stats := fx.Frame(v, settings.Defaults(), target)
		shortest = min(shortest, stats.Elapsed)
		samples = stats.Samples
		if stats.Elapsed > patience {
			t.Errorf("call %d took %v with a budget of %v", calls, stats.Elapsed, v.Budget)
		}
		if calls > 10_000 {
			t.Fatalf("%d samples after %d calls", samples, calls)
		}
	}
	if shortest > 8*v.Budget {
		t.Errorf("the shortest call took %v with a budget of %v", shortest, v.Budget)
	}
}

// TestMovingShowsTheSmallPicture: a view that will not last is never rendered in full.
func TestMovingShowsTheSmallPicture(t *testing.T) {
	fx := tracertest.OnCPU(t)
	s := tracertest.Builtin(t, "cornell", builtin.Options{})
	fx.Use(s, tracertest.Dark())
	v := schedule.Request{View: view.View{Camera: s.Cameras[0], Width: 320, Height: 240}, Budget: time.Millisecond, Moving: true}
	for range 3 {
		if stats := fx.Frame(v, settings.Defaults(), view.Target{}); stats.Samples != 0 || stats.Scale <= 1 {
			t.Errorf("while moving: %d samples at scale 1/%d", stats.Samples, stats.Scale)
		}
	}
}

// TestFilm: exposure and tone curve act on the picture, and FlipY turns it over.
func TestFilm(t *testing.T) {
	fx := tracertest.OnCPU(t).Use(&scene.Scene{Name: "empty"}, tracertest.Gradient())
	v := schedule.Request{View: view.View{Camera: scene.Camera{Target: mgl64.Vec3{0, 0.3, -1}, Up: mgl32.Vec3{0, 1, 0}, VFov: 60}, Width: 9, Height: 7}}
	develop := func(exposure float64, flip bool) []byte {
		target := view.Target{Pixels: make([]byte, 4*v.Width*v.Height), FlipY: flip}
		fx.Frame(v, tracertest.Settings(func(s *settings.Settings) {
			s.ToneMap, s.Exposure, s.Antialias = "none", exposure, false
		}), target)
		return target.Pixels
	}
	upright, flipped, darker := develop(-1, false), develop(-1, true), develop(-2, false)
	row := 4 * v.Width
	for y := range v.Height {
		if !bytes.Equal(upright[y*row:][:row], flipped[(v.Height-1-y)*row:][:row]) {
			t.Fatalf("row %d is not row %d of the flipped picture", y, v.Height-1-y)
		}
	}
	linear := func(b byte) float64 { return math.Pow((float64(b)/255+0.055)/1.055, 2.4) }
	for i := 0; i < len(upright); i += 4 {
		if a, b := linear(upright[i]), linear(darker[i]); upright[i] < 255 && math.Abs(a/b-2) > 0.05 {
			t.Fatalf("pixel %d: one stop changes %d to %d", i/4, upright[i], darker[i])
		}
	}
}

// TestPick gives the depth along the camera's axis, whatever the pixel.
func TestPick(t *testing.T) {
	s, camera := tracertest.Ground(0.5, 60)
	fx := tracertest.OnCPU(t).Use(s, tracertest.Constant(1))
	v := schedule.Request{View: view.View{Camera: camera, Width: 20, Height: 10}}
	own := settings.Defaults()
	fx.Frame(v, own, view.Target{})
	for _, at := range [][2]int{{0, 0}, {19, 9}, {10, 5}} {
		depth, hit, err := fx.Renderer.Engine().Pick(v, &own, at[0], at[1])
		if err != nil || !hit || math.Abs(float64(depth)-1) > 1e-5 {
			t.Errorf("pixel %v: depth %v, hit %v, error %v; want 1 m", at, depth, hit, err)
		}
	}
	v.Camera.Eye, v.Camera.Target = mgl64.Vec3{0, 1, 0}, mgl64.Vec3{0, 2, 0}
	if _, hit, err := fx.Renderer.Engine().Pick(v, &own, 3, 3); hit || err != nil {
		t.Errorf("the sky was hit, error %v", err)
	}
}

// TestRenderRefuses: what cannot be rendered is an error that says why, and the renderer goes on working.
func TestRenderRefuses(t *testing.T) {
	fx, good := begun(t)
	for _, row := range []struct {
		width, height, bytes int
		says                 string
	}{
		{0, 16, 0, "image size"}, {24, -1, 0, "image size"}, {1 << 20, 16, 0, "image size"}, {24, 16, 24 * 16, "target holds"},
	} {
		v := good
		v.Width, v.Height = row.width, row.height
		var target view.Target
		if row.bytes > 0 {
			target.Pixels = make([]byte, row.bytes)
		}
		if _, err := fx.Renderer.Render(v, lensed(), target); err == nil || !strings.Contains(err.Error(), row.says) {
			t.Errorf("%d×%d into %d bytes: error %v, want one about %q", row.width, row.height, row.bytes, err, row.says)
		}
	}
	if stats := fx.Frame(good, lensed(), view.Target{}); stats.Samples != 3 {
		t.Errorf("%d samples after the refusals, want 3", stats.Samples)
	}
}

func TestOpenAndAttachRefuse(t *testing.T) {
	if _, err := tracer.Open(tracer.Options{Backend: "abacus"}, profile.Policy{}); err == nil {
		t.Error("an unknown backend was opened")
	}
	fx := tracertest.OnCPU(t)
	if err := fx.Renderer.Engine().Attach(1); err == nil {
		t.Error("the CPU backend attached a GL buffer")
	}
	if _, err := fx.Renderer.Render(schedule.Request{View: view.View{Width: 1, Height: 1}}, settings.Defaults(), view.Target{}); err == nil {
		t.Error("a renderer without a scene rendered")
	}
	fmt.Fprintln(t.Output(), fx.Renderer.Engine().Backend())
}

// TestPreviewGivesUp: when a view becomes so slow that a window would not answer, a smaller preview is shown at once.
func TestPreviewGivesUp(t *testing.T) {
	fx := tracertest.OnCPU(t)
	s := tracertest.Builtin(t, "spheres", builtin.Options{Triangles: 60_000})
	fx.Use(s, nil)
	v := schedule.Request{View: view.View{Camera: s.FrameAll(1.5), Width: 240, Height: 160}, Live: true, Moving: true, Budget: 60 * time.Millisecond}
	o := tracertest.Settings(func(s *settings.Settings) { s.Integrator = "path" })
	const large = 4 // previews of more than a quarter of the window's sides
	frame := func() view.Stats {
		v.Frame++
		v.Camera.Eye[0] += 1e-3
		return fx.Frame(v, o, view.Target{})
	}
	for range 60 {
		if frame().Scale < large {
			break
		}
	}
	if stats := frame(); stats.Scale >= large {
		t.Skipf("with its tree the view has a preview of 1/%d: this machine is too busy to tell", stats.Scale)
	}
	o.BVH = "off"
	if stats := frame(); stats.Scale < large {
		t.Errorf("without its tree the view still has a preview of 1/%d", stats.Scale)
	}
}

// TestPreviewWithoutMemory: where there is none for a preview, the call says so, and the next one tries again.
func TestPreviewWithoutMemory(t *testing.T) {
	d := tracertest.NewDevice()
	fx := d.Open(t)
	s := tracertest.Builtin(t, "cornell", builtin.Options{})
	fx.Use(s, tracertest.Dark())
	v := schedule.Request{View: view.View{Camera: s.Cameras[0], Width: 64, Height: 48}, Live: true}
	o := tracertest.Settings(func(s *settings.Settings) { s.Integrator = "path" })
	for range 3 {
		fx.Frame(v, o, view.Target{})
	}
	v.Moving, v.Budget = true, time.Minute
	v.Camera.Eye[0] += 0.1
	d.MaxBuffer = 100
	for range 2 {
		if _, err := fx.Renderer.Render(v, o, view.Target{}); !errors.Is(err, device.ErrOutOfMemory) {
			t.Errorf("without memory: %v", err)
		}
	}
	d.MaxBuffer = 0
	fx.Frame(v, o, view.Target{})
}
