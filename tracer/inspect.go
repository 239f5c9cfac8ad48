package tracer

import (
	"errors"
	"fmt"

	"glint/cuda"
	"glint/tracer/integrator"
	"glint/tracer/replay"
	"glint/tracer/schedule"
	"glint/tracer/settings"
)

// ErrUnderWay means that a frame is being rendered: ask again after it.
var ErrUnderWay = errors.New("a frame is being rendered")

// PixelSample is a sample of a pixel: the n-th since the image began, from 0.
type PixelSample struct{ X, Y, N int }

// Replay traces samples of the image again. So many vertices of each path are noted at most; with 0 none. Integrators that share light
// trace a path of their own otherwise than path does: of them, Reused tells what was shaded.
func (i Image) Replay(v schedule.Request, s settings.Settings, samples []PixelSample, most int) ([]replay.Path, error) {
	f, p, err := i.frameToAsk(v, s)
	if err != nil {
		return nil, err
	}
	queries := make([]cuda.ReplayQuery, len(samples))
	for k, at := range samples {
		if err := within(&v, at.X, at.Y); err != nil {
			return nil, err
		}
		queries[k] = i.pipeline.full.sampler.Query(&f, &p.Settings, at.X, at.Y, v.FirstSample+at.N)
	}
	return i.engine.replayer.Paths(f, queries, most)
}

// Reused is what ReSTIR's last frame shaded at a pixel.
func (i Image) Reused(v schedule.Request, s settings.Settings, x, y int) (replay.Shared, error) {
	_, p, err := i.frameToAsk(v, s)
	if err != nil {
		return replay.Shared{}, err
	}
	if err := within(&v, x, y); err != nil {
		return replay.Shared{}, err
	}
	f, ok := i.pipeline.full.sampler.LastFrame()
	if n := i.pipeline.full.sampler; ok && !n.AtSampleEnd() {
		return replay.Shared{}, ErrUnderWay
	}
	if !ok || !integrator.Reuses(p.Settings.Integrator) {
		return replay.Shared{}, errors.New("no samples are shared here: choose integrator restir, and let it render a frame")
	}
	shared, err := i.engine.replayer.Shared(f, []cuda.ReplayQuery{i.pipeline.full.sampler.Query(&f, &p.Settings, x, y, 0)})
	if err != nil {
		return replay.Shared{}, err
	}
	return shared[0], nil
}

// within tells of a pixel that the image does not have.
func within(v *schedule.Request, x, y int) error {
	if x < 0 || y < 0 || x >= v.Width || y >= v.Height {
		return fmt.Errorf("the image has no pixel %d, %d: it has %d × %d", x, y, v.Width, v.Height)
	}
	return nil
}

// MostVertices is how many vertices a path may have.
func MostVertices(s *settings.Settings) int { return integrator.MostVertices(s) }

// frameToAsk is a frame of the image, which must be of that view.
func (i Image) frameToAsk(v schedule.Request, s settings.Settings) (f cuda.Frame, p *Plan, err error) {
	n := i.pipeline.full
	if i.engine.scene == nil {
		return f, nil, errNoImage
	}
	p = i.engine.Plan(v, s)
	if n.sampler.Key() != p.Key || n.bvh == "" {
		return f, nil, errNoImage
	}
	if err := errors.Join(i.isOf(&v), n.clearStale()); err != nil {
		return f, nil, err
	}
	return n.frame(p), p, nil
}
