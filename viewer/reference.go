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

func (a *app) toggleReference() {
	switch {
	case !a.needSides():
	case a.compare.reference != nil:
		a.closeReference()
		a.messages.Say("no reference")
	default:
		a.openReference()
	}
}

func (a *app) openReference() {
	twin, err := a.active.Device.Twin()
	if err != nil {
		a.messages.Warn("Reference: " + err.Error())
		return
	}
	a.compare.reference = &reference{device: twin}
	a.messages.Say("a reference accumulates; N starts both sides anew against it")
}

func (a *app) closeReference() {
	r := a.compare.reference
	if r == nil {
		return
	}
	a.compare.reference = nil
	a.compare.epoch++
	for _, s := range a.sides {
		s.RefError = session.RefError{}
	}
	if err := r.device.Close(); err != nil {
		a.messages.Warn("Reference: " + err.Error())
	}
}

// renderReference adds samples to the reference, and waits for them: else a GPU's time for them would be counted as a side's.
func (a *app) renderReference(v view.View, calls int) error {
	r, begun, made := a.compare.reference, time.Now(), 0
	defer func() { r.spent = time.Since(begun) }()
	v.Unseen, v.Goal = true, 0 // nobody sees it
	r.settings = referenceSettings(a.table, a.sides[0].Settings, a.sides[1].Settings)
	for ; made < calls && (made == 0 || !a.interrupted()); made++ {
		stats, err := r.device.Render(v, r.settings, view.Target{})
		if err != nil {
			return err
		}
		r.stats = stats
		if stats.Restarted {
			a.compare.epoch++
		}
	}
	err := r.device.Finish()
	r.pace = session.PaceAfter(made, time.Since(begun))
	return err
}

// outdateReference forgets the reference's samples when they are of another view or other settings.
func (a *app) outdateReference(sameView bool) {
	r := a.compare.reference
	if r == nil {
		return
	}
	now := referenceSettings(a.table, a.sides[0].Settings, a.sides[1].Settings)
	if !sameView || session.Restarts(a.table, r.settings, now) {
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
func (a *app) measureErrors(now time.Time) error {
	r := a.compare.reference
	if r == nil || r.measuring || now.Sub(r.measuredAt) < measureEvery {
		return nil
	}
	var jobs []errorJob
	for _, s := range a.sides {
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
	epoch, refSamples := a.compare.epoch, r.stats.Samples
	guard.Go(func() error {
		for _, e := range jobs {
			result := e.measure(refImage, refSamples)
			a.tasks.post(func() {
				if a.compare.epoch == epoch {
					e.side.RefError = result
				}
			})
		}
		return nil
	}, func(err error) {
		a.tasks.post(func() {
			if r.measuring = false; err != nil {
				a.log.Error("compare with the reference", "err", err)
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
