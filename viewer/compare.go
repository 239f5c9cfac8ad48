package viewer

import (
	"fmt"
	"math"
	"slices"

	"github.com/go-gl/glfw/v3.3/glfw"

	"glint/viewer/session"
)

// compare is how two sides are compared. It outlives side B, so that the next comparison begins the same way.
type compare struct {
	show         session.Show
	divider      float64 // fraction of the window's width
	gain         int     // of the difference
	pacing       session.Pacing
	reference    *reference // nil without one
	lastRendered int        // the side that rendered last while the view moved
	epoch        int        // counts restarts, so that errors of discarded images are not shown
}

func newCompare() compare { return compare{divider: 0.5, gain: session.DefaultGain} }

// String says how two sides make one picture.
func (c compare) String() string {
	if c.show == session.Difference {
		return fmt.Sprintf("A - B, amplified %d times: orange where A is brighter, blue where B is", c.gain)
	}
	return fmt.Sprintf("A in the left %.1f %% of the width, B in the rest", 100*c.divider)
}

// comparing tells whether there are two sides.
func (a *app) comparing() bool { return len(a.sides) == 2 }

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
	if a.active.Device == nil {
		return
	}
	twin, err := a.active.Device.Twin()
	if err != nil {
		a.messages.Warn("Compare: " + err.Error())
		return
	}
	a.dropChange() // the sides show it
	b := &session.Side{Name: "B", Picture: &picture{}, Device: twin, Settings: session.Counterpart(a.active.Settings, a.active.Stats.Integrator)}
	b.Start = session.Counterpart(a.active.Start, a.startIntegrator())
	a.sides = append(a.sides, b)
	a.compare.show = session.SideBySide
	a.showDivider()
	a.restartSides()
	a.messages.Say(fmt.Sprintf("A %s, B %s: drag the divider", a.active.Integrator(), b.Integrator()))
}

// showDivider takes the divider from below a panel to the middle of what panels leave free.
func (a *app) showDivider() {
	width, _ := a.window.GetSize()
	free := a.layout().View
	if at := float32(a.compare.divider) * float32(width); width > 0 && (at <= free.Min.X || at >= free.Max.X) {
		a.compare.divider = float64(free.Middle().X) / float64(width)
	}
}

// closeSplit closes side B.
func (a *app) closeSplit() {
	if !a.comparing() {
		return
	}
	a.closeReference()
	b := a.sides[1]
	session.Share(a.table, &a.sides[0].Settings, &a.active.Settings)
	a.sides = slices.Delete(a.sides, 1, 2) // which forgets the side: it knows the scene
	a.active = a.sides[0]
	b.Picture.Release()
	if err := b.Device.Close(); err != nil {
		a.messages.Warn("Compare: " + err.Error())
	}
}

// choose makes a side the active one.
func (a *app) choose(i int) {
	session.Share(a.table, &a.sides[i].Settings, &a.active.Settings)
	a.active = a.sides[i]
}

// needSides tells whether there are two sides. If not, it tells the user how to open the second.
func (a *app) needSides() bool {
	if !a.comparing() {
		a.messages.Say("X compares two sides")
	}
	return a.comparing()
}

// flip shows one side over the whole window; again: the other.
func (a *app) flip() {
	if !a.needSides() {
		return
	}
	if a.compare.show == session.OneSide {
		a.choose(1 - a.activeIndex())
	}
	a.compare.show = session.OneSide
}

// activeIndex is the index of the active side.
func (a *app) activeIndex() int {
	if a.comparing() && a.active == a.sides[1] {
		return 1
	}
	return 0
}

// otherSide makes the other side the active one.
func (a *app) otherSide() {
	if a.needSides() {
		a.choose(1 - a.activeIndex())
		a.messages.Say("settings of side " + a.active.Name)
	}
}

func (a *app) toggleDifference() {
	if !a.needSides() {
		return
	}
	if a.compare.show == session.Difference {
		a.compare.show = session.SideBySide
	} else {
		a.compare.show = session.Difference
	}
}

func (a *app) nextPacing() {
	if a.needSides() {
		a.setPacing((a.compare.pacing + 1) % session.Pacings)
	}
}

// setPacing changes what the sides get equal amounts of, and restarts them.
func (a *app) setPacing(p session.Pacing) {
	a.compare.pacing = p
	a.restartSides()
	a.messages.Say(p.String())
}

// restartSides discards the images of all sides. The reference stays.
func (a *app) restartSides() {
	a.compare.epoch++
	for _, s := range a.sides {
		s.Restart()
	}
}

// startIntegrator is the integrator that the settings at the start amount to, as far as that is known.
func (a *app) startIntegrator() string {
	s := a.active
	switch s.Start.Integrator {
	case s.Settings.Integrator:
		return s.Integrator()
	case "auto":
		return "path"
	default:
		return s.Start.Integrator
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
