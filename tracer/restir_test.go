package tracer_test

import (
	"os"
	"testing"

	"glint/tracer"
	"glint/tracer/builtin"
	"glint/tracer/imageio"
	"glint/tracer/metric"
	"glint/tracer/scene"
)

// live renders consecutive frames of a view that may move, as the viewer does, and returns the last.
func (st *studio) live(s shot, frames int, camera func(frame int) scene.Camera) *imageio.Image {
	st.t.Helper()
	s.settings.RestirSettle = 1 << 16 // never average: the last frame is wanted
	for i := range frames {
		v := tracer.View{Camera: s.camera, Width: s.width, Height: s.height, Live: true}
		if camera != nil {
			v.Camera = camera(i)
		}
		if _, err := st.r.Render(v, s.settings, tracer.Target{}); err != nil {
			st.t.Fatal(err)
		}
	}
	img, err := st.r.Radiance()
	if err != nil {
		st.t.Fatal(err)
	}
	return img
}

// reuseCase is one way of resampling that must not change the mean (B1 to B4 of docs/restir-gi.md).
type reuseCase struct {
	name   string
	frames int
	runs   int // in the fast version
	change func(*tracer.Settings)
}

func reuseCases() []reuseCase {
	return []reuseCase{
		{"B1 initial", 1, 1024, func(s *tracer.Settings) { s.RestirSpatial = false }},
		{"B2 spatial", 1, 1024, func(*tracer.Settings) {}},
		{"B3 temporal", 5, 512, func(s *tracer.Settings) { s.RestirSpatial = false }},
		{"B4 both", 5, 768, func(*tracer.Settings) {}},
	}
}

// indirectShot is a small picture of light that was scattered twice or more.
func indirectShot(s *scene.Scene) shot {
	return shot{camera: s.DefaultCamera(1), width: 64, height: 64, samples: 64,
		settings: changed(func(o *tracer.Settings) { o.Bounces, o.Show = 4, "indirect" })}
}

// Resampling must leave the mean of independent runs where plain path tracing has it.
func TestReuseIsUnbiased(t *testing.T) {
	scenes := []string{"cornell"}
	if long() {
		scenes = append(scenes, "cornell-glossy", "cornell-sphere-light", "spheres")
	}
	for _, name := range scenes {
		s := made(t, name, builtin.Options{})
		base := indirectShot(s)
		reference := base
		if long() {
			reference.samples = 1024
		}
		want := onFastest(t).use(s, nil).runs(reference, 64, 1000)
		for _, c := range reuseCases() {
			t.Run(name+"/"+c.name, func(t *testing.T) {
				reused := base
				reused.settings.Integrator = "restir-gi"
				c.change(&reused.settings)
				got := reuseRuns(t, s, reused, c)
				checkUnbiased(t, metric.Agreement{A: *got, B: *want})
			})
		}
	}
}

// reuseRuns is independent runs of a case, each with its own history.
func reuseRuns(t *testing.T, s *scene.Scene, reused shot, c reuseCase) *metric.Side {
	st := onFastest(t).use(s, nil)
	side := &metric.Side{}
	n := c.runs
	if long() {
		n = 8192
	}
	for seed := range n {
		reused.settings.Seed = seed + 1
		if err := side.Add(st.live(reused, c.frames, nil)); err != nil {
			t.Fatal(err)
		}
	}
	return side
}

func checkUnbiased(t *testing.T, g metric.Agreement) {
	t.Helper()
	r, err := g.Result()
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%+v", r)
	if err := r.Check(); err != nil {
		t.Error(err)
	}
}

// The demonstration mode 1/M is biased, and the test must see it.
func TestNaiveWeightsAreCaught(t *testing.T) {
	s := made(t, "cornell", builtin.Options{})
	base := indirectShot(s)
	want := onFastest(t).use(s, nil).runs(base, 64, 1000)
	base.settings.Integrator, base.settings.RestirMIS = "restir-gi", "naive"
	got := reuseRuns(t, s, base, reuseCase{frames: 5, runs: 256})
	g := metric.Agreement{A: *got, B: *want}
	r, err := g.Result()
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%+v", r)
	if r.MaxZ < 10 {
		t.Errorf("weights of 1/M pass with max z of %.1f: the test is blind", r.MaxZ)
	}
}

// Frame 30 of a resting view at one path a pixel must be nearer to the truth than plain path tracing, by these factors.
func TestReuseQuality(t *testing.T) {
	for _, row := range []struct {
		scene string
		least float64
	}{{"cornell", 5}} {
		s := made(t, row.scene, builtin.Options{})
		shot := shot{camera: s.DefaultCamera(1), width: 128, height: 128,
			settings: changed(func(o *tracer.Settings) { o.Show = "indirect" })}
		reference := shot
		reference.samples, reference.settings.Seed = 2048, 7
		st := onFastest(t).use(s, nil)
		want := st.take(reference)
		one := shot
		one.samples = 1
		plain := relMSE(t, st.take(one), want)
		shot.settings.Integrator = "restir-gi"
		reused := relMSE(t, st.live(shot, 30, nil), want)
		first := relMSE(t, onFastest(t).use(s, nil).live(shot, 1, nil), want)
		t.Logf("%s: relMSE path %.4f, first frame %.4f (%.1f×), frame 30 %.4f (%.1f×)", row.scene, plain, first, plain/first, reused, plain/reused)
		if plain/reused < row.least || plain/first < 2 {
			t.Errorf("%s: want %.1f× at frame 30 and 2× at the first", row.scene, row.least)
		}
	}
}

func relMSE(t *testing.T, test, reference *imageio.Image) float64 {
	t.Helper()
	e, err := metric.TrimmedRelMSE(test, reference, 0.001)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// The cost of each pass on the scene of docs/anchors.md; needs a GPU and GLINT_TEST_SCENE.
func TestReuseCostOnGPU(t *testing.T) {
	path := os.Getenv("GLINT_TEST_SCENE")
	if path == "" {
		t.Skip("set GLINT_TEST_SCENE on a GPU machine to time the passes")
	}
	s, err := scene.Load(path, scene.Options{Scene: -1})
	if err != nil {
		t.Fatal(err)
	}
	for _, mis := range []string{"basic", "full"} {
		for _, size := range []int{1200, 400} {
			st := open(t, "cuda").use(s, nil)
			shot := shot{camera: proxyCamera, width: size, height: size, settings: changed(func(o *tracer.Settings) {
				o.Integrator, o.RestirMIS, o.Bounces, o.Roulette, o.RestirNeighbours = "restir-gi", mis, 10, false, 2
			})}
			st.live(shot, 10, nil)
			st.r.Timings()
			const frames = 20
			st.live(shot, frames, nil)
			for kernel, ms := range st.r.Timings() {
				t.Logf("%s %d²: %-16s %.3f ms", mis, size, kernel, ms/frames)
			}
		}
	}
}

// proxyCamera is the view of chess_proxy.glb that all its figures are measured in.
var proxyCamera = scene.Camera{Eye: [3]float32{0, 0.35, 2.6}, Target: [3]float32{0, -0.3, 0}, Up: [3]float32{0, 1, 0}, VFov: 50}
