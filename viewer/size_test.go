package viewer

import (
	"path/filepath"
	"strings"
	"testing"

	"glint/viewer/session"
)

// TestGivenSizeIsForOnce: a size that was asked for is not that of the next window, unless the user changes it.
func TestGivenSizeIsForOnce(t *testing.T) {
	state := filepath.Join(t.TempDir(), "window.toml")
	for _, c := range []struct{ given, resized, opens, left [2]int }{
		{[2]int{800, 600}, [2]int{}, [2]int{800, 600}, [2]int{defaultWidth, defaultHeight}},
		{[2]int{}, [2]int{900, 500}, [2]int{defaultWidth, defaultHeight}, [2]int{900, 500}},
		{[2]int{640, 480}, [2]int{}, [2]int{640, 480}, [2]int{900, 500}},
		{[2]int{640, 480}, [2]int{700, 510}, [2]int{640, 480}, [2]int{700, 510}},
		{[2]int{}, [2]int{}, [2]int{700, 510}, [2]int{700, 510}},
	} {
		p := openProbe(t, func(o *Options, _ *fake) { o.Width, o.Height, o.state = c.given[0], c.given[1], state })
		is := func(want [2]int) func(a *app) bool {
			return func(a *app) bool {
				w, h := a.display.window.GetSize()
				return [2]int{w, h} == want
			}
		}
		p.until("its size", is(c.opens))
		if c.resized[0] > 0 {
			p.do(func(a *app) { a.display.window.SetSize(c.resized[0], c.resized[1]) })
			p.until("another size", is(c.resized))
		}
		if err := p.quit(); err != nil {
			t.Fatal(err)
		}
		if s, err := readState(state); err != nil || [2]int{s.Width, s.Height} != c.left {
			t.Errorf("%+v: %d×%d is remembered, %v", c, s.Width, s.Height, err)
		}
	}
}

// TestTakeSize: the window takes a size from the panel and stays on the screen, or says that there is no room.
func TestTakeSize(t *testing.T) {
	p := openProbe(t, nil)
	size := func(w, h int) func(a *app) bool {
		return func(a *app) bool {
			m := a.model()
			return m.Size.Width == w && m.Size.Height == h && pictureOf(a.session.Sides.Active).width == w
		}
	}
	p.do(func(a *app) { a.display.window.SetPos(1000, 600) })
	p.do(func(a *app) { a.do(session.TakeSize{Name: "720p"}) })
	p.until("1280×720", size(1280, 720))
	p.until("a place on the screen", func(a *app) bool {
		x, y := a.display.window.GetPos()
		return x == 1600-1280 && y == 1000-720
	})
	p.do(func(a *app) { a.toggleFullscreen() })
	p.until("a full screen", size(1600, 1000))
	p.do(func(a *app) {
		if a.do(session.TakeSize{Name: "4k"}); !strings.Contains(latest(a), "3840 × 2160 does not fit") || !strings.Contains(latest(a), "room for 1600 × 1000") || !strings.Contains(latest(a), "--size 4k") {
			t.Errorf("it says %q", latest(a))
		}
	})
	p.frames(3)
	p.do(func(a *app) {
		if !size(1600, 1000)(a) {
			t.Errorf("it takes %s nevertheless", a.model().Size)
		}
		a.do(session.TakeSize{Name: "720p"})
	})
	p.until("a window", size(1280, 720))
	if err := p.quit(); err != nil {
		t.Fatal(err)
	}
	if s, err := readState(p.app.opts.state); err != nil || s.Width != 1280 || s.Height != 720 {
		t.Errorf("%d×%d is remembered, %v", s.Width, s.Height, err)
	}
}
