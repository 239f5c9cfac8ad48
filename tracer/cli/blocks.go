package cli

import (
	"context"
	"errors"
	"fmt"

	"glint/tracer/film"
	"glint/tracer/view"
)

// sample adds samples to sums until there are all up to end, in blocks, each on whichever device is free: by the job that of names for
// it. Progress is told how many there are; it is called by one
// goroutine at a time. If the context ends, the sums have the blocks that are whole and follow each other.
func (t *team) sample(ctx context.Context, s *film.Sums, end int, of func(m *member) *job, progress func(samples int) error) error {
	begin, have := s.End, s.End-s.First
	err := t.each(ctx, (end-begin+film.BlockSamples-1)/film.BlockSamples, func(ctx context.Context, m *member, piece int) (func() error, error) {
		first := begin + piece*film.BlockSamples
		n := min(film.BlockSamples, end-first)
		values, planes, err := of(m).block(ctx, first, n)
		return func() error {
			if len(s.Trees) == 0 {
				s.Planes = planes
			}
			if planes != s.Planes {
				return fmt.Errorf("the samples that are there keep %d planes beside light, and these flags ask for %d: give the same --denoise and --layers",
					s.Planes, planes)
			}
			if err := s.Add(first, n, values); err != nil {
				return err
			}
			have += n
			return progress(have)
		}, err
	})
	s.Cut()
	return err
}

// block renders n samples from the first on as if they were all there are.
func (j *job) block(ctx context.Context, first, n int) (values []float32, planes int, err error) {
	j.renderer.Restart()
	j.view.FirstSample, j.view.Stop = first, ctx.Done()
	for range n {
		if err := ctx.Err(); err != nil {
			return nil, 0, err
		}
		if j.last, err = j.renderer.Render(j.view, j.settings, view.Target{}); err != nil {
			if errors.Is(err, view.ErrStopped) {
				err = ctx.Err()
			}
			return nil, 0, err
		}
	}
	counters, err := j.renderer.Counters()
	if err != nil {
		return nil, 0, err
	}
	j.dropped += counters.NonFinite
	return j.renderer.Image().Block()
}

// dropped is how many samples of all blocks were not finite.
func (t *team) dropped(of func(m *member) *job) (samples uint64) {
	for _, m := range t.members {
		samples += of(m).dropped
	}
	return samples
}
