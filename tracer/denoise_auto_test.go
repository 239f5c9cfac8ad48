package tracer_test

import (
	"testing"

	"glint/tracer"
	"glint/tracer/settings"
	"glint/tracer/view"
)

// TestAutoDenoiser: what a window shows while it moves is clean where that costs little; what is asked for otherwise is as it is.
func TestAutoDenoiser(t *testing.T) {
	for _, row := range []struct {
		view    view.View
		backend string
		want    string
	}{
		{view.View{Live: true, Window: true}, "cuda", "atrous"},
		{view.View{Live: true, Window: true}, "cpu", "off"},
		{view.View{Live: true}, "cuda", "off"},
		{view.View{Window: true}, "cuda", "off"},
	} {
		if got := tracer.AutoDenoiser(row.view, row.backend); got != row.want {
			t.Errorf("%+v on %s: %s, want %s", row.view, row.backend, got, row.want)
		}
	}
}

// TestPicturesAreDenoisedLessOften the longer a window rests, and never skipped where each call is asked for.
func TestPicturesAreDenoisedLessOften(t *testing.T) {
	for _, row := range []struct {
		samples           int
		rests, background bool
		want              int
	}{
		{0, true, false, 1}, {7, true, false, 8}, {16, true, false, 18}, {800, true, false, 900},
		{0, true, true, 0}, {8, true, true, 16}, {800, false, false, 801},
	} {
		if got := tracer.NextPicture(row.samples, row.rests, row.background); got != row.want {
			t.Errorf("%+v: again with %d", row, got)
		}
	}
	s := settings.Defaults()
	s.Denoise = "atrous"
	ground, camera := ground(0.5, 40)
	st := onCPU(t).use(ground, &tracer.Environment{Constant: [3]float32{1, 1, 1}})
	v := view.View{Camera: camera, Width: 8, Height: 8, Live: true, Window: true}
	pictures := map[int]bool{}
	for range 64 {
		stats, err := st.r.Render(v, s, view.Target{})
		if err != nil || stats.Undenoised != nil {
			t.Fatal(err, stats.Undenoised)
		}
		pictures[stats.Denoised] = true
	}
	if n := len(pictures); n < 20 || n > 30 || pictures[0] {
		t.Errorf("%d pictures in 64 samples: %v", n, pictures)
	}
}

// TestDenoisingBeginsWithAWholeSample: guides come first in a sample, so that one which is under way when denoising is switched
// on has none, and the picture waits for the next.
func TestDenoisingBeginsWithAWholeSample(t *testing.T) {
	ground, camera := ground(0.5, 40)
	st := onCPU(t).use(ground, &tracer.Environment{Constant: [3]float32{1, 1, 1}})
	v := view.View{Camera: camera, Width: 96, Height: 96, Live: true, Budget: 1}
	s := settings.Defaults()
	render := func() view.Stats {
		stats, err := st.r.Render(v, s, view.Target{})
		if err != nil || stats.Undenoised != nil {
			t.Fatal(err, stats.Undenoised)
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
