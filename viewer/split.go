package viewer

import (
	"math"

	"github.com/go-gl/glfw/v3.3/glfw"

	"glint/viewer/session"
)

// toggleSplit opens side B, shows both side by side, or closes B.
func (a *app) toggleSplit() {
	switch {
	case !a.comparing():
		a.openSplit()
	case a.compare.show != session.SideBySide:
		a.compare.show = session.SideBySide
	default:
		a.closeSplit()
	}
}

// openSplit opens side B.
func (a *app) openSplit() {
	a.dropChange() // the sides show it
	a.showDivider()
	a.openB()
}

// closeSplit closes side B.
func (a *app) closeSplit() { a.closeB() }

// showDivider takes the divider from below a panel to the middle of what panels leave free.
func (a *app) showDivider() {
	width, _ := a.window.GetSize()
	free := a.layout().View
	if at := float32(a.compare.divider) * float32(width); width > 0 && (at <= free.Min.X || at >= free.Max.X) {
		a.compare.divider = float64(free.Middle().X) / float64(width)
	}
}

// composition is how the sides are shown.
func (a *app) composition(width int) composition {
	switch {
	case !a.comparing() || pictureOf(a.sides[1]).texture == 0:
		return single(pictureOf(a.sides[0]))
	case a.compare.show == session.OneSide:
		return single(pictureOf(a.active))
	}
	c := composition{a: pictureOf(a.sides[0]), b: pictureOf(a.sides[1]), divider: 2}
	if a.compare.show == session.Difference {
		c.difference, c.gain = true, float32(a.compare.gain)
		return c
	}
	c.divider = float32(a.compare.divider)
	c.line = session.LineWidth * a.hud.Scale / 2 / float32(width)
	return c
}

// dividerReach is how near the mouse must be to the divider to drag it, at a content scale of 1.
const dividerReach = 7

// overDivider tells whether the mouse would drag the divider from a point, screen coordinates in the window.
func (a *app) overDivider(x, y float64) bool {
	if !a.comparing() || a.compare.show != session.SideBySide || a.captured || a.hud.WantsMouse(x, y) {
		return false
	}
	width, _ := a.window.GetSize()
	return math.Abs(x-a.compare.divider*float64(width)) <= dividerReach*float64(a.hud.Scale)
}

// grab takes hold of the divider or lets go of it. It tells whether the left button did either.
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
