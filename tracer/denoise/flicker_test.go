package denoise_test

import (
	"math"
	"testing"

	"glint/tracer/builtin"
	"glint/tracer/imageio"
	"glint/tracer/scene"
	"glint/tracer/schedule"
	"glint/tracer/settings"
	"glint/tracer/tracertest"
	"glint/tracer/view"
)

// flicker is how much what surfaces look like changes from picture to picture of a live view, relative to their brightness:
// each picture is compared with the one before, moved along by the motion layer, where that shows the same place.
func meanFlicker(fx *tracertest.Fixture, v schedule.Request, s settings.Settings, frames int, camera func(int) scene.Camera) float64 {
	fx.T.Helper()
	v.Layers = true
	var before *imageio.Image
	var beforeAt []float32
	sum, n := 0.0, 0
	shoot(fx, v, s, frames, camera, func(i int, img *imageio.Image) {
		layers, err := fx.Renderer.Image().Layers()
		if err != nil {
			fx.T.Fatal(err)
		}
		byName := map[string][]float32{}
		for _, l := range layers {
			byName[l.Name] = l.Pix
		}
		at, motion := byName["position"], byName["motion"]
		for p := 0; i >= frames/2 && p < v.Width*v.Height; p++ {
			q, ok := placeAmong(v, motion, p)
			if !ok || apart(at, p, beforeAt, q) > 0.05 {
				continue
			}
			now, then := img.Pix[3*p+1], before.Pix[3*q+1]
			sum += math.Abs(float64(now-then)) / float64(0.5*(now+then)+0.01)
			n++
		}
		before, beforeAt = img, at
	})
	return sum / float64(max(n, 1))
}

// placeAmong is the pixel that shows in the picture before what pixel p shows.
func placeAmong(v schedule.Request, motion []float32, p int) (int, bool) {
	x := int(math.Round(float64(p%v.Width) - float64(motion[2*p])))
	y := int(math.Round(float64(p/v.Width) - float64(motion[2*p+1])))
	return y*v.Width + x, x >= 0 && y >= 0 && x < v.Width && y < v.Height
}

func apart(a []float32, p int, b []float32, q int) float64 {
	d := 0.0
	for c := range 3 {
		d += float64((a[3*p+c] - b[3*q+c]) * (a[3*p+c] - b[3*q+c]))
	}
	return math.Sqrt(d)
}

// TestFlicker: at one sample a frame, the pictures of a still view and of a slow orbit change from one to the next at most half
// as much as those do that OIDN denoises each by itself.
func TestFlicker(t *testing.T) {
	tracertest.NeedsOIDN(t)
	s := tracertest.Builtin(t, "cornell", builtin.Options{})
	v := schedule.Request{View: view.View{Camera: s.DefaultCamera(4.0 / 3), Width: 96, Height: 72}}
	for _, seen := range []struct {
		name   string
		camera func(int) scene.Camera
	}{{"still", nil}, {"orbit", func(i int) scene.Camera { return tracertest.Orbited(v.Camera, 0.25*float64(i)) }}} {
		of := func(denoise string, history bool) float64 {
			return meanFlicker(tracertest.OnCPU(t).Use(s, nil), v, filtering(func(s *settings.Settings) { s.Denoise, s.DenoiseHistory = denoise, history }), 16, seen.camera)
		}
		single := of("oidn", false)
		for _, name := range []string{"oidn", "atrous"} {
			steady := of(name, true)
			t.Logf("%s: %s changes by %.2f %%, OIDN without history by %.2f %%: %.2f", seen.name, name, 100*steady, 100*single, steady/single)
			if !(steady <= single/2) {
				t.Errorf("%s: %s changes by %.2f %%, OIDN without history by %.2f %%: want half at most", seen.name, name, 100*steady, 100*single)
			}
		}
	}
}

// TestHistoryBringsTheErrorDown: after eight frames of one sample the picture is nearer to the truth than after one.
func TestHistoryBringsTheErrorDown(t *testing.T) {
	s := tracertest.Builtin(t, "cornell", builtin.Options{})
	v := schedule.Request{View: view.View{Camera: s.Cameras[0], Width: 64, Height: 48}}
	truth := tracertest.OnFastest(t).Use(s, nil).Render(tracertest.Shot{Camera: v.Camera, Width: v.Width, Height: v.Height, Samples: 512,
		Settings: tracertest.Settings(func(s *settings.Settings) { s.Integrator, s.Seed = "path", 7 })})
	denoisers(t, func(t *testing.T, name string) {
		own := filtering(func(s *settings.Settings) { s.Denoise = name })
		for what, camera := range map[string]func(int) scene.Camera{
			"resting": nil,
			"moving":  func(i int) scene.Camera { return tracertest.Orbited(v.Camera, 0.5*float64(i-7)) },
		} {
			var first float64
			last := shoot(tracertest.OnCPU(t).Use(s, nil), v, own, 8, camera, nil)
			first = tracertest.RelMSE(t, shoot(tracertest.OnCPU(t).Use(s, nil), v, own, 1, nil, nil), truth)
			after := tracertest.RelMSE(t, last, truth)
			t.Logf("%s: relMSE %.4f after one frame, %.4f after eight", what, first, after)
			if !(after < 0.85*first) {
				t.Errorf("%s: relMSE %.4f after one frame, %.4f after eight", what, first, after)
			}
		}
	})
}
