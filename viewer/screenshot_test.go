package viewer

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"glint/tracer/imageio"
	"glint/viewer/hud"
	"glint/viewer/session"
)

// TestShotBetweenTurns: on a CPU two sides take turns, so that one of them has not yet rendered in the window's new size when a
// screenshot of it is asked for.
func TestShotBetweenTurns(t *testing.T) {
	p := openProbe(t, func(o *Options, _ *fake) {
		o.Open, o.Tracer.Backend, o.Width, o.Height, o.Split = session.OpenTracer, "cpu", 320, 240, true
	})
	p.until("two sides", func(a *app) bool {
		return len(a.session.Sides.Sides) == 2 && a.session.Sides.Sides[1].Stats.Samples > 0
	})
	behind := 0
	for n := range 12 {
		width, height := 320+20*n, 240+16*(n%5)
		p.do(func(a *app) {
			a.session.Sides.Compare.Show = session.OneSide
			a.display.window.SetSize(width, height)
		})
		for range 4 {
			p.do(func(a *app) {
				for _, s := range a.session.Sides.Sides {
					a.session.Sides.Active = s
					shot, _, err := a.session.Shot()
					if err != nil {
						t.Errorf("%s: %v", s.Name, err)
						continue
					}
					if size := shot.Rect.Size(); size.X != s.View.Width || size.Y != s.View.Height {
						t.Errorf("%s: %v of %d×%d", s.Name, size, s.View.Width, s.View.Height)
					} else if size.X != a.session.Frames.Rendered.View.Width || size.Y != a.session.Frames.Rendered.View.Height {
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

// TestShotsSayWhatTheyShow: a file, the panel and the caption of a side give one number of samples. Where the denoised picture is older
// than the image, that is its own.
func TestShotsSayWhatTheyShow(t *testing.T) {
	t.Chdir(t.TempDir())
	p := openProbe(t, func(_ *Options, f *fake) { f.behind = 3 })
	p.xdo("key", "x")
	p.until("two sides of more samples than are shown", func(a *app) bool {
		return a.session.Sides.Comparing() && a.session.Sides.Sides[1].Stats.Shown > 0 && a.session.Sides.Sides[0].Stats.Shown > 0
	})
	p.do(func(a *app) {
		a.session.Sides.Compare.Show = session.OneSide
		of := fmt.Sprintf("%d of %d s", a.session.Sides.Active.Stats.Samples-3, a.session.Sides.Active.Stats.Samples)
		m := a.model()
		for what, text := range map[string]string{"title": m.Progress, "status": m.Status[0].Value, "caption": hud.ProgressText(m.Compare.Sides[0])} {
			if !strings.HasPrefix(text, of) {
				t.Errorf("the %s says %q, want %q", what, text, of)
			}
		}
		a.session.Screenshot()
		a.session.Shots.Writes.Wait()
		shots, _ := filepath.Glob(fmt.Sprintf("triangle.*.%04dsamp.png", a.session.Sides.Active.Stats.Samples-3))
		if len(shots) != 1 {
			all, _ := filepath.Glob("*")
			t.Fatalf("%d of %d samples are shown, and the picture is called %v", a.session.Sides.Active.Stats.Samples-3, a.session.Sides.Active.Stats.Samples, all)
		}
		text, err := imageio.ReadPNGText(shots[0])
		if err != nil || !slices.Contains(slices.Collect(maps.Values(text)), strconv.Itoa(a.session.Sides.Active.Stats.Samples-3)) {
			t.Errorf("the picture's text says %v (%v)", text, err)
		}
	})
}
