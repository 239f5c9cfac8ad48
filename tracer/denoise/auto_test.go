package denoise_test

import (
	"testing"

	"glint/tracer/gpuscene"
	"glint/tracer/schedule"
	"glint/tracer/settings"
	"glint/tracer/tracertest"
	"glint/tracer/view"
)

// TestAutoDenoiser: what a window shows is clean; what is asked for otherwise is as it is.
func TestAutoDenoiser(t *testing.T) {
	for _, row := range []struct {
		view    schedule.Request
		backend string
		room    uint64
		want    string
	}{
		{schedule.Request{Live: true, Window: true}, "cuda", 8 << 30, "learned"},
		{schedule.Request{Live: true, Window: true}, "cuda", 1 << 30, "atrous"},
		{schedule.Request{Live: true, Window: true}, "cpu", 8 << 30, "atrous"},
		{schedule.Request{Live: true}, "cuda", 8 << 30, "off"},
		{schedule.Request{Live: true}, "cpu", 8 << 30, "off"},
		{schedule.Request{Window: true}, "cuda", 8 << 30, "off"},
	} {
		d := tracertest.NewDevice()
		d.Kind, d.Room = row.backend, row.room
		row.view.Width, row.view.Height = 1280, 720
		if got := d.Open(t).Renderer.Engine().Plan(row.view, settings.Defaults()).Settings.Denoise; got != row.want {
			t.Errorf("%+v on %s with %d bytes: %s, want %s", row.view, row.backend, row.room, got, row.want)
		}
	}
}

// TestDenoisingBeginsWithAWholeSample: guides come first in a sample, so that one which is under way when denoising is switched
// on has none, and the picture waits for the next.
func TestDenoisingBeginsWithAWholeSample(t *testing.T) {
	ground, camera := tracertest.Ground(0.5, 40)
	fx := tracertest.OnCPU(t).Use(ground, &gpuscene.Environment{Constant: [3]float32{1, 1, 1}})
	v := schedule.Request{View: view.View{Camera: camera, Width: 96, Height: 96}, Live: true, Budget: 1}
	s := settings.Defaults()
	render := func() view.Stats {
		stats, err := fx.Renderer.Render(v, s, view.Target{})
		if err != nil || stats.DenoiseError != nil {
			t.Fatal(err, stats.DenoiseError)
		}
		return stats
	}
	for render().Samples < 2 {
	}
	cut := 0
	for before := 2; cut == 0; {
		if render().Samples == before { // a call that did not end a sample
			cut = before
		} else {
			before++
		}
	}
	s.Denoise = "atrous"
	for {
		if n := render().Denoised; n > 0 {
			if n < cut+2 {
				t.Errorf("switched on after %d samples and a part, denoised with %d", cut, n)
			}
			return
		}
	}
}

// TestRestingPicturesAreDenoisedLessOften: a window that rests goes on to render.
func TestRestingPicturesAreDenoisedLessOften(t *testing.T) {
	s := settings.Defaults()
	s.Denoise = "atrous"
	ground, camera := tracertest.Ground(0.5, 40)
	fx := tracertest.OnCPU(t).Use(ground, &gpuscene.Environment{Constant: [3]float32{1, 1, 1}})
	v := schedule.Request{View: view.View{Camera: camera, Width: 8, Height: 8}, Live: true, Window: true}
	pictures := map[int]bool{}
	for range 64 {
		stats, err := fx.Renderer.Render(v, s, view.Target{})
		if err != nil || stats.DenoiseError != nil {
			t.Fatal(err, stats.DenoiseError)
		}
		pictures[stats.Denoised] = true
	}
	if n := len(pictures); n < 20 || n > 30 || pictures[0] {
		t.Errorf("%d pictures in 64 samples: %v", n, pictures)
	}
}
