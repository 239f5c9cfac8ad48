package viewer

import (
	"time"

	"glint/tracer/guard"
	"glint/tracer/imageio"
	"glint/tracer/metric"
	"glint/tracer/settings"
	"glint/tracer/view"
	"glint/viewer/session"
)

const (
	measureEvery    = time.Second
	referenceFactor = 4     // times as many samples as a side: from there on its own noise hardly counts
	outliers        = 0.001 // share of the pixels that the trimmed error leaves out
)

// reference is a third image of the view, which accumulates while two sides are compared.
type reference struct {
	device     session.Renderer
	settings   settings.Settings
	stats      view.Stats
	spent      time.Duration // in this frame
	pace       session.Pace
	measuredAt time.Time
	measuring  bool // errors are being computed
}

// referenceSettings are those of a path tracer that converges to what both sides show. Where they show different things, it
// follows A. It has a seed of its own: with a side's seed it would repeat that side's noise.
func referenceSettings(table []settings.Setting, a, b settings.Settings) settings.Settings {
	s := settings.Defaults()
	session.Share(table, &s, &a)
	s.Integrator, s.Sampling, s.Denoise = "path", "mis", "off"
	s.Bounces = max(a.Bounces, b.Bounces)
	s.Show, s.EnergyCompensation, s.Fresnel, s.BVH = a.Show, a.EnergyCompensation, a.Fresnel, a.BVH
	s.Seed = max(a.Seed, b.Seed) + 1
	return s
}

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

// tooFew tells whether the reference has too few samples to measure a side's error.
func (r *reference) tooFew(s *session.Side) bool {
	return s.Timer.Samples == 0 || r.stats.Samples < referenceFactor*s.Timer.Samples
}

// errorJob is what it takes to measure a side's error.
type errorJob struct {
	side    *session.Side
	image   *imageio.Image
	samples int
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

// measure compares with the reference. Where that fails, the error stays unknown.
func (e errorJob) measure(refImage *imageio.Image, refSamples int) session.RefError {
	all, err := metric.RelMSE(e.image, refImage)
	if err != nil {
		return session.RefError{}
	}
	trimmed, err := metric.TrimmedRelMSE(e.image, refImage, outliers)
	if err != nil {
		return session.RefError{}
	}
	return session.RefError{Known: true, RelMSE: all, Trimmed: trimmed, Samples: e.samples, RefSamples: refSamples}
}
