package viewer

import (
	"math"

	"github.com/go-gl/glfw/v3.3/glfw"
)

// reach is how near the mouse must be to the divider to take hold of it, at a content scale of 1.
const reach = 7

// overDivider tells whether a press of the mouse at a point (screen coordinates in the window) takes hold of the divider.
func (a *app) overDivider(x, y float64) bool {
	if !a.comparing() || a.compare.show != beside || a.captured || a.hud.wantsMouse(x, y) {
		return false
	}
	width, _ := a.window.GetSize()
	return math.Abs(x-a.compare.divider*float64(width)) <= reach*float64(a.hud.scale)
}

// grab takes hold of the divider or lets go of it, and tells whether the left button did that.
func (a *app) grab(action glfw.Action) bool {
	in := &a.input
	held := in.grabbed
	in.grabbed = action == glfw.Press && a.overDivider(in.x, in.y)
	return held || in.grabbed
}

// moveDivider puts the divider under the mouse.
func (a *app) moveDivider(e event) {
	if width, _ := a.window.GetSize(); width > 0 {
		a.compare.divider = min(max(e.x/float64(width), 0), 1)
	}
}

// span is a stretch of the window's width.
type span struct{ from, width float32 }

func (s span) to() float32 { return s.from + s.width }

// labelSpans places two labels of given widths on either side of the divider, within the room that the panel leaves. Where
// that is too narrow for both sides, the labels move along together, so that both can be read.
func labelSpans(divider float32, room span, widths [2]float32, gap float32) [2]span {
	a := span{divider - gap - widths[0], widths[0]}
	b := span{divider + gap, widths[1]}
	b.from = min(b.from, room.to()-b.width)
	a.from = min(a.from, b.from-gap-a.width)
	a.from = max(a.from, room.from)
	b.from = max(b.from, a.to()+gap)
	return [2]span{a, b}
}
