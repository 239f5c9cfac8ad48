package hud

import (
	"fmt"
	"testing"

	"github.com/AllenDang/cimgui-go/imgui"
)

func (r Rect) overlaps(other Rect) bool {
	return !r.Empty() && !other.Empty() && r.Min.X < other.Max.X && other.Min.X < r.Max.X && r.Min.Y < other.Max.Y && other.Min.Y < r.Max.Y
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
					w.captions = func(Rect) float32 { return 70 * scale }
				}
				if bits&16 != 0 {
					w.legend = func(float32) float32 { return 150 * scale }
				}
				l := arrange(size, scale, w)
				name := fmt.Sprintf("%v×%v at %v×, %05b", size.X, size.Y, display, bits)
				checkLayout(t, name, NewRect(0, 0, size.X, size.Y), l)
				if (w.panel || w.page) && !w.help && l.Panel.Empty() && l.Page.Empty() {
					t.Errorf("%s: neither panel nor page is shown", name)
				}
				if l.messages.Width() < 150*scale || l.messages.Height() < 30*scale {
					t.Errorf("%s: messages have %v×%v", name, l.messages.Width(), l.messages.Height())
				}
			}
		}
	}
}

func checkLayout(t *testing.T, name string, window Rect, l Layout) {
	t.Helper()
	places := map[string]Rect{
		"panel": l.Panel, "page": l.Page, "help": l.Help, "captions": l.captions, "legend": l.legend, "messages": l.messages,
	}
	for a, at := range places {
		if !at.Empty() && (at.Min.X < window.Min.X || at.Min.Y < window.Min.Y || at.Max.X > window.Max.X || at.Max.Y > window.Max.Y) {
			t.Errorf("%s: %s runs off the window: %v", name, a, at)
		}
		for b, other := range places {
			if a < b && at.overlaps(other) {
				t.Errorf("%s: %s %v is over %s %v", name, a, at, b, other)
			}
		}
	}
}

// TestPagesHaveRoom: where a page has no room beside the view and little above it, it takes the place of the panel.
func TestPagesHaveRoom(t *testing.T) {
	for _, size := range []imgui.Vec2{{X: 640, Y: 400}, {X: 640, Y: 480}, {X: 800, Y: 600}, {X: 1280, Y: 720}} {
		l := arrange(size, 1, wanted{panel: true, page: true})
		if l.Page.Height() < pageMinHeight {
			t.Errorf("%v×%v: the page is %v high", size.X, size.Y, l.Page.Height())
		}
	}
}
