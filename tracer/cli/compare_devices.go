package cli

import (
	"errors"
	"fmt"

	"glint/tracer"
	"glint/tracer/film"
	"glint/tracer/profile"
	"glint/tracer/settings"
	"glint/tracer/view"
)

// sharedSide is a side of which all devices render blocks of samples. A nil one does nothing.
type sharedSide struct {
	jobs map[*member]*job // each with an image of the side; the first device's is the side's own
	sums *film.Sums
}

// newSharedSide gives each device an image of the side.
func newSharedSide(t *team, s settings.Settings, first *tracer.Renderer) (*sharedSide, error) {
	head := t.members[0].job
	b := &sharedSide{jobs: map[*member]*job{}, sums: &film.Sums{Size: film.Size{Width: head.view.Width, Height: head.view.Height}}}
	for i, m := range t.members {
		own := *m.job
		own.settings, own.renderer = s, first
		var err error
		if i > 0 {
			m.do(func() {
				engine := m.job.renderer.Engine()
				if own.renderer, err = engine.NewRenderer(profile.Policy{}); err == nil {
					err = errors.Join(engine.EnsureBVH(s), engine.CheckDenoiser(s))
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
