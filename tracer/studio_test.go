package tracer_test

import (
	"errors"
	"os"
	"runtime"
	"testing"

	"glint/tracer"
	"glint/tracer/builtin"
	"glint/tracer/imageio"
	"glint/tracer/metric"
	"glint/tracer/scene"
	"glint/tracer/settings"
	"glint/tracer/view"
)

// long says that the full versions of the tests were asked for: GLINT_LONG=1, with -timeout 2h on a CPU.
func long() bool { return os.Getenv("GLINT_LONG") == "1" }

// besides lets a subtest run beside others: its pictures are too small to keep all cores busy. The full versions leave the
// GPU to one test at a time.
func besides(t *testing.T) {
	if !long() {
		t.Parallel()
	}
}

// studio renders one scene for a test and fails it on any error or any sample that is not a number.
type studio struct {
	t testing.TB
	r *tracer.Renderer
}

// onCPU is a studio on the CPU backend.
func onCPU(t testing.TB) *studio { return open(t, "cpu") }

// onFastest takes the GPU where there is one: for tests whose result does not depend on the backend.
func onFastest(t testing.TB) *studio { return open(t, "auto") }

// onBest is a studio on the CPU backend, and in the full versions on the fastest.
func onBest(t testing.TB) *studio {
	if long() {
		return onFastest(t)
	}
	return onCPU(t)
}

// open makes a studio for the goroutine of one test (a GPU's context belongs to its thread): subtests open their own.
func open(t testing.TB, backend string) *studio {
	t.Helper()
	runtime.LockOSThread()
	t.Cleanup(runtime.UnlockOSThread)
	r, err := tracer.Open(tracer.Options{Backend: backend})
	if err != nil {
		t.Fatalf("open %s: %v", backend, err)
	}
	return newStudio(t, r)
}

func newStudio(t testing.TB, r *tracer.Renderer) *studio {
	t.Cleanup(func() {
		if err := r.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return &studio{t: t, r: r}
}

// use shows the studio another scene; env nil leaves the light to the scene.
func (st *studio) use(s *scene.Scene, env *tracer.Environment) *studio {
	st.t.Helper()
	p, err := tracer.Prepare(s, env, nil)
	if err != nil {
		st.t.Fatal(err)
	}
	if err := errors.Join(st.r.Use(p), st.r.Settle()); err != nil {
		st.t.Fatal(err)
	}
	return st
}

// shot is one picture to take.
type shot struct {
	camera        scene.Camera
	width, height int
	samples       int
	settings      settings.Settings
	// zoom renders each pixel as zoom×zoom smaller ones and averages them: the same picture, but enough work for a GPU.
	// 0 is 1.
	zoom int
}

// take renders the shot from its first sample on.
func (st *studio) take(s shot) *imageio.Image {
	st.t.Helper()
	zoom := max(s.zoom, 1)
	v := view.View{Camera: s.camera, Width: s.width * zoom, Height: s.height * zoom}
	for range s.samples {
		if _, err := st.r.Render(v, s.settings, view.Target{}); err != nil {
			st.t.Fatal(err)
		}
	}
	img, err := st.r.Radiance()
	if err != nil {
		st.t.Fatal(err)
	}
	counters, err := st.r.Counters()
	if err != nil {
		st.t.Fatal(err)
	}
	if counters.NonFinite != 0 {
		st.t.Errorf("%d samples were not finite", counters.NonFinite)
	}
	return shrink(img, zoom)
}

// runs is what n independent renderings of a shot say; their seeds begin at seed.
func (st *studio) runs(s shot, n, seed int) *metric.Side {
	return st.runsOf(s, n, seed, func(*imageio.Image) {})
}

// runsOf shows each of the renderings to look.
func (st *studio) runsOf(s shot, n, seed int, look func(*imageio.Image)) *metric.Side {
	st.t.Helper()
	side := &metric.Side{}
	for i := range n {
		s.settings.Seed = seed + i
		img := st.take(s)
		look(img)
		if err := side.Add(img); err != nil {
			st.t.Fatal(err)
		}
	}
	return side
}

// shrink averages blocks of n×n pixels.
func shrink(img *imageio.Image, n int) *imageio.Image {
	if n == 1 {
		return img
	}
	out := &imageio.Image{Width: img.Width / n, Height: img.Height / n}
	out.Pix = make([]float32, 3*out.Width*out.Height)
	for y := range out.Height * n {
		for x := range out.Width * n {
			from, to := 3*(y*img.Width+x), 3*(y/n*out.Width+x/n)
			for c := range 3 {
				out.Pix[to+c] += img.Pix[from+c] / float32(n*n)
			}
		}
	}
	return out
}

// meanOf is the mean colour of a rectangle of pixels.
func meanOf(img *imageio.Image, x0, y0, width, height int) [3]float64 {
	var sum [3]float64
	for y := y0; y < y0+height; y++ {
		for x := x0; x < x0+width; x++ {
			for c := range 3 {
				sum[c] += float64(img.Pix[3*(y*img.Width+x)+c]) / float64(width*height)
			}
		}
	}
	return sum
}

// meanImage is the mean colour of a picture.
func meanImage(img *imageio.Image) [3]float64 { return meanOf(img, 0, 0, img.Width, img.Height) }

// made is a built-in scene.
func made(t testing.TB, name string, o builtin.Options) *scene.Scene {
	t.Helper()
	s, err := builtin.Make(name, o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// changed are the default settings with a change.
func changed(change func(*settings.Settings)) settings.Settings {
	s := settings.Defaults()
	change(&s)
	return s
}

// constant is an environment of one radiance, nit.
func constant(radiance float32) *tracer.Environment {
	return &tracer.Environment{Constant: [3]float32{radiance, radiance, radiance}}
}

// dark is an environment without light.
func dark() *tracer.Environment { return &tracer.Environment{} }

// timedScene is the scene that costs are measured on: GLINT_TEST_SCENE, on a GPU machine. Without it the test is skipped.
func timedScene(t *testing.T) *scene.Scene {
	t.Helper()
	path := os.Getenv("GLINT_TEST_SCENE")
	if path == "" {
		t.Skip("set GLINT_TEST_SCENE on a GPU machine to measure what this costs")
	}
	s, err := scene.Load(path, scene.Options{Scene: -1})
	if err != nil {
		t.Fatal(err)
	}
	return s
}
