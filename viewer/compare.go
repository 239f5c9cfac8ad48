package viewer

import (
	"fmt"
	"glint/tracer/settings"
)

// show is how two sides are seen.
type show int

const (
	beside     show = iota // A left of a divider, B right of it
	alone                  // the side that keys and panel change
	difference             // of the displayed images, amplified
	shows
)

// String is the name in the panel.
func (s show) String() string { return [...]string{"side by side", "one", "difference"}[s] }

const (
	firstGain = 8
	mostGain  = 64
	lineWidth = 4 // of the divider at a content scale of 1: half of it is its dark edges
)

// compare is how two sides are compared. It outlives the second side, so that the user finds it as it was.
type compare struct {
	show      show
	divider   float64 // fraction of the window's width
	gain      int     // of the difference
	pacing    pacing
	reference *reference // nil: nobody asked for one
	turn      int        // the side that rendered last while the view moved
	epoch     int        // counts restarts, so that a score of what is gone is not shown
}

func newCompare() compare { return compare{divider: 0.5, gain: firstGain} }

// String says how two sides make one picture.
func (c compare) String() string {
	if c.show == difference {
		return fmt.Sprintf("A - B, amplified %d times: orange where A is brighter, blue where B is", c.gain)
	}
	return fmt.Sprintf("A in the left %.1f %% of the width, B in the rest", 100*c.divider)
}

// comparing tells whether there are two sides.
func (a *app) comparing() bool { return len(a.sides) == 2 }

// toggleSplit opens a second side, brings both beside each other, or closes the second.
func (a *app) toggleSplit() {
	switch {
	case !a.comparing():
		a.openSplit()
	case a.compare.show != beside:
		a.compare.show = beside
	default:
		a.closeSplit()
	}
}

// openSplit gives the view a second side.
func (a *app) openSplit() {
	if a.device == nil {
		return
	}
	twin, err := a.device.Twin()
	if err != nil {
		a.warn("Compare: " + err.Error())
		return
	}
	b := &side{name: "B", device: twin, settings: counterpart(a.settings, a.stats.Integrator)}
	a.sides = append(a.sides, b)
	a.compare.show = beside
	a.restartSides()
	a.say(fmt.Sprintf("A %s, B %s: drag the divider", a.integrator(), b.integrator()))
}

// closeSplit leaves side A alone.
func (a *app) closeSplit() {
	if !a.comparing() {
		return
	}
	a.closeReference()
	b := a.sides[1]
	share(&a.sides[0].settings, &a.settings)
	a.sides = a.sides[:1]
	a.side = a.sides[0]
	b.picture.release()
	if err := b.device.Close(); err != nil {
		a.warn("Compare: " + err.Error())
	}
}

// choose makes keys and panel act on a side.
func (a *app) choose(i int) {
	share(&a.sides[i].settings, &a.settings)
	a.side = a.sides[i]
}

// needSides tells whether there are two sides, and the user how to get them.
func (a *app) needSides() bool {
	if !a.comparing() {
		a.say("X compares two sides")
	}
	return a.comparing()
}

// flip shows one side over the whole window, and then the other by turns.
func (a *app) flip() {
	if !a.needSides() {
		return
	}
	if a.compare.show == alone {
		a.choose(1 - a.active())
	}
	a.compare.show = alone
}

// active is the number of the side that keys and panel act on.
func (a *app) active() int {
	if a.comparing() && a.side == a.sides[1] {
		return 1
	}
	return 0
}

// otherSide makes keys and panel act on the other side.
func (a *app) otherSide() {
	if a.needSides() {
		a.choose(1 - a.active())
		a.say("settings of side " + a.name)
	}
}

func (a *app) toggleDifference() {
	if !a.needSides() {
		return
	}
	if a.compare.show == difference {
		a.compare.show = beside
	} else {
		a.compare.show = difference
	}
}

func (a *app) nextPacing() {
	if a.needSides() {
		a.setPacing((a.compare.pacing + 1) % pacings)
	}
}

// setPacing changes what the sides get equal amounts of, from now on.
func (a *app) setPacing(p pacing) {
	a.compare.pacing = p
	a.restartSides()
	a.say(p.String())
}

// restartSides begins both images anew; the reference stays.
func (a *app) restartSides() {
	a.compare.epoch++
	for _, s := range a.sides {
		s.restart()
	}
}

// startSettings are what a side began with.
func (a *app) startSettings() settings.Settings {
	if a.active() == 1 {
		return counterpart(a.opts.Settings, a.sides[0].stats.Integrator)
	}
	return a.opts.Settings
}

// composition is what is to be seen of the sides.
func (a *app) composition(width int) composition {
	switch {
	case !a.comparing() || a.sides[1].picture.texture == 0:
		return single(&a.sides[0].picture)
	case a.compare.show == alone:
		return single(&a.picture)
	}
	c := composition{a: &a.sides[0].picture, b: &a.sides[1].picture, divider: 2}
	if a.compare.show == difference {
		c.difference, c.gain = true, float32(a.compare.gain)
		return c
	}
	c.divider = float32(a.compare.divider)
	c.line = lineWidth * a.hud.scale / 2 / float32(width)
	return c
}
