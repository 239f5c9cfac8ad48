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
	jobs job.Jobs // each with an image of the side; the first device's is the side's own
	sums *film.Sums
}

// newSharedSide gives each device an image of the side.
func newSharedSide(t *job.Team, s settings.Settings, first *tracer.Renderer) (*sharedSide, error) {
	head := t.Members[0].Job
	jobs, err := t.Copies(func(j *job.Job) (err error) {
		j.Settings = s
		if j.Renderer == head.Renderer {
			j.Renderer = first
			return nil
		}
		engine := j.Renderer.Engine()
		if j.Renderer, err = engine.NewRenderer(profile.Policy{}); err != nil {
			return err
		}
		return errors.Join(engine.EnsureBVH(s), engine.CheckDenoiser(s))
	})
	b := &sharedSide{jobs: jobs, sums: &film.Sums{Size: film.Size{Width: head.View.Width, Height: head.View.Height}}}
	if err != nil {
		b.close(t)
		return nil, fmt.Errorf("--devices: %w", err)
	}
	return b, nil
}

// close frees the images on devices that have not failed, excluding the side's own. Errors no longer matter then.
func (b *sharedSide) close(t *job.Team) {
	if b == nil {
		return
	}
	for _, m := range t.Members[1:] {
		if j := b.jobs[m]; j != nil && j.Renderer != nil {
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
