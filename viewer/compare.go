package viewer

import (
	"fmt"
	"log/slog"
	"slices"

	"glint/tracer/settings"
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

// comparison are the sides, and how two of them are compared.
type comparison struct {
	active  *session.Side   // the one that keys and panel act on
	sides   []*session.Side // A, and B while two are compared
	compare compare

	table      []settings.Setting // every setting
	newPicture func() session.Picture
	messages   *session.Messages
	log        *slog.Logger
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
func (c *comparison) comparing() bool { return len(c.sides) == 2 }

// openB opens side B.
func (c *comparison) openB() {
	if c.active.Device == nil {
		return
	}
	twin, err := c.active.Device.Twin()
	if err != nil {
		c.messages.Warn("Compare: " + err.Error())
		return
	}
	b := &session.Side{Name: "B", Picture: c.newPicture(), Device: twin, Settings: session.Counterpart(c.active.Settings, c.active.Stats.Integrator)}
	b.Start = session.Counterpart(c.active.Start, c.startIntegrator())
	c.sides = append(c.sides, b)
	c.compare.show = session.SideBySide
	c.restartSides()
	c.messages.Say(fmt.Sprintf("A %s, B %s: drag the divider", c.active.Integrator(), b.Integrator()))
}

// closeB closes side B.
func (c *comparison) closeB() {
	if !c.comparing() {
		return
	}
	c.closeReference()
	b := c.sides[1]
	session.Share(c.table, &c.sides[0].Settings, &c.active.Settings)
	c.sides = slices.Delete(c.sides, 1, 2) // which forgets the side: it knows the scene
	c.active = c.sides[0]
	b.Picture.Release()
	if err := b.Device.Close(); err != nil {
		c.messages.Warn("Compare: " + err.Error())
	}
}

// choose makes a side the active one.
func (c *comparison) choose(i int) {
	session.Share(c.table, &c.sides[i].Settings, &c.active.Settings)
	c.active = c.sides[i]
}

// needSides tells whether there are two sides. If not, it tells the user how to open the second.
func (c *comparison) needSides() bool {
	if !c.comparing() {
		c.messages.Say("X compares two sides")
	}
	return c.comparing()
}

// flip shows one side over the whole window; again: the other.
func (c *comparison) flip() {
	if !c.needSides() {
		return
	}
	if c.compare.show == session.OneSide {
		c.choose(1 - c.activeIndex())
	}
	c.compare.show = session.OneSide
}

// activeIndex is the index of the active side.
func (c *comparison) activeIndex() int {
	if c.comparing() && c.active == c.sides[1] {
		return 1
	}
	return 0
}

// otherSide makes the other side the active one.
func (c *comparison) otherSide() {
	if c.needSides() {
		c.choose(1 - c.activeIndex())
		c.messages.Say("settings of side " + c.active.Name)
	}
}

func (c *comparison) toggleDifference() {
	if !c.needSides() {
		return
	}
	if c.compare.show == session.Difference {
		c.compare.show = session.SideBySide
	} else {
		c.compare.show = session.Difference
	}
}

func (c *comparison) nextPacing() {
	if c.needSides() {
		c.setPacing((c.compare.pacing + 1) % session.Pacings)
	}
}

// setPacing changes what the sides get equal amounts of, and restarts them.
func (c *comparison) setPacing(p session.Pacing) {
	c.compare.pacing = p
	c.restartSides()
	c.messages.Say(p.String())
}

// restartSides discards the images of all sides. The reference stays.
func (c *comparison) restartSides() {
	c.compare.epoch++
	for _, s := range c.sides {
		s.Restart()
	}
}

// startIntegrator is the integrator that the settings at the start amount to, as far as that is known.
func (c *comparison) startIntegrator() string {
	s := c.active
	switch s.Start.Integrator {
	case s.Settings.Integrator:
		return s.Integrator()
	case "auto":
		return "path"
	default:
		return s.Start.Integrator
	}
}
