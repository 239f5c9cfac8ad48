package viewer

import (
	"time"

	"glint/tracer/imageio"
	"glint/tracer/metric"
	"glint/tracer/settings"
	"glint/tracer/view"
)

const (
	scoreEvery = time.Second
	ageFactor  = 4     // a reference has so many times a side's samples before errors against it mean much
	outliers   = 0.001 // of the pixels: left out of the trimmed error
)

// reference is a third image of the view, which accumulates while two sides are compared.
type reference struct {
	device   renderer
	settings settings.Settings
	stats    view.Stats
	spent    time.Duration // in this frame
	scored   time.Time
	scoring  bool // a score is being computed
}

// score is a side's error against the reference. The zero value says that it is not known.
type score struct {
	known            bool
	relMSE           float64 // mean of (I−R)²/(R²+0.01)
	trimmed          float64 // the same without the worst 0.1 % of the pixels
	samples, against int     // of the side and of the reference
}

// referenceSettings are those of a path tracer that converges to what both sides show. Where they do not show the same, it
// goes by A. It has a seed of its own: with a side's it would make that side's errors.
func referenceSettings(a, b settings.Settings) settings.Settings {
	s := settings.Defaults()
	share(&s, &a)
	s.Integrator, s.Sampling = "path", "mis"
	s.Bounces = max(a.Bounces, b.Bounces)
	s.Show, s.EnergyCompensation = a.Show, a.EnergyCompensation
	s.Seed = max(a.Seed, b.Seed) + 1
	return s
}

func (a *app) toggleReference() {
	switch {
	case !a.needSides():
	case a.compare.reference != nil:
		a.closeReference()
		a.say("no reference")
	default:
		a.openReference()
	}
}

func (a *app) openReference() {
	twin, err := a.device.Twin()
	if err != nil {
		a.warn("Reference: " + err.Error())
		return
	}
	a.compare.reference = &reference{device: twin}
	a.say("a reference accumulates; N starts both sides anew against it")
}

func (a *app) closeReference() {
	r := a.compare.reference
	if r == nil {
		return
	}
	a.compare.reference = nil
	a.compare.epoch++
	for _, s := range a.sides {
		s.score = score{}
	}
	if err := r.device.Close(); err != nil {
		a.warn("Reference: " + err.Error())
	}
}

// renderReference adds to the reference, and waits, so that a GPU's time for it is not taken for a side's.
func (a *app) renderReference(v view.View) error {
	r, begun := a.compare.reference, time.Now()
	defer func() { r.spent = time.Since(begun) }()
	v.Undenoised, v.Goal = true, 0 // nobody sees it
	r.settings = referenceSettings(a.sides[0].settings, a.sides[1].settings)
	stats, err := r.device.Render(v, a.shown.grove.through(r.settings), view.Target{})
	if err != nil {
		return err
	}
	r.stats = stats
	if stats.Restarted {
		a.compare.epoch++
	}
	return r.device.Finish()
}

// outdateReference forgets the reference's samples when they are of another view or of other settings.
func (a *app) outdateReference(sameView bool) {
	r := a.compare.reference
	if r != nil && (!sameView || restarts(r.settings, referenceSettings(a.sides[0].settings, a.sides[1].settings))) {
		r.stats = view.Stats{}
	}
}

// young tells whether the reference has too few samples to judge a side by.
func (r *reference) young(s *side) bool {
	return s.meter.samples == 0 || r.stats.Samples < ageFactor*s.meter.samples
}

// exam is what it takes to score a side.
type exam struct {
	side    *side
	image   *imageio.Image
	samples int
}

// scoreSides computes the errors of the sides now and then, in the background.
func (a *app) scoreSides(now time.Time) error {
	r := a.compare.reference
	if r == nil || r.scoring || now.Sub(r.scored) < scoreEvery {
		return nil
	}
	var exams []exam
	for _, s := range a.sides {
		if r.young(s) || s.score.known && s.score.samples == s.meter.samples && s.score.against == r.stats.Samples {
			continue
		}
		image, err := s.device.Radiance()
		if err != nil {
			return err
		}
		exams = append(exams, exam{s, image, s.meter.samples})
	}
	if len(exams) == 0 {
		return nil
	}
	truth, err := r.device.Radiance()
	if err != nil {
		return err
	}
	r.scoring, r.scored = true, now
	epoch, against := a.compare.epoch, r.stats.Samples
	go func() {
		for _, e := range exams {
			result := e.mark(truth, against)
			a.tasks.post(func() {
				if a.compare.epoch == epoch {
					e.side.score = result
				}
			})
		}
		a.tasks.post(func() { r.scoring = false })
	}()
	return nil
}

// mark compares with the truth. What cannot be compared stays unknown.
func (e exam) mark(truth *imageio.Image, against int) score {
	all, err := metric.RelMSE(e.image, truth)
	if err != nil {
		return score{}
	}
	trimmed, err := metric.TrimmedRelMSE(e.image, truth, outliers)
	if err != nil {
		return score{}
	}
	return score{known: true, relMSE: all, trimmed: trimmed, samples: e.samples, against: against}
}
