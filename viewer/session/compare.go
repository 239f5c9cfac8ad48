package session

import (
	"fmt"
	"log/slog"
	"slices"
	"time"

	"glint/tracer/guard"
	"glint/tracer/schedule"
	"glint/tracer/settings"
	"glint/tracer/view"
)

// HowCompared is how two sides are compared. It outlives side B, so that the next comparison begins the same way.
type HowCompared struct {
	Show      Show
	Divider   float64 // fraction of the window's width
	Gain      int     // of the difference
	Pacing    schedule.Pacing
	Reference *Reference // nil without one
	epoch     int        // counts restarts, so that errors of discarded images are not shown
}

// Comparison are the sides, and how two of them are compared.
type Comparison struct {
	Active  *Side   // the one that keys and panel act on
	Sides   []*Side // A, and B while two are compared
	Compare HowCompared
	Bias    Bias
	Cross   CrossCheck

	Table      []settings.Setting // every setting
	newPicture func() Picture
	Messages   *Messages
	log        *slog.Logger
}

// NewCompare is how two sides are compared at first.
func NewCompare() HowCompared { return HowCompared{Divider: 0.5, Gain: DefaultGain} }

// String says how two sides make one picture.
func (c HowCompared) String() string {
	switch c.Show {
	case Difference:
		return fmt.Sprintf("A - B, amplified %d times: orange where A is brighter, blue where B is", c.Gain)
	case BiasMap:
		return "where the means of A and B differ by more than chance: orange where A is brighter, blue where B is"
	}
	return fmt.Sprintf("A in the left %.1f %% of the width, B in the rest", 100*c.Divider)
}

// Comparing tells whether there are two sides.
func (c *Comparison) Comparing() bool { return len(c.Sides) == 2 }

// openB opens side B, unless it is open.
func (c *Comparison) openB() {
	if c.Comparing() || c.Active.Device == nil {
		return
	}
	twin, err := c.Active.Device.Twin()
	if err != nil {
		c.Messages.Warn("Compare: " + err.Error())
		return
	}
	b := &Side{Name: "B", Device: twin, Settings: Counterpart(c.Active.Settings, c.Active.Stats.Integrator)}
	b.Start = Counterpart(c.Active.Start, c.startIntegrator())
	c.compareWith(b)
	c.Messages.Say(fmt.Sprintf("A %s, B %s: drag the divider", c.Active.Integrator(), b.Integrator()))
}

// compareWith makes a side the second one.
func (c *Comparison) compareWith(b *Side) {
	b.Picture = c.newPicture()
	c.Sides = append(c.Sides, b)
	c.Compare.Show = SideBySide
	c.RestartSides()
}

// elsewhere tells whether side B is on another device than side A.
func (c *Comparison) elsewhere() bool { return c.Comparing() && c.Sides[1].undo != nil }

// CloseSplit closes side B.
func (c *Comparison) CloseSplit() {
	if !c.Comparing() {
		return
	}
	c.closeReference()
	c.Bias.forget()
	c.Cross = CrossCheck{log: c.log}
	b := c.Sides[1]
	Share(c.Table, &c.Sides[0].Settings, &c.Active.Settings)
	if b.undo != nil {
		b.undo(&c.Sides[0].Settings)
	}
	c.Sides = slices.Delete(c.Sides, 1, 2) // which forgets the side: it knows the scene
	c.Active = c.Sides[0]
	b.Picture.Release()
	if err := b.Device.Close(); err != nil {
		c.Messages.Warn("Compare: " + err.Error())
	}
	b.Device = nil // whoever still knows the side holds nothing of the scene
}

// Choose makes a side the active one, if there is such.
func (c *Comparison) Choose(i int) {
	if i >= len(c.Sides) {
		return
	}
	Share(c.Table, &c.Sides[i].Settings, &c.Active.Settings)
	c.Active = c.Sides[i]
}

// needSides tells whether there are two sides. If not, it tells the user how to open the second.
func (c *Comparison) needSides() bool {
	if !c.Comparing() {
		c.Messages.Say("X compares two sides")
	}
	return c.Comparing()
}

// Flip shows one side over the whole window; again: the other.
func (c *Comparison) Flip() {
	if !c.needSides() {
		return
	}
	if c.Compare.Show == OneSide {
		c.Choose(1 - c.ActiveIndex())
	}
	c.Compare.Show = OneSide
}

// ActiveIndex is the index of the active side.
func (c *Comparison) ActiveIndex() int {
	if c.Comparing() && c.Active == c.Sides[1] {
		return 1
	}
	return 0
}

// OtherSide makes the other side the active one.
func (c *Comparison) OtherSide() {
	if c.needSides() {
		c.Choose(1 - c.ActiveIndex())
		c.Messages.Say("settings of side " + c.Active.Name)
	}
}

// ToggleShow shows two sides in some way, or side by side again.
func (c *Comparison) ToggleShow(way Show) {
	if !c.needSides() {
		return
	}
	if c.Compare.Show == way {
		way = SideBySide
	}
	c.Compare.Show = way
}

// NextPacing gives sides equal amounts of something else.
func (c *Comparison) NextPacing() {
	if c.needSides() {
		c.setPacing((c.Compare.Pacing + 1) % schedule.Pacings)
	}
}

// setPacing changes what the sides get equal amounts of, and restarts them.
func (c *Comparison) setPacing(p schedule.Pacing) {
	c.Compare.Pacing = p
	c.RestartSides()
	c.Messages.Say(p.String())
}

