package compare

import (
	"errors"
	"fmt"

	"glint/tracer"
	"glint/tracer/cli/job"
	"glint/tracer/film"
	"glint/tracer/profile"
	"glint/tracer/settings"
	"glint/tracer/view"
)

// sharedSide is a side of which all devices render blocks of samples. A nil one does nothing.
type sharedSide struct {
	jobs map[*job.Member]*job.Job // each with an image of the side; the first device's is the side's own
	sums *film.Sums
}

// newSharedSide gives each device an image of the side.
func newSharedSide(t *job.Team, s settings.Settings, first *tracer.Renderer) (*sharedSide, error) {
	head := t.Members[0].Job
	b := &sharedSide{jobs: map[*job.Member]*job.Job{}, sums: &film.Sums{Size: film.Size{Width: head.View.Width, Height: head.View.Height}}}
	for i, m := range t.Members {
		own := *m.Job
		own.Settings, own.Renderer = s, first
		var err error
		if i > 0 {
			m.Do(func() {
				engine := m.Job.Renderer.Engine()
				if own.Renderer, err = engine.NewRenderer(profile.Policy{}); err == nil {
					err = errors.Join(engine.EnsureBVH(s), engine.CheckDenoiser(s))
				}
			})
		}
		if own.Renderer != nil {
			b.jobs[m] = &own
		}
		if err != nil {
			b.close(t)
			return nil, fmt.Errorf("--devices: %s: %w", m.Name, err)
		}
	}
	return b, nil
}

// close frees the images on devices that have not failed, excluding the side's own. Errors no longer matter then.
func (b *sharedSide) close(t *job.Team) {
	if b == nil {
		return
	}
	for _, m := range t.Members[1:] {
		if j := b.jobs[m]; j != nil {
			m.Do(func() { _ = j.Renderer.Close() })
		}
	}
}

// warmUp renders a sample that does not count on each device but the first.
func (b *sharedSide) warmUp(t *job.Team) (err error) {
	if b == nil {
		return nil
	}
	for _, m := range t.Members[1:] {
		m.Do(func() {
			j := b.jobs[m]
			if _, err = j.Renderer.Render(j.View, j.Settings, view.Target{}); err == nil {
				err = j.Renderer.Engine().WaitForKernels()
			}
		})
		if err != nil {
			return fmt.Errorf("%s: %w", m.Name, err)
		}
	}
	return nil
}

func (b *sharedSide) dropped(t *job.Team) uint64 {
	if b == nil {
		return 0
	}
	return t.Dropped(func(m *job.Member) *job.Job { return b.jobs[m] })
}
