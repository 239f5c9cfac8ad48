package integrator_test

import (
	"slices"
	"testing"

	"glint/cuda"
	"glint/tracer/builtin"
	"glint/tracer/imageio"
	"glint/tracer/schedule"
	"glint/tracer/settings"
	"glint/tracer/tracertest"
	"glint/tracer/view"
)

// pathsShot is a frame of some paths of each pixel: of a room with a glossy coat, where not all of them come to the same x1.
func pathsShot(t *testing.T, change func(*settings.Settings)) (*tracertest.Fixture, tracertest.Shot) {
	t.Helper()
	s := tracertest.Builtin(t, "cornell-glossy", builtin.Options{})
	v := tracertest.Shot{Camera: s.DefaultCamera(1), Width: 48, Height: 48, Samples: 6, Paths: 3, Settings: tracertest.Settings(func(o *settings.Settings) {
		o.Integrator, o.RestirPaths, o.Bounces = "restir", 3, 5
		change(o)
	})}
	return tracertest.OnCPU(t).Use(s, tracertest.Dark()), v
}

// TestPathsOfAFrameOnEngines: whatever traces the paths of a frame, and wherever their camera rays come from, gives the same bits.
func TestPathsOfAFrameOnEngines(t *testing.T) {
	fx, v := pathsShot(t, func(*settings.Settings) {})
	for _, integrator := range []string{"restir", "restir-gi"} {
		v.Settings.Integrator, v.Settings.Exec = integrator, "megakernel"
		want := fx.Render(v)
		v.Settings.Exec = "wavefront"
		for _, compaction := range []string{"off", "atomic", "scan"} {
			v.Settings.Compaction = compaction
			if got := fx.Render(v); !slices.Equal(got.Pix, want.Pix) {
				t.Errorf("%s, compaction %s: other bits than of the megakernel", integrator, compaction)
			}
		}
	}
}

// TestPathsOfAFrameAreCounted: they are samples like any others once their frame is whole, and not in the picture before.
func TestPathsOfAFrameAreCounted(t *testing.T) {
	fx, v := pathsShot(t, func(*settings.Settings) {})
	at := schedule.Request{View: view.View{Camera: v.Camera, Width: v.Width, Height: v.Height}, DeferReuse: true}
	for n := 1; n <= 7; n++ {
		stats := fx.Frame(at, v.Settings, view.Target{})
		if stats.Samples != n {
			t.Errorf("%d samples after call %d", stats.Samples, n)
		}
		weight := tracertest.ReadBuffer[[4]float32](t, fx.Device, fx.Device.FrameOf(cuda.InitialSamples).Film.Accumulation)[0][3]
		if want := float32(n / 3 * 3); weight != want { // the most that restir-paths lets one frame have
			t.Errorf("the film holds %v samples after %d, want %v", weight, n, want)
		}
	}
}

// TestFrameCutShort: paths of a frame that was not completed leave no trace in a picture of something else.
func TestFrameCutShort(t *testing.T) {
	fx, v := pathsShot(t, func(*settings.Settings) {})
	want := fx.Render(v)
	fx.Restart()
	other := v.Camera
	other.Eye[0] += 0.1
	fx.Frame(schedule.Request{View: view.View{Camera: other, Width: v.Width, Height: v.Height}, DeferReuse: true}, v.Settings, view.Target{})
	if got := fx.Render(v); !slices.Equal(got.Pix, want.Pix) {
		t.Error("the picture after a frame that was cut short differs from the one without")
	}
}

// TestPathsPartAtACoat: of the paths of a frame some are mirrored by a smooth coat and some go on under it. Each counts for what it is.
func TestPathsPartAtACoat(t *testing.T) {
	coated := tracertest.Matte(0.5)
	coated.Specular, coated.Roughness = 1, 0
	s, camera := mirrorOnFloor(coated)
	v := tracertest.Shot{Camera: camera, Width: 64, Height: 64, Samples: 4, Settings: tracertest.Settings(func(o *settings.Settings) {
		o.Bounces, o.Roulette, o.RestirRadius, o.RestirPaths = 3, false, tracertest.ReuseRadius(6, 64), 3
	})}
	fx := tracertest.OnBestBackend(t).Use(s, tracertest.Dark())
	got := biasRun{least: 64, most: 64, b: fx.RenderSide(v, agreementRuns, naiveSeed)}
	v.Settings.Integrator, v.Samples, v.Paths = "restir", 3, 3
	got.render(t, func(seed int) *imageio.Image {
		v.Settings.Seed = seed
		return fx.Render(v)
	})
	got.check(t, 0.002)
}
