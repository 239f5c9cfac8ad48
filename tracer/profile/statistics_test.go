package profile_test

import (
	"bytes"
	"math"
	"slices"
	"testing"
	"time"

	"glint/cuda"
	"glint/tracer/builtin"
	"glint/tracer/device"
	"glint/tracer/profile"
	"glint/tracer/schedule"
	"glint/tracer/settings"
	"glint/tracer/tracertest"
	"glint/tracer/view"
)

func TestEveryKernelHasAKind(t *testing.T) {
	frames := profile.Kinds()
	for k := range cuda.KernelCount {
		if kind := profile.Kind(k.Category()); kind != profile.Tool && !slices.Contains(frames, kind) {
			t.Errorf("%s is of kind %q: name its category in its definition", k, kind)
		}
	}
}

// watched is a fixture with a scene and a view of it.
func watched(t *testing.T, w profile.Policy) (*tracertest.Fixture, schedule.Request) {
	t.Helper()
	fx := tracertest.OnCPU(t)
	s := tracertest.Builtin(t, "cornell", builtin.Options{})
	fx.Use(s, tracertest.Dark())
	fx.Renderer.SetProfilePolicy(w)
	return fx, schedule.Request{View: view.View{Camera: s.Cameras[0], Width: 40, Height: 24}}
}

// TestStatisticsOfEngines: what is timed and counted fits together, kind by kind.
func TestStatisticsOfEngines(t *testing.T) {
	const frames = 4
	for _, row := range []struct {
		engine, integrator string
		kinds              []profile.Kind
	}{
		{"megakernel", "path", []profile.Kind{profile.Whole}},
		{"wavefront", "path", []profile.Kind{profile.Generation, profile.Extension, profile.Shading, profile.Shadow}},
		{"megakernel", "restir-gi", []profile.Kind{profile.Whole, profile.Reuse}},
		{"wavefront", "restir-gi", []profile.Kind{profile.Generation, profile.Extension, profile.Shading, profile.Shadow, profile.Reuse}},
	} {
		fx, v := watched(t, profile.Policy{TimeEvery: 1, CountEvery: 1})
		for range frames {
			fx.Frame(v, tracertest.Settings(func(s *settings.Settings) { s.Exec, s.Integrator = row.engine, row.integrator }), view.Target{})
		}
		s := fx.Statistics()
		if paths := uint64(frames * v.Width * v.Height); s.Timed != frames || s.Counted != frames || s.Paths != paths || s.Counters.Paths != paths {
			t.Errorf("%s by %s: %+v", row.integrator, row.engine, s)
		}
		checkCosts(t, s, row.kinds)
		checkAlive(t, s, row.engine == "wavefront", indicesOf(v))
		if again := fx.Statistics(); again.Timed != 0 || again.Counted != 0 || len(again.Kernels) != 0 {
			t.Errorf("asked again: %+v", again)
		}
	}
}

// TestClassesAreToldApart: sorted by class, shading is timed and counted for each class of materials by itself.
func TestClassesAreToldApart(t *testing.T) {
	s := tracertest.Builtin(t, "multiball-closed", builtin.Options{})
	for _, integrator := range []string{"path", "restir-gi"} {
		fx := tracertest.OnCPU(t).Use(s, tracertest.Dark())
		fx.Renderer.SetProfilePolicy(profile.Policy{TimeEvery: 1, CountEvery: 1})
		v := schedule.Request{View: view.View{Camera: s.Cameras[0], Width: 40, Height: 24}}
		fx.Frame(v, tracertest.Settings(func(s *settings.Settings) { s.Exec, s.Sort, s.Integrator = "wavefront", "class", integrator }), view.Target{})
		told := fx.Statistics()
		var hits uint64
		met := 0
		for class, n := range told.Counters.Classes {
			hits += n
			if n > 0 && uint32(class) != cuda.ClassNone {
				met++
			}
		}
		shaded := told.Counters.Paths
		for _, n := range told.Counters.Alive {
			shaded += n
		}
		if hits != shaded || met < 2 {
			t.Errorf("%s: %d hits of %v in classes, %d shaded", integrator, hits, told.Counters.Classes, shaded)
		}
		var sum float64
		costs := map[profile.Kind]profile.Cost{}
		for _, c := range told.Costs() {
			sum += c.Ms
			costs[c.Kind] = c
		}
		if _, whole := costs[profile.Shading]; whole || math.Abs(sum/told.MsPerFrame()-1) > 1e-9 {
			t.Errorf("%s: kinds take %v ms, kernels %v ms; shading as a whole %v", integrator, sum, told.MsPerFrame(), whole)
		}
		for class, n := range told.Counters.Classes {
			kind := profile.Kind("shading " + device.ClassName(class))
			if c := costs[kind]; c.Ms <= 0 || (c.PerMillion > 0) != (n > 0) || kind.Main() != profile.Shading || len(told.Of(kind)) != 1 {
				t.Errorf("%s: %q costs %+v for %d hits, by %v", integrator, kind, c, n, told.Of(kind))
			}
		}
	}
}

