package viewer

import (
	"os"
	"testing"
)

// TestInteropOnGPU needs a display whose windows the NVIDIA driver draws.
func TestInteropOnGPU(t *testing.T) {
	if os.Getenv(keepDisplay) == "" {
		t.Skipf("set %s=1 on a GPU machine with a display to test interop", keepDisplay)
	}
	p := openProbe(t, func(o *Options, _ *fake) {
		o.open, o.Tracer.Backend, o.Width, o.Height = openTracer, "cuda", 1280, 720
	})
	p.until("samples", func(a *app) bool { return a.stats.Samples > 100 })
	p.do(func(a *app) {
		if !a.screen.attached {
			t.Errorf("interop is not active: %s", a.screen.copyWhy)
		}
		ms, rate := a.history.recent()
		t.Logf("%s, %.2f ms a frame of which rendering %.2f, %.0f Mpaths/s", a.device.Backend().Device, ms, a.stats.Elapsed.Seconds()*1e3, rate/1e6)
		if a.stats.NonFinite > 0 {
			t.Errorf("%d samples were not finite", a.stats.NonFinite)
		}
		compareWithFilm(t, a)
	})
}

// compareWithFilm checks that the window shows what film makes of the same samples.
func compareWithFilm(t *testing.T, a *app) {
	film, err := a.device.Film(a.rendered.view, a.rendered.settings)
	if err != nil {
		t.Errorf("film: %v", err)
		return
	}
	lit := 0
	for y := 5; y < film.Rect.Dy(); y += 97 {
		for x := 5; x < film.Rect.Dx(); x += 101 {
			want, got := film.NRGBAAt(x, y), pixel(a, x, y)
			for i, c := range [3]byte{want.R, want.G, want.B} {
				if d := int(c) - int(got[i]); d < -1 || d > 1 {
					t.Errorf("pixel %d,%d is %v in the window, %v on film", x, y, got, want)
					break
				}
			}
			if want.R > 0 {
				lit++
			}
		}
	}
	if lit == 0 {
		t.Error("the image is black")
	}
}
