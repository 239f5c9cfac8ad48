package viewer

import (
	"fmt"
	"testing"

	"github.com/AllenDang/cimgui-go/imgui"
)

func (r rect) overlaps(other rect) bool {
	return !r.empty() && !other.empty() && r.min.X < other.max.X && other.min.X < r.max.X && r.min.Y < other.max.Y && other.min.Y < r.max.Y
}

// TestNothingOverlaps: whatever is shown, in windows of any size and on displays of any scale, everything has a place of its
// own inside the window.
func TestNothingOverlaps(t *testing.T) {
	for _, size := range []imgui.Vec2{{X: 320, Y: 240}, {X: 640, Y: 400}, {X: 640, Y: 480}, {X: 900, Y: 540}, {X: 1280, Y: 720}, {X: 2560, Y: 1440}} {
		for _, display := range []float32{1, 1.5, 2, 3} {
			for bits := range 32 {
				scale := fitScale(display, size)
				w := wanted{panel: bits&1 != 0, page: bits&2 != 0, help: bits&4 != 0}
				if bits&8 != 0 {
					w.captions = func(rect) float32 { return 70 * scale }
				}
				if bits&16 != 0 {
					w.legend = func(float32) float32 { return 150 * scale }
				}
				l := arrange(size, scale, w)
				name := fmt.Sprintf("%v×%v at %v×, %05b", size.X, size.Y, display, bits)
				checkLayout(t, name, newRect(0, 0, size.X, size.Y), l)
				if (w.panel || w.page) && !w.help && l.panel.empty() && l.page.empty() {
					t.Errorf("%s: neither panel nor page is shown", name)
				}
				if l.messages.width() < 150*scale || l.messages.height() < 30*scale {
					t.Errorf("%s: messages have %v×%v", name, l.messages.width(), l.messages.height())
				}
			}
		}
	}
}

func checkLayout(t *testing.T, name string, window rect, l layout) {
	t.Helper()
	places := map[string]rect{
		"panel": l.panel, "page": l.page, "help": l.help, "captions": l.captions, "legend": l.legend, "messages": l.messages,
	}
	for a, at := range places {
		if !at.empty() && (at.min.X < window.min.X || at.min.Y < window.min.Y || at.max.X > window.max.X || at.max.Y > window.max.Y) {
			t.Errorf("%s: %s runs off the window: %v", name, a, at)
		}
		for b, other := range places {
			if a < b && at.overlaps(other) {
				t.Errorf("%s: %s %v is over %s %v", name, a, at, b, other)
			}
		}
	}
}

// TestNoteHasAPlace: what is drawn before there is anything else stands in the middle of the window.
func TestNoteHasAPlace(t *testing.T) {
	p := openProbe(t, nil)
	p.do(func(a *app) {
		a.hud.at = layout{}
		a.hud.frame(func() {
			a.hud.drawNote("starting the renderer")
			if at := a.hud.at.view.middle(); at.X != 400 || at.Y != 300 {
				t.Errorf("the middle is %v, %v", at.X, at.Y)
			}
		})
	})
}

// TestKeysFitTheWindow: at 1280×720 all keys of a mode are seen at once, and fill most of their place.
func TestKeysFitTheWindow(t *testing.T) {
	p := openProbe(t, func(o *Options, _ *fake) { o.Width, o.Height = 1280, 720 })
	for mode := range modes {
		p.do(func(a *app) {
			a.mode, a.showKeys = mode, true
			for range 4 { // ImGui finds the size of a window
				windowImage(a)
			}
			place, shown := a.hud.at.help, a.hud.covers[len(a.hud.covers)-1]
			if shown.height() >= place.height() || shown.width() < 0.85*place.width() || shown.height() < 0.85*place.height() {
				t.Errorf("%s: keys take %v×%v of %v×%v", mode, shown.width(), shown.height(), place.width(), place.height())
			}
			if part := place.width() * place.height() / (1280 * 720); part < 0.85 {
				t.Errorf("keys may take %.2f of the window", part)
			}
		})
	}
}

// TestPagesHaveRoom: where a page has no room beside the view and little above it, it takes the place of the panel.
func TestPagesHaveRoom(t *testing.T) {
	for _, size := range []imgui.Vec2{{X: 640, Y: 400}, {X: 640, Y: 480}, {X: 800, Y: 600}, {X: 1280, Y: 720}} {
		l := arrange(size, 1, wanted{panel: true, page: true})
		if l.page.height() < pageMinHeight {
			t.Errorf("%v×%v: the page is %v high", size.X, size.Y, l.page.height())
		}
	}
}