// indicesOf counts the launch indices of a view of whole tiles.
func indicesOf(v schedule.Request) int { return v.Width * v.Height }

func checkCosts(t *testing.T, s profile.Statistics, want []profile.Kind) {
	t.Helper()
	var kinds []profile.Kind
	var sum float64
	for _, c := range s.Costs() {
		kinds = append(kinds, c.Kind)
		sum += c.Ms
		if c.Ms <= 0 || (c.Unit != "") != (c.PerMillion > 0) {
			t.Errorf("cost %+v", c)
		}
	}
	if !slices.Equal(kinds, want) {
		t.Errorf("kinds %v, want %v", kinds, want)
	}
	if math.Abs(sum/s.MsPerFrame()-1) > 1e-9 {
		t.Errorf("kinds take %v ms a frame, kernels %v ms", sum, s.MsPerFrame())
	}
	for _, k := range s.Kernels {
		if k.Launches < k.Ms.Frames || k.Ms.Min > k.Ms.Mean() || k.Ms.Mean() > k.Ms.Max || k.Ms.Min <= 0 {
			t.Errorf("kernel %+v", k)
		}
	}
	if s.PathRate() <= 0 || s.RaysPerPath() < 2 {
		t.Errorf("%v paths/s of %v rays", s.PathRate(), s.RaysPerPath())
	}
}

func checkAlive(t *testing.T, s profile.Statistics, waves bool, pixels int) {
	t.Helper()
	alive := s.Alive()
	if len(alive) != settings.Defaults().Bounces || alive[0] > 1 || alive[0] < 0.5 {
		t.Errorf("alive: %v", alive)
	}
	for i := 1; i < len(alive); i++ {
		if alive[i] > alive[i-1] {
			t.Errorf("alive: %v", alive)
		}
	}
	if !waves {
		if s.Queues != nil {
			t.Errorf("the megakernel has queues %v", s.Queues)
		}
		return
	}
	if len(s.Queues) == 0 || int(s.Queues[0].Extension) != pixels || s.Queues[1].Extension == 0 || s.Queues[0].Shadow == 0 {
		t.Errorf("queues: %v", s.Queues)
	}
	if m := s.Memory; m.Film < 20*pixels || m.Pool < 100*pixels || m.Scene == 0 || m.Device() < m.Film+m.Pool+m.Scene {
		t.Errorf("memory: %+v", m)
	}
}

// TestWatchTakesTurns: only the frames that are due tell anything, and none is both timed and counted where it can be helped.
func TestWatchTakesTurns(t *testing.T) {
	for _, row := range []struct {
		watch                 profile.Policy
		timed, counted, whole int // of 9 frames
	}{
		{profile.Policy{}, 0, 0, 0},
		{profile.Policy{TimeEvery: 1}, 9, 0, 0},
		{profile.Policy{TimeEvery: 3}, 3, 0, 6},
		{profile.Policy{CountEvery: 4}, 0, 2, 0},
		{profile.Policy{TimeEvery: 2, CountEvery: 2}, 5, 4, 0},
		{profile.Policy{TimeEvery: 4, CountEvery: 4}, 3, 2, 4},
	} {
		fx, v := watched(t, row.watch)
		for range 9 {
			fx.Frame(v, settings.Defaults(), view.Target{})
		}
		s := fx.Statistics()
		pixels := uint64(v.Width * v.Height)
		if s.Timed != row.timed || s.Counted != row.counted || s.Counters.Paths != uint64(row.counted)*pixels || s.Paths != uint64(row.timed)*pixels {
			t.Errorf("%+v: %d timed, %d counted, %d and %d paths", row.watch, s.Timed, s.Counted, s.Paths, s.Counters.Paths)
		}
		if s.Whole.Frames != row.whole || s.WholePaths != uint64(row.whole)*pixels || (row.timed+row.whole > 0) != (s.PathRate() > 0) {
			t.Errorf("%+v: %d whole frames of %d paths, %v paths/s", row.watch, s.Whole.Frames, s.WholePaths, s.PathRate())
		}
	}
}

