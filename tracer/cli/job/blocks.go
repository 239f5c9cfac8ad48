package job

import (
	"context"
	"errors"
	"fmt"

	"glint/tracer/film"
	"glint/tracer/view"
)

// Jobs is what each device of a team renders.
type Jobs map[*Member]*Job

// Own are the jobs that the devices were opened with.
func (t *Team) Own() Jobs {
	jobs := Jobs{}
	for _, m := range t.Members {
		jobs[m] = m.Job
	}
	return jobs
}

// Copies are more jobs like those, each changed on the thread of its device. With an error they are those that were changed before it.
func (t *Team) Copies(change func(j *Job) error) (jobs Jobs, err error) {
	jobs = Jobs{}
	for _, m := range t.Members {
		j := *m.Job
		jobs[m] = &j
		if m.Do(func() { err = change(&j) }); err != nil {
			return jobs, fmt.Errorf("%s: %w", m.Name, err)
		}
	}
	return jobs, nil
}

// Sample adds samples to sums until there are all up to end, in blocks, each on whichever device is free. Progress is told how many there
// are; it is called by one goroutine at a time. If the context ends, the sums have the blocks that are whole and follow each other.
func (t *Team) Sample(ctx context.Context, s *film.Sums, end int, jobs Jobs, progress func(samples int) error) error {
	begin, have := s.End, s.End-s.First
	err := t.Each(ctx, (end-begin+film.BlockSamples-1)/film.BlockSamples, func(ctx context.Context, m *Member, piece int) (func() error,
		error) {
		first := begin + piece*film.BlockSamples
		n := min(film.BlockSamples, end-first)
		values, planes, err := jobs[m].Block(ctx, first, n)
		return func() error {
			if len(s.Trees) == 0 {
				s.Planes = planes
			}
			if planes != s.Planes {
				return fmt.Errorf("the samples so far keep %d planes of AOVs, and these flags need %d: give the same --denoise and --layers",
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

// Block renders n samples from the first on as if they were all there are.
func (j *Job) Block(ctx context.Context, first, n int) (values []float32, planes int, err error) {
	j.Renderer.Restart()
	j.View.FirstSample, j.View.Stop = first, ctx.Done()
	for range n {
		if err := ctx.Err(); err != nil {
			return nil, 0, err
		}
		if j.Last, err = j.Renderer.Render(j.View, j.Settings, view.Target{}); err != nil {
			if errors.Is(err, view.ErrStopped) {
				err = ctx.Err()
			}
			return nil, 0, err
		}
	}
	counters, err := j.Renderer.Counters()
	if err != nil {
		return nil, 0, err
	}
	j.Dropped += counters.NonFinite
	return j.Renderer.Image().Block()
}

// Dropped is how many samples of all blocks were not finite.
func (t *Team) Dropped(jobs Jobs) (samples uint64) {
	for _, m := range t.Members {
		samples += jobs[m].Dropped
	}
	return samples
}
