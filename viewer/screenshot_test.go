package viewer

import (
	"strings"
	"testing"
	"time"
)

func TestShotName(t *testing.T) {
	at := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
	for scene, want := range map[string]string{
		"duck.glb":               "duck.20260304-050607.0042samp",
		"/a/b/old.duck.glb":      "old.duck.20260304-050607.0042samp",
		"what? a:b":              "what_ a_b.20260304-050607.0042samp",
		"":                       "scene.20260304-050607.0042samp",
		"..":                     "scene.20260304-050607.0042samp",
		"a\x1b[2J\u009bb\x7f":    "a_[2J_b_.20260304-050607.0042samp",
		strings.Repeat("é", 300): strings.Repeat("é", longestBase) + ".20260304-050607.0042samp",
	} {
		if got := shotName(scene, at, 42); got != want {
			t.Errorf("%q: %s, want %s", scene, got, want)
		}
	}
	if got := shotName("x", at, 123456); got != "x.20260304-050607.123456samp" {
		t.Error(got)
	}
}

// TestShotBetweenTurns: on a CPU two sides take turns, so that one of them has not yet rendered in the window's new size when a
// screenshot of it is asked for.
func TestShotBetweenTurns(t *testing.T) {
	p := openProbe(t, func(o *Options, _ *fake) {
		o.open, o.Tracer.Backend, o.Width, o.Height, o.Split = openTracer, "cpu", 320, 240, true
	})
	p.until("two sides", func(a *app) bool { return len(a.sides) == 2 && a.sides[1].stats.Samples > 0 })
	behind := 0
	for n := range 12 {
		width, height := 320+20*n, 240+16*(n%5)
		p.do(func(a *app) {
			a.compare.show = oneSide
			a.window.SetSize(width, height)
		})
		for range 4 {
			p.do(func(a *app) {
				for _, s := range a.sides {
					a.active = s
					shot, err := a.shot()
					if err != nil {
						t.Errorf("%s: %v", s.name, err)
						continue
					}
					if size := shot.Rect.Size(); size.X != s.view.Width || size.Y != s.view.Height {
						t.Errorf("%s: %v of %d×%d", s.name, size, s.view.Width, s.view.Height)
					} else if size.X != a.rendered.view.Width || size.Y != a.rendered.view.Height {
						behind++
					}
				}
			})
		}
	}
	if behind == 0 {
		t.Error("no side was ever behind: this test sees nothing")
	}
}

// TestShotsSayWhatTheyShow: where the denoised picture is older than the image, its own number of samples.
func TestShotsSayWhatTheyShow(t *testing.T) {
	p := openProbe(t, nil)
	p.do(func(a *app) {
		a.active.settings.Denoise, a.active.stats.Samples, a.active.stats.Denoised = "atrous", 7, 4
		if got := a.shownSamples(); got != 4 {
			t.Errorf("denoised: %d samples, want 4", got)
		}
		a.active.settings.AOVView = "normal"
		if got := a.shownSamples(); got != 7 {
			t.Errorf("normals: %d samples, want 7", got)
		}
		a.active.settings.AOVView, a.active.settings.Denoise = "off", "off"
		if got := a.shownSamples(); got != 7 {
			t.Errorf("not denoised: %d samples, want 7", got)
		}
	})
}
