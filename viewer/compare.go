package viewer

import (
	"fmt"
	"log/slog"
	"slices"
	"time"

	"glint/tracer/guard"
	"glint/tracer/profile"
	"glint/tracer/settings"
	"glint/tracer/view"
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

// closeSplit closes side B.
func (c *comparison) closeSplit() {
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

// timeSliced tells whether a call of Render is a slice of time: on the CPU a sample takes several calls.
func (c *comparison) timeSliced() bool { return c.active.Device.Backend().Kind == "cpu" }

// allShown tells whether each side shows a picture at full size. Till then it has the processor to itselc.
func (c *comparison) allShown() bool {
	return !slices.ContainsFunc(c.sides, func(s *session.Side) bool { return s.Stats.Shown == 0 })
}

// moveDivider puts the divider at a fraction of the window's width.
func (c *comparison) moveDivider(to float64) { c.compare.divider = min(max(to, 0), 1) }

func (c *comparison) toggleReference() {
	switch {
	case !c.needSides():
	case c.compare.reference != nil:
		c.closeReference()
		c.messages.Say("no reference")
	default:
		c.openReference()
	}
}

func (c *comparison) openReference() {
	twin, err := c.active.Device.Twin()
	if err != nil {
		c.messages.Warn("Reference: " + err.Error())
		return
	}
	c.compare.reference = &reference{device: twin}
	c.messages.Say("a reference accumulates; N starts both sides anew against it")
}

func (c *comparison) closeReference() {
	r := c.compare.reference
	if r == nil {
		return
	}
	c.compare.reference = nil
	c.compare.epoch++
	for _, s := range c.sides {
		s.RefError = session.RefError{}
	}
	if err := r.device.Close(); err != nil {
		c.messages.Warn("Reference: " + err.Error())
	}
}

// renderReference adds samples to the reference, and waits for them: else a GPU's time for them would be counted as a side's.
func (c *comparison) renderReference(v view.View, calls int, interrupted func() bool) error {
	r, begun, made := c.compare.reference, time.Now(), 0
	defer func() { r.spent = time.Since(begun) }()
	v.Unseen, v.Goal = true, 0 // nobody sees it
	r.settings = referenceSettings(c.table, c.sides[0].Settings, c.sides[1].Settings)
	for ; made < calls && (made == 0 || !interrupted()); made++ {
		stats, err := r.device.Render(v, r.settings, view.Target{})
		if err != nil {
			return err
		}
		r.stats = stats
		if stats.Restarted {
			c.compare.epoch++
		}
	}
	err := r.device.Finish()
	r.pace = session.PaceAfter(made, time.Since(begun))
	return err
}

// outdateReference forgets the reference's samples when they are of another view or other settings.
func (c *comparison) outdateReference(sameView bool) {
	r := c.compare.reference
	if r == nil {
		return
	}
	now := referenceSettings(c.table, c.sides[0].Settings, c.sides[1].Settings)
	if !sameView || session.Restarts(c.table, r.settings, now) {
		r.stats = view.Stats{}
	}
}

// measureErrors computes the errors of the sides now and then, in the background.
func (c *comparison) measureErrors(tasks *mailbox, now time.Time) error {
	r := c.compare.reference
	if r == nil || r.measuring || now.Sub(r.measuredAt) < measureEvery {
		return nil
	}
	var jobs []errorJob
	for _, s := range c.sides {
		e := s.RefError
		if r.tooFew(s) || e.Known && e.Samples == s.Timer.Samples && e.RefSamples == r.stats.Samples {
			continue
		}
		image, err := s.Device.Radiance()
		if err != nil {
			return err
		}
		jobs = append(jobs, errorJob{s, image, s.Timer.Samples})
	}
	if len(jobs) == 0 {
		return nil
	}
	refImage, err := r.device.Radiance()
	if err != nil {
		return err
	}
	r.measuring, r.measuredAt = true, now
	epoch, refSamples := c.compare.epoch, r.stats.Samples
	guard.Go(func() error {
		for _, e := range jobs {
			result := e.measure(refImage, refSamples)
			tasks.post(func() {
				if c.compare.epoch == epoch {
					e.side.RefError = result
				}
			})
		}
		return nil
	}, func(err error) {
		tasks.post(func() {
			if r.measuring = false; err != nil {
				c.log.Error("compare with the reference", "err", err)
			}
		})
	})
	return nil
}

// watch says how many of a side's frames are timed and counted. On a CPU timing is free and frames are few, so all are timed.
func (c *comparison) watch(s *session.Side, shown bool) profile.Policy {
	switch {
	case !shown || s != c.active:
		return profile.Policy{CountEvery: session.HiddenEvery}
	case c.timeSliced():
		return profile.Policy{TimeEvery: 1, CountEvery: 4}
	}
	return profile.Policy{TimeEvery: session.ShownEvery, CountEvery: session.ShownEvery}
}
