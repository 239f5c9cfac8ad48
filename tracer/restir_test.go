package tracer_test

import (
	"testing"

	"glint/tracer/builtin"
	"glint/tracer/imageio"
	"glint/tracer/metric"
	"glint/tracer/scene"
	"glint/tracer/settings"
	"glint/tracer/view"
)

// live renders consecutive frames of a view that may move, as the viewer does, and returns the last.
func (st *studio) live(s shot, frames int, camera func(frame int) scene.Camera) *imageio.Image {
	st.t.Helper()
	s.settings.RestirSettle = 1 << 16 // never average: the last frame is wanted
	zoom := max(s.zoom, 1)
	for i := range frames {
		v := view.View{Camera: s.camera, Width: s.width * zoom, Height: s.height * zoom, Live: true}
		if camera != nil {
			v.Camera = camera(i)
		}
		if _, err := st.r.Render(v, s.settings, view.Target{}); err != nil {
			st.t.Fatal(err)
		}
	}
	img, err := st.r.Image().Radiance()
	if err != nil {
		st.t.Fatal(err)
	}
	return shrink(img, zoom)
}

// Frame 30 of a resting view at one path a pixel must be nearer to the truth than plain path tracing, by these factors.
func TestReuseQuality(t *testing.T) {
	for _, row := range []struct {
		scene string
		least float64
	}{{"cornell", 5}} {
		s := made(t, row.scene, builtin.Options{})
		shot := shot{camera: s.DefaultCamera(1), width: 128, height: 128,
			settings: changed(func(o *settings.Settings) { o.Show = "indirect" })}
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

// The cost of each pass on the scene of docs/measurements.md; needs a GPU and GLINT_TEST_SCENE.
func TestReuseCostOnGPU(t *testing.T) {
	s := timedScene(t)
	for _, mis := range []string{"basic", "full"} {
		for _, size := range []int{1200, 400} {
			st := open(t, "cuda").use(s, nil)
			shot := shot{camera: proxyCamera, width: size, height: size, settings: changed(func(o *settings.Settings) {
				o.Integrator, o.RestirMIS, o.Bounces, o.Roulette, o.RestirNeighbours = "restir-gi", mis, 10, false, 2
			})}
			st.live(shot, 10, nil)
			st.timings()
			const frames = 20
			st.live(shot, frames, nil)
			for kernel, ms := range st.timings() {
				t.Logf("%s %d²: %-16s %.3f ms", mis, size, kernel, ms/frames)
			}
		}
	}
}

// proxyCamera is the view of chess_proxy.glb that all its figures are measured in.
var proxyCamera = scene.Camera{Eye: [3]float32{0, 0.35, 2.6}, Target: [3]float32{0, -0.3, 0}, Up: [3]float32{0, 1, 0}, VFov: 50}
