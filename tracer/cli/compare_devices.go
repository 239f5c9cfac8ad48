package cli

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"glint/tracer/film"
	"glint/tracer/imageio"
	"glint/tracer/profile"
	"glint/tracer/view"
)

// sharedSide is a side of which all devices render blocks of samples. A nil one does nothing.
type sharedSide struct {
	jobs map[*member]*job // each with an image of the side; the first device's is the side's own
	sums *film.Sums
}

// newSharedSide gives each device an image of the side.
func newSharedSide(t *team, s *side) (*sharedSide, error) {
	head := t.members[0].job
	s.settings.Integrator = head.renderer.Engine().Plan(head.view, s.settings).Settings.Integrator // auto may stand for another on each
	b := &sharedSide{jobs: map[*member]*job{}, sums: &film.Sums{Size: film.Size{Width: head.view.Width, Height: head.view.Height}}}
	for i, m := range t.members {
		own := *m.job
		own.settings, own.renderer = s.settings, s.renderer
		var err error
		if i > 0 {
			m.do(func() {
				engine := m.job.renderer.Engine()
				if own.renderer, err = engine.NewRenderer(profile.Policy{}); err == nil {
					err = errors.Join(engine.EnsureBVH(s.settings), engine.CheckDenoiser(s.settings))
				}
			})
		}
		if own.renderer != nil {
			b.jobs[m] = &own
		}
		if err != nil {
			b.close(t)
			return nil, fmt.Errorf("--devices: %s: %w", m.name, err)
		}
	}
	return b, nil
}

// close frees the images on devices that have not failed, excluding the side's own. Errors no longer matter then.
func (b *sharedSide) close(t *team) {
	if b == nil {
		return
	}
	for _, m := range t.members[1:] {
		if j := b.jobs[m]; j != nil {
			m.do(func() { _ = j.renderer.Close() })
		}
	}
}

// warmUp renders a sample that does not count on each device but the first.
func (b *sharedSide) warmUp(t *team) (err error) {
	if b == nil {
		return nil
	}
	for _, m := range t.members[1:] {
		m.do(func() {
			j := b.jobs[m]
			if _, err = j.renderer.Render(j.view, j.settings, view.Target{}); err == nil {
				err = j.renderer.Engine().WaitForKernels()
			}
		})
		if err != nil {
			return fmt.Errorf("%s: %w", m.name, err)
		}
	}
	return nil
}

func (b *sharedSide) dropped(t *team) uint64 {
	if b == nil {
		return 0
	}
	return t.dropped(func(m *member) *job { return b.jobs[m] })
}

// sharedTurn has all devices render as many samples of a side as it has already, or what time is left for.
func (c *comparison) sharedTurn(ctx context.Context, s *side) error {
	end := max(2*s.samples, film.BlockSamples)
	working, stop := context.WithCancel(ctx)
	if limit := time.Duration(c.command.Time); limit == 0 {
		end = min(end, c.command.SPP)
	} else if s.samples > 0 { // there is at least a block, however long it takes
		stop()
		working, stop = context.WithTimeout(ctx, limit-time.Duration(s.seconds*float64(time.Second)))
	}
	defer stop()
	head, begun := c.team.members[0], time.Now()
	err := c.team.sample(working, s.blocks.sums, end, func(m *member) *job { return s.blocks.jobs[m] }, func(int) error { return nil })
	if err != nil && working.Err() == nil {
		return err
	}
	if len(c.team.members) == 0 || c.team.members[0] != head {
		return fmt.Errorf("%s has failed, which compares the sides: leave it out of --devices", head.name)
	}
	s.seconds += time.Since(begun).Seconds()
	if s.blocks.sums.End == s.samples {
		if ctx.Err() == nil { // no time was left for another block: the picture is what all of the time has given
			s.final.Seconds, s.curve[len(s.curve)-1].Seconds = s.seconds, s.seconds
		}
		return nil
	}
	s.samples = s.blocks.sums.End
	if err := s.renderer.Image().SetSums(s.blocks.sums); err != nil {
		return err
	}
	if err := s.addTimes(); err != nil {
		return err
	}
	return c.measureCurve(s)
}

// renderReference is that of a job, by all devices: the noise is estimated from about the first half.
func (t *team) renderReference(ctx context.Context, p *Program, samples int) (img *imageio.Image, about quality, err error) {
	bar := newBar(p.Stderr, samples, "samples of the reference")
	defer bar.finish()
	jobs := map[*member]*job{}
	for _, m := range t.members {
		own := *m.job
		own.settings = m.job.referenceSettings()
		jobs[m] = &own
	}
	of := func(m *member) *job { return jobs[m] }
	progress := func(samples int) error {
		bar.set(samples)
		return nil
	}
	size := t.members[0].job.view
	about.noise = math.NaN()
	sums := &film.Sums{Size: film.Size{Width: size.Width, Height: size.Height}}
	var part *imageio.Image // of the first samples
	first := samples / 2 / film.BlockSamples * film.BlockSamples
	if first > 0 {
		if err = t.sample(ctx, sums, first, of, progress); err == nil {
			part = meanOf(sums)
		}
	}
	if err == nil {
		err = t.sample(ctx, sums, samples, of, progress)
	}
	if err != nil && !isInterrupted(ctx, err) || sums.End == 0 {
		return nil, about, err
	}
	if part == nil && len(sums.Trees) > 1 { // ended before the half
		first = film.BlockSamples << sums.Trees[0].Level
		part = meanOf(&film.Sums{Size: sums.Size, Planes: sums.Planes, Trees: sums.Trees[:1]})
	}
	img, about.samples = meanOf(sums), sums.End
	if part == nil || first >= sums.End {
		return img, about, nil
	}
	about.noise, err = noiseBy(part, first, img, sums.End)
	return img, about, err
}