// RestartSides discards the images of all sides. The reference stays.
func (c *Comparison) RestartSides() {
	c.Compare.epoch++
	for _, s := range c.Sides {
		s.Restart()
	}
}

// startIntegrator is the integrator that the settings at the start amount to, as far as that is known.
func (c *Comparison) startIntegrator() string {
	s := c.Active
	switch s.Start.Integrator {
	case s.Settings.Integrator:
		return s.Integrator()
	case "auto":
		return "path"
	default:
		return s.Start.Integrator
	}
}

// TimeSliced tells whether some side renders in slices of time, by which frames then go.
func (c *Comparison) TimeSliced() bool { return slices.ContainsFunc(c.Sides, (*Side).Sliced) }

// AllShown tells whether each side shows a picture at full size. Till then it has the processor to itself.
func (c *Comparison) AllShown() bool {
	return !slices.ContainsFunc(c.Sides, func(s *Side) bool { return s.Stats.Shown == 0 })
}

// MoveDivider puts the divider at a fraction of the window's width.
func (c *Comparison) MoveDivider(to float64) { c.Compare.Divider = min(max(to, 0), 1) }

// ToggleReference measures sides against a reference, or no longer.
func (c *Comparison) ToggleReference() {
	switch {
	case !c.needSides():
	case c.Compare.Reference != nil:
		c.closeReference()
		c.Messages.Say("no reference")
	default:
		c.OpenReference()
	}
}

// OpenReference begins a reference for two sides.
func (c *Comparison) OpenReference() {
	twin, err := c.Active.Device.Twin()
	if err != nil {
		c.Messages.Warn("Reference: " + err.Error())
		return
	}
	c.Compare.Reference = &Reference{Device: twin}
	c.Messages.Say("a reference accumulates; N starts both sides anew against it")
}

func (c *Comparison) closeReference() {
	r := c.Compare.Reference
	if r == nil {
		return
	}
	c.Compare.Reference = nil
	c.Compare.epoch++
	for _, s := range c.Sides {
		s.RefError = RefError{}
	}
	if err := r.Device.Close(); err != nil {
		c.Messages.Warn("Reference: " + err.Error())
	}
}

// renderReference adds samples to the reference, and waits for them: else a GPU's time for them would be counted as a side's.
func (c *Comparison) renderReference(v schedule.Request, calls int, interrupted func() bool) error {
	r, begun, made := c.Compare.Reference, time.Now(), 0
	defer func() { r.spent = time.Since(begun) }()
	v.Unseen, v.Goal = true, 0 // nobody sees it
	r.settings = referenceSettings(c.Table, c.Sides[0].Settings, c.Sides[1].Settings)
	for ; made < calls && (made == 0 || !interrupted()); made++ {
		stats, err := r.Device.Render(v, r.settings, view.Target{})
		if err != nil {
			return err
		}
		r.Stats = stats
		if stats.Restarted {
			c.Compare.epoch++
		}
	}
	err := r.Device.Finish()
	r.pace = schedule.PaceAfter(made, time.Since(begun))
	return err
}

// outdateReference forgets the reference's samples when they are of another view or other settings.
func (c *Comparison) outdateReference(sameView bool) {
	r := c.Compare.Reference
	if r == nil {
		return
	}
	now := referenceSettings(c.Table, c.Sides[0].Settings, c.Sides[1].Settings)
	if !sameView || Restarts(c.Table, r.settings, now) {
		r.Stats, r.quality = view.Stats{}, quality{}
	}
}

// measureErrors computes the errors of the sides now and then, in the background.
func (c *Comparison) measureErrors(tasks *Mailbox, at time.Time) error {
	r := c.Compare.Reference
	unmeasured := func(s *Side) bool { return s.Timer.Samples > 0 && s.RefError.Samples == 0 }
	if r == nil || r.measuring || r.Stats.Samples == 0 || at.Sub(r.measuredAt) < measureEvery && !slices.ContainsFunc(c.Sides, unmeasured) {
		return nil
	}
	var jobs []errorJob
	for _, s := range c.Sides {
		e := s.RefError
		if s.Timer.Samples == 0 || e.Samples == s.Timer.Samples && e.RefSamples == r.Stats.Samples {
			continue
		}
		image, err := s.Device.Radiance()
		if err != nil {
			return err
		}
		jobs = append(jobs, errorJob{s, image, s.Timer.Samples, s.Timer.Whole, at, e})
	}
	if len(jobs) == 0 {
		return nil
	}
	refImage, err := r.Device.Radiance()
	if err != nil {
		return err
	}
	r.measuring, r.measuredAt = true, at
	epoch, refSamples, before := c.Compare.epoch, r.Stats.Samples, r.quality
	var now quality
	guard.Go(func() error {
		now = before.after(refImage, refSamples, at)
		for _, e := range jobs {
			result := e.measure(refImage, refSamples, now)
			tasks.Post(func() {
				if c.Compare.epoch == epoch && (result.Known || !e.side.RefError.Known) { // what was known stays so
					e.side.RefError = result
				}
			})
		}
		return nil
	}, func(err error) {
		tasks.Post(func() {
			if r.measuring = false; c.Compare.epoch == epoch {
				r.quality = now
			}
			if err != nil {
				c.log.Error("compare with the reference", "err", err)
			}
		})
	})
	return nil
}