// TestStatisticsOfAMovingView: a frame is counted although the next one clears the counters.
func TestStatisticsOfAMovingView(t *testing.T) {
	fx, v := watched(t, profile.Policy{TimeEvery: 1, CountEvery: 1})
	const frames = 5
	for range frames {
		v.Camera.Eye[0] += 0.01
		fx.Frame(v, settings.Defaults(), view.Target{})
	}
	if s := fx.Statistics(); s.Timed != frames || s.Counters.Paths != uint64(frames*v.Width*v.Height) {
		t.Errorf("%d timed, %d paths counted", s.Timed, s.Counters.Paths)
	}
}

// TestStatisticsPieceByPiece: a sample that takes several calls is one frame, and one that is left half-way is none.
func TestStatisticsPieceByPiece(t *testing.T) {
	fx, v := watched(t, profile.Policy{TimeEvery: 1, CountEvery: 1})
	v.Width, v.Height, v.Budget = 640, 480, 5*time.Millisecond
	samples, calls, previews := 0, 0, 0
	for ; samples < 1; calls++ {
		stats := fx.Frame(v, settings.Defaults(), view.Target{})
		if samples = stats.Samples; stats.Scale > 1 {
			previews++
		}
	}
	fx.Frame(v, settings.Defaults(), view.Target{})
	v.Camera.Eye[0] += 0.01
	fx.Frame(v, settings.Defaults(), view.Target{})
	s, frames := fx.Statistics(), previews+2 // one more preview, and a sample
	if previews < 1 || calls < previews+2 || s.Timed != frames || s.Counted != frames || s.Counters.Paths != s.Paths || s.Paths <= uint64(v.Width*v.Height) {
		t.Errorf("%d calls: %d timed, %d counted, %d and %d paths", calls, s.Timed, s.Counted, s.Paths, s.Counters.Paths)
	}
}

// TestTwinsAreWatchedApart: what one renderer launches is none of its twin's business.
func TestTwinsAreWatchedApart(t *testing.T) {
	fx, v := watched(t, profile.Policy{TimeEvery: 1})
	twin := fx.Twin(profile.Policy{TimeEvery: 1})
	twin.Renderer.SetProfilePolicy(profile.Policy{TimeEvery: 2})
	target := view.Target{Pixels: make([]byte, 4*v.Width*v.Height)}
	for range 4 {
		fx.Frame(v, settings.Defaults(), target)
		twin.Frame(v, tracertest.Settings(func(s *settings.Settings) { s.Integrator = "restir-gi" }), target)
	}
	mine, its := fx.Statistics(), twin.Statistics()
	if mine.Timed != 4 || its.Timed != 2 || len(mine.Kernels) != 2 || len(its.Kernels) < 4 {
		t.Errorf("%d frames of %d kernels, and %d of %d", mine.Timed, len(mine.Kernels), its.Timed, len(its.Kernels))
	}
}

// TestDroppedSamplesAreTold: the frame after one that was counted knows how many samples were not finite.
func TestDroppedSamplesAreTold(t *testing.T) {
	fx, v := watched(t, profile.Policy{CountEvery: 1})
	bad := tracertest.Settings(func(s *settings.Settings) { s.LightScale = math.Inf(1) })
	fx.Frame(v, bad, view.Target{})
	if stats := fx.Frame(v, bad, view.Target{}); stats.NonFinite == 0 {
		t.Error("infinite light went unnoticed")
	}
	if stats := fx.Frame(v, settings.Defaults(), view.Target{}); stats.NonFinite != 0 {
		t.Errorf("%d samples of an image that is gone", stats.NonFinite)
	}
}

// TestDroppedSamplesLeaveWhatWasThere: where a sample that replaces the image is no number, the pixel stays as it was.
func TestDroppedSamplesLeaveWhatWasThere(t *testing.T) {
	fx, v := watched(t, profile.Policy{})
	show := func() []byte {
		pixels := make([]byte, 4*v.Width*v.Height)
		fx.Frame(v, settings.Defaults(), view.Target{Pixels: pixels})
		return pixels
	}
	before := show()
	fx.Device.ChangeFrame = func(f *cuda.Frame) {
		f.Sampling.Flags |= cuda.FrameReplace
		f.Scene.LightScale = float32(math.Inf(1))
	}
	if after := show(); !bytes.Equal(before, after) {
		t.Error("infinite light replaced the image")
	}
}
