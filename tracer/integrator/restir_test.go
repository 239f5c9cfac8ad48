package integrator_test

import (
	"testing"

	"glint/tracer/builtin"
	"glint/tracer/settings"
	"glint/tracer/tracertest"
)

// Frame 30 of a resting view at one path a pixel must be nearer to the truth than plain path tracing, by these factors.
func TestReuseQuality(t *testing.T) {
	for _, row := range []struct {
		scene string
		least float64
	}{{"cornell", 5}} {
		s := tracertest.Builtin(t, row.scene, builtin.Options{})
		shot := tracertest.Shot{Camera: s.DefaultCamera(1), Width: 64, Height: 64,
			Settings: tracertest.Settings(func(o *settings.Settings) { o.Show = "indirect" })}
		reference := shot
		reference.Samples, reference.Settings.Seed = 256, 7
		fx := tracertest.OnFastest(t).Use(s, nil)
		want := fx.Render(reference)
		one := shot
		one.Samples = 1
		plain := tracertest.RelMSE(t, fx.Render(one), want)
		shot.Settings.Integrator = "restir-gi"
		reused := tracertest.RelMSE(t, fx.RenderLive(shot, 30, nil), want)
		first := tracertest.RelMSE(t, tracertest.OnFastest(t).Use(s, nil).RenderLive(shot, 1, nil), want)
		t.Logf("%s: relMSE path %.4f, first frame %.4f (%.1f×), frame 30 %.4f (%.1f×)", row.scene, plain, first, plain/first, reused, plain/reused)
		if plain/reused < row.least || plain/first < 2 {
			t.Errorf("%s: want %.1f× at frame 30 and 2× at the first", row.scene, row.least)
		}
	}
}

// The cost of each pass on the scene of docs/measurements.md; needs a GPU and GLINT_TEST_SCENE.
func TestReuseCostOnGPU(t *testing.T) {
	s := tracertest.TimedScene(t)
	for _, mis := range []string{"basic", "full"} {
		for _, size := range []int{1200, 400} {
			fx := tracertest.Open(t, "cuda").Use(s, nil)
			shot := tracertest.Shot{Camera: tracertest.ProxyCamera(), Width: size, Height: size, Settings: tracertest.Settings(func(o *settings.Settings) {
				o.Integrator, o.RestirMIS, o.Bounces, o.Roulette, o.RestirNeighbors = "restir-gi", mis, 10, false, 2
			})}
			fx.RenderLive(shot, 10, nil)
			fx.Timings()
			const frames = 20
			fx.RenderLive(shot, frames, nil)
			for kernel, ms := range fx.Timings() {
				t.Logf("%s %d²: %-16s %.3f ms", mis, size, kernel, ms/frames)
			}
		}
	}
}
