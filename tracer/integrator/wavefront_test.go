package integrator_test

import (
	"math"
	"slices"
	"testing"
	"time"

	"glint/tracer/builtin"
	"glint/tracer/profile"
	"glint/tracer/schedule"
	"glint/tracer/settings"
	"glint/tracer/tracertest"
	"glint/tracer/view"
)

// engines are the ways in which paths may be traced. All must give the same picture.
func engines() map[string]func(*settings.Settings) {
	return map[string]func(*settings.Settings){
		"regeneration":           func(s *settings.Settings) { s.Exec = "regeneration" },
		"wavefront":              func(s *settings.Settings) { s.Exec = "wavefront" },
		"wavefront, scan":        func(s *settings.Settings) { s.Exec, s.Compaction = "wavefront", "scan" },
		"wavefront, by material": func(s *settings.Settings) { s.Exec, s.Sort = "wavefront", "key" },
		"wavefront, by class":    func(s *settings.Settings) { s.Exec, s.Sort, s.Compaction = "wavefront", "class", "scan" },
		"wavefront, sorted, no compaction": func(s *settings.Settings) {
			s.Exec, s.Sort, s.Compaction = "wavefront", "key", "off"
		},
		"wavefront, no compaction": func(s *settings.Settings) { s.Exec, s.Compaction = "wavefront", "off" },
	}
}

// samePicture: bit for bit on a processor, where all engines trace through the same tree. On a GPU a few rays in a million
// that graze an edge hit its other side in another tree.
func samePicture(fx *tracertest.Fixture, got, want []float32) bool {
	if fx.Renderer.Engine().Backend().Kind == "cpu" {
		return slices.Equal(got, want)
	}
	far := 0
	for i, x := range got {
		if math.Abs(float64(x-want[i])) > 1e-4*math.Abs(float64(want[i])) {
			far++
		}
	}
	return far*1000 <= len(want)
}

// TestEnginesGiveTheSamePicture: how paths are traced must not show, whatever the size of the image.
func TestEnginesGiveTheSamePicture(t *testing.T) {
	for _, name := range []string{"cornell", "spheres", "mixed-reflection", "chess"} {
		s := tracertest.Builtin(t, name, builtin.Options{})
		fx := tracertest.OnFastest(t).Use(s, nil)
		for _, integrator := range []string{"naive", "path", "restir-gi", "restir"} {
			v := tracertest.Shot{Camera: s.Cameras[0], Width: 50, Height: 37, Samples: 3,
				Settings: tracertest.Settings(func(o *settings.Settings) { o.Integrator = integrator })}
			for _, engine := range othersThanMegakernel(fx, v) {
				t.Errorf("%s by %s: %s gives another picture than the megakernel", name, integrator, engine)
			}
		}
	}
}

// othersThanMegakernel are the engines that give another picture of a view than the megakernel does.
func othersThanMegakernel(fx *tracertest.Fixture, v tracertest.Shot) []string {
	fx.T.Helper()
	v.Settings.Exec = "megakernel"
	want := fx.Render(v)
	var others []string
	for name, change := range engines() {
		by := v
		change(&by.Settings)
		if got := fx.Render(by); !samePicture(fx, got.Pix, want.Pix) {
			others = append(others, name)
		}
	}
	return others
}

// TestEngineCostOnGPU times both engines on the scene of docs/measurements.md; needs a GPU and GLINT_TEST_SCENE.
func TestEngineCostOnGPU(t *testing.T) {
	s := tracertest.TimedScene(t)
	fx := tracertest.Open(t, "cuda").Use(s, nil)
	for _, roulette := range []bool{false, true} {
		for _, size := range []int{1200, 400} {
			for _, engine := range []string{"megakernel", "wavefront"} {
				timeEngine(fx, size, roulette, engine)
			}
		}
	}
}

func timeEngine(fx *tracertest.Fixture, size int, roulette bool, engine string) {
	for _, integrator := range []string{"path", "restir-gi", "restir"} {
		v := tracertest.Shot{Camera: tracertest.ProxyCamera(), Width: size, Height: size, Settings: tracertest.Settings(func(o *settings.Settings) {
			o.Integrator, o.RestirMIS, o.Bounces, o.Roulette, o.RestirNeighbors = integrator, "basic", 10, roulette, 2
			o.Exec = engine
		})}
		const frames = 20
		fx.RenderLive(v, 10, nil)
		fx.Timings()
		fx.RenderLive(v, frames, nil)
		total := 0.0
		for kernel, ms := range fx.Timings() {
			total += ms / frames
			if ms/frames > 0.02 {
				fx.T.Logf("%d², roulette %v, %s, %s: %-16s %.3f ms", size, roulette, integrator, engine, kernel, ms/frames)
			}
		}
		fx.T.Logf("%d², roulette %v, %s, %s: %.3f ms in all kernels, %.3f ms a whole frame",
			size, roulette, integrator, engine, total, wholeFrames(fx, v))
	}
}

// wholeFrames is the time of a frame of which nothing is timed, by the wall, ms.
func wholeFrames(fx *tracertest.Fixture, seen tracertest.Shot) float64 {
	const frames = 100
	fx.Renderer.SetProfilePolicy(profile.Policy{})
	defer fx.Renderer.SetProfilePolicy(profile.Policy{TimeEvery: 1})
	seen.Settings.RestirSettle = 1 << 16 // share history all the time
	fx.RenderLive(seen, 10, nil)
	v := schedule.Request{View: view.View{Camera: seen.Camera, Width: seen.Width, Height: seen.Height}, Live: true}
	start := time.Now()
	for range frames {
		if _, err := fx.Renderer.Render(v, seen.Settings, view.Target{}); err != nil {
			fx.T.Fatal(err)
		}
	}
	if err := fx.Renderer.Finish(); err != nil {
		fx.T.Fatal(err)
	}
	return float64(time.Since(start)) / frames / 1e6
}
