package tracer_test

import (
	"slices"
	"testing"

	"glint/tracer/builtin"
	"glint/tracer/imageio"
	"glint/tracer/metric"
	"glint/tracer/schedule"
	"glint/tracer/settings"
	"glint/tracer/tracertest"
	"glint/tracer/view"
)

// film renders pictures of a resting view by their numbers, one sample each.
func filmFrames(fx *tracertest.Fixture, v schedule.Request, s settings.Settings, numbers ...int) []*imageio.Image {
	fx.T.Helper()
	pictures := make([]*imageio.Image, len(numbers))
	for i, n := range numbers {
		v.Frame = n
		fx.Frame(v, s, view.Target{})
		var err error
		if pictures[i], err = fx.Renderer.Image().Radiance(); err != nil {
			fx.T.Fatal(err)
		}
	}
	return pictures
}

// TestFilmPictures: each picture of a film has noise of its own, the same whatever came before, unless light is carried over.
func TestFilmPictures(t *testing.T) {
	fx := tracertest.OnCPU(t)
	s := tracertest.Builtin(t, "cornell", builtin.Options{})
	fx.Use(s, tracertest.Dark())
	v := schedule.Request{View: view.View{Camera: s.Cameras[0], Width: 48, Height: 48}, Live: true}
	path := tracertest.Settings(func(s *settings.Settings) { s.Integrator = "path" })
	all, alone := filmFrames(fx, v, path, 0, 1, 2, 3), filmFrames(fx, v, path, 2)
	if slices.Equal(all[1].Pix, all[2].Pix) {
		t.Error("the noise of two pictures is the same")
	}
	if !slices.Equal(all[2].Pix, alone[0].Pix) {
		t.Error("a picture depends on those before it")
	}
	path.Show = "indirect"
	want := fx.Render(tracertest.Shot{Camera: v.Camera, Width: 48, Height: 48, Samples: 256, Settings: path})
	shared := filmFrames(fx, v, tracertest.Settings(func(s *settings.Settings) { s.Integrator, s.Show = "restir-gi", "indirect" }), 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12)
	first, last := trimmedError(t, shared[0], want), trimmedError(t, shared[len(shared)-1], want)
	t.Logf("error %.4f of the first picture, %.4f of the last", first, last)
	if !(last < 0.85*first) {
		t.Errorf("error %.4f of the first picture, %.4f of the last: nothing was carried over", first, last)
	}
}

func trimmedError(t *testing.T, img, want *imageio.Image) float64 {
	t.Helper()
	e, err := metric.TrimmedRelMSE(img, want, 0.001)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// TestDevelop: a linear picture shows as the film would show it, and what was accumulated stays.
func TestDevelop(t *testing.T) {
	fx := tracertest.OnCPU(t)
	s := tracertest.Builtin(t, "cornell", builtin.Options{})
	fx.Use(s, tracertest.Dark())
	seen := tracertest.Shot{Camera: s.Cameras[0], Width: 24, Height: 16, Samples: 3, Settings: tracertest.Settings(func(o *settings.Settings) { o.Exposure = -1 })}
	v := schedule.Request{View: view.View{Camera: seen.Camera, Width: 24, Height: 16}}
	taken := fx.Render(seen)
	film, err := fx.Renderer.Image().Picture(v, seen.Settings)
	if err != nil {
		t.Fatal(err)
	}
	black := &imageio.Image{Width: 24, Height: 16, Pix: make([]float32, len(taken.Pix))}
	if dark, _, err := fx.Renderer.Image().Display(black, seen.Settings); err != nil || dark.Pix[0] != 0 || dark.Pix[3] != 255 {
		t.Errorf("black shows as %v, %v", dark.Pix[:4], err)
	}
	developed, _, err := fx.Renderer.Image().Display(taken, seen.Settings)
	if err != nil || !slices.Equal(developed.Pix, film.Pix) {
		t.Errorf("developed otherwise than by the film: %v", err)
	}
	if again, err := fx.Renderer.Image().Radiance(); err != nil || !slices.Equal(again.Pix, taken.Pix) {
		t.Errorf("what was accumulated has changed: %v", err)
	}
	if _, _, err := fx.Renderer.Image().Display(&imageio.Image{Width: 1, Height: 1, Pix: make([]float32, 3)}, seen.Settings); err == nil {
		t.Error("a picture of another size was taken")
	}
}
