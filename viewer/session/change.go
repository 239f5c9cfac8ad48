package session

import (
	"cmp"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"glint/tracer/device"
	"glint/tracer/integrator"
	"glint/tracer/schedule"
	"glint/tracer/settings"
)

// SettingChange measures what the last change of one setting costs. The side that was changed and a baseline, which renders
// the same view with the settings before, take turns: what else the machine does slows both. The zero value is none.
type SettingChange struct {
	Of       *Side
	what     string
	idle     string // why it has no effect; empty if it may have one
	from, to settings.Settings
	Baseline *Side                // nil before the side has warmed up, and after the last turn
	second   bool                 // the turn is the side's, which follows the baseline's
	begun    schedule.SampleTimer // at the beginning of the turn
	cost     time.Duration        // of a sample of the baseline in its last turn
	Pairs    []pair
	at       time.Time // of the change, or of the end of the measurement
}

// pair is what a sample cost before and after the change, in two turns that followed each other.
type pair struct{ before, after time.Duration }

func (p pair) gain() float64 { return p.before.Seconds() / p.after.Seconds() }

const (
	changeShownFor = 20 * time.Second       // how long the cost of a change stays over the image
	measuredPairs  = 9                      // the median lies between the second and the eighth of their gains in 96 of 100 cases
	turnTime       = 100 * time.Millisecond // of a turn at least
	longestSample  = time.Second            // that is measured: turns of longer ones would hold up the image
)

// changesCost tells whether a setting can change what a sample costs: those of how light is found, except for the seed.
func changesCost(row settings.Setting) bool {
	return row.Restarts && row.Scope == settings.PerImage && row.Name != "seed"
}

// newChange begins to measure a change of a side's settings, if it is of one setting that changes what samples cost. Call it
// before the side's timer is reset.
func newChange(table []settings.Setting, s *Side, v schedule.Request, now time.Time) SettingChange {
	var changed []settings.Setting
	for _, row := range table {
		if !row.Same(&s.Used, &s.Settings) {
			changed = append(changed, row)
		}
	}
	if len(changed) != 1 || !changesCost(changed[0]) {
		return SettingChange{}
	}
	c := SettingChange{Of: s, what: Describe(changed[0], s.Settings), from: s.Used, to: s.Settings, at: now}
	if c.from.Integrator == "auto" {
		c.from.Integrator = s.Stats.Integrator
	}
	from, to := c.from, c.to
	gpu := s.Device.Backend().Kind == device.KindCUDA
	from.Exec, to.Exec = integrator.Engine(from.Exec, gpu, v.Width*v.Height), integrator.Engine(to.Exec, gpu, v.Width*v.Height)
	switch only := changed[0].Engine; {
	case from == to:
		c.idle = "no effect: auto takes the same here"
	case only != "" && only != to.Exec:
		c.idle = "no effect in the " + to.Exec + " engine"
	case s.Timer.Steady() == 0, s.Timer.Steady() > longestSample:
		return SettingChange{}
	}
	return c
}

// Measuring tells whether a change is still to be measured.
func (c *SettingChange) Measuring() bool {
	return c.Of != nil && c.idle == "" && len(c.Pairs) < measuredPairs
}

// takeTurns ends a turn that was long enough, and tells whether the next frame is the baseline's. The side goes first, until
// it has warmed up, then the baseline.
func (c *SettingChange) takeTurns(in FrameInput, moving bool, newPicture func() Picture, log *slog.Logger) (baseline bool) {
	switch {
	case !c.Measuring() || moving:
		return false
	case in.loading, c.Of.Device == nil, c.Of.Settings != c.to, c.Of.Timer.Mean() > longestSample, c.Of.Timer.Samples >= schedule.EnoughSamples,
		c.second && c.Of.Timer.Samples < c.begun.Samples:
		c.Drop(log) // it cannot be measured any more, or another scene needs the memory
		return false
	case c.Baseline == nil:
		if c.Of.Timer.Steady() == 0 {
			return false
		}
		twin, err := c.Of.Device.Twin()
		if err != nil {
			log.Debug("measure a change", "err", err)
			c.Drop(log)
			return false
		}
		c.Baseline = &Side{Name: "before", Picture: newPicture(), Device: twin, Settings: c.from}
		return true
	case !c.second && c.Baseline.Timer.Steady() == 0:
		return true
	}
	c.turn(in.Now)
	if len(c.Pairs) == measuredPairs {
		c.closeBaseline(log)
	}
	return c.Baseline != nil && !c.second
}

// turn gives the other side its turn, once this one's was long enough.
func (c *SettingChange) turn(now time.Time) {
	timer := c.Baseline.Timer
	if c.second {
		timer = c.Of.Timer
	}
	if c.begun == (schedule.SampleTimer{}) { // the baseline has just warmed up
		c.begun = timer
		return
	}
	spent, samples := timer.Whole-c.begun.Whole, timer.Samples-c.begun.Samples
	if samples < 1 || spent < turnTime {
		return
	}
	cost := spent / time.Duration(samples)
	if c.second {
		c.Pairs, c.begun, c.at = append(c.Pairs, pair{c.cost, cost}), c.Baseline.Timer, now
	} else {
		c.cost, c.begun = cost, c.Of.Timer
	}
	c.second = !c.second
}

// closeBaseline frees what only a measurement needs.
func (c *SettingChange) closeBaseline(log *slog.Logger) {
	b := c.Baseline
	if b == nil {
		return
	}
	c.Baseline = nil
	b.Picture.Release()
	if err := b.Device.Close(); err != nil {
		log.Error("measure a change", "err", err)
	}
}

// Drop forgets a change, measured or not.
func (c *SettingChange) Drop(log *slog.Logger) {
	c.closeBaseline(log)
	*c = SettingChange{}
}

// text says what the change costs, with the spread of what was measured; there is no claim where that includes 1.
func (c *SettingChange) text() string {
	switch {
	case c.idle != "":
		return c.what + "   " + c.idle
	case len(c.Pairs) < measuredPairs:
		return c.what + "   measuring what it costs …"
	}
	pairs := slices.SortedFunc(slices.Values(c.Pairs), func(p, q pair) int { return cmp.Compare(p.gain(), q.gain()) })
	least, most := pairs[1].gain(), pairs[len(pairs)-2].gain()
	middle := pairs[len(pairs)/2]
	text := fmt.Sprintf("%s   %s → %s a sample", c.what, Duration(middle.before), Duration(middle.after))
	const noise = 0.01
	switch gain := middle.gain(); {
	case least > 1 && gain > 1+noise:
		return text + fmt.Sprintf("   %.2f× as fast (%.2f to %.2f)", gain, least, most)
	case most < 1 && gain < 1-noise:
		return text + fmt.Sprintf("   %.2f× as slow (%.2f to %.2f)", 1/gain, 1/most, 1/least)
	}
	return text + fmt.Sprintf("   no difference found (%.2f× to %.2f×)", least, most)
}

// ShownText is what the last change costs on this view, or empty when that is not to be shown; statistics show it for longer.
func (c *SettingChange) ShownText(statistics bool) string {
	if c.Of != nil && (c.Measuring() || statistics || time.Since(c.at) < changeShownFor) {
		return c.text()
	}
	return ""
}
