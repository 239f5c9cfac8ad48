package cli

import (
	"math/bits"
	"time"

	"glint/tracer"
	"glint/tracer/imageio"
	"glint/tracer/view"
)

// turns is about how many times the sides take turns, so that what disturbs the machine disturbs both.
const turns = 32

// timedOne is how many samples there are for each whose kernels are timed.
const timedOne = 4

// warmUp takes the memory and has this scene's kernels compiled before anything is measured.
func (t *trial) warmUp() error {
	for _, s := range t.sides {
		if err := s.rehearse(t.view); err != nil {
			return err
		}
	}
	return t.renderer.Settle()
}

// rehearse renders a sample that does not count, so that no side pays for buffers and caches.
func (s *side) rehearse(v view.View) error {
	_, err := s.renderer.Render(v, s.settings, view.Target{})
	s.renderer.Restart()
	s.renderer.Watch(tracer.Watch{TimeEvery: timedOne})
	return err
}

// done is the share of its work that a side has behind it.
func (t *trial) done(s *side) float64 {
	if t.asked.Time > 0 {
		return s.seconds / t.asked.Time.Seconds()
	}
	return float64(s.samples) / float64(t.asked.SPP)
}

// accumulate lets the sides render by turns until both have their samples, or their time, and measures on the way.
func (t *trial) accumulate() error {
	bar := newBar(t.program.Stderr, 100, "% of both sides")
	defer bar.finish()
	a, b := t.sides[0], t.sides[1]
	for t.done(a) < 1 || t.done(b) < 1 {
		next := a
		if t.done(b) < t.done(a) {
			next = b
		}
		if err := t.turn(next); err != nil {
			return err
		}
		bar.set(int(50 * (min(t.done(a), 1) + min(t.done(b), 1))))
	}
	for _, s := range t.sides {
		counters, err := s.renderer.Counters()
		if err == nil {
			s.dropped, err = counters.NonFinite, t.judge.measureFinally(s.final)
		}
		if err != nil {
			return err
		}
		t.program.log.Info("side "+s.name, "flags", s.flags, "samples", s.samples, "seconds", short(s.seconds),
			"relMSE", short(s.final.RelMSE), "trimmed", short(s.final.Trimmed), "FLIP", short(s.final.FLIP))
	}
	t.warnOfNoise()
	return nil
}

// turn renders some samples of a side; the errors are measured at powers of two and at the end.
func (t *trial) turn(s *side) error {
	until := min(t.done(s)+1./turns, 1)
	begun, before := time.Now(), s.seconds
	for {
		stats, err := s.renderer.Render(t.view, s.settings, view.Target{})
		if err != nil {
			return err
		}
		s.samples = stats.Samples
		s.seconds = before + time.Since(begun).Seconds()
		if t.done(s) >= until || bits.OnesCount(uint(s.samples)) == 1 {
			break
		}
	}
	if err := s.addTimes(); err != nil {
		return err
	}
	s.seconds = before + time.Since(begun).Seconds()
	if t.done(s) < 1 && bits.OnesCount(uint(s.samples)) > 1 {
		return nil
	}
	var err error
	if s.final, err = t.look(s, t.view, s.samples, s.seconds); err == nil {
		s.curve = append(s.curve, s.final.measurement)
	}
	return err
}

// image is what a side shows: denoised where it asks for that, which counts as time of live frames alone.
func (s *side) image(v view.View) (*imageio.Image, error) {
	if s.settings.Denoise != "off" {
		return s.renderer.Denoise(v, s.settings)
	}
	return s.renderer.Radiance()
}

// look measures what a side shows now.
func (t *trial) look(s *side, v view.View, samples int, seconds float64) (*exhibit, error) {
	img, err := s.image(v)
	if err != nil {
		return nil, err
	}
	e, err := t.judge.measure(img)
	if err != nil {
		return nil, err
	}
	e.Samples, e.Seconds = samples, seconds
	return e, nil
}

// watch measures frames as a live view shows them: each by itself, one sample a pixel and what it carries over from the
// frames before.
func (t *trial) watch() error {
	if t.asked.Live == 0 {
		return nil
	}
	if err := t.warmUp(); err != nil {
		return err
	}
	bar := newBar(t.program.Stderr, t.asked.Live, "live frames")
	defer bar.finish()
	for frame := 1; frame <= t.asked.Live; frame++ {
		for _, s := range t.sides {
			if err := t.frame(s, frame); err != nil {
				return err
			}
		}
		bar.set(frame)
	}
	for _, s := range t.sides {
		if err := t.judge.measureFinally(s.last); err != nil {
			return err
		}
	}
	return nil
}

// frame renders and measures one live frame of a side.
func (t *trial) frame(s *side, number int) error {
	v := t.view
	v.Live, v.Frame = true, number
	begun := time.Now()
	if _, err := s.renderer.Render(v, s.settings, view.Target{}); err != nil {
		return err
	}
	if err := s.renderer.Finish(); err != nil {
		return err
	}
	seconds := time.Since(begun).Seconds()
	var err error
	if s.last, err = t.look(s, v, number, seconds); err == nil {
		s.live = append(s.live, s.last.measurement)
	}
	return err
}

// addTimes waits for the device, and notes what kernels took.
func (s *side) addTimes() error {
	told, err := s.renderer.Statistics()
	if err != nil {
		return err
	}
	s.timed += told.Timed
	for _, k := range told.Kernels {
		s.kernels[k.Name] += k.Ms.Sum
	}
	return nil
}
