package training

import (
	"context"
	"errors"
	"fmt"

	"glint/cuda"
	"glint/tracer"
	"glint/tracer/cli/measure"
	"glint/tracer/imageio"
	"glint/tracer/integrator"
	"glint/tracer/profile"
	"glint/tracer/schedule"
	"glint/tracer/settings"
	"glint/tracer/view"
)

// pair are the renderers of a sequence: of its frames, and of the references.
type pair struct{ live, reference *tracer.Renderer }

func (m *maker) open() (p pair, err error) {
	if p.live, err = m.engine.NewRenderer(profile.Policy{}); err != nil {
		return p, err
	}
	if p.reference, err = m.engine.NewRenderer(profile.Policy{}); err == nil {
		err = p.live.Record(m.scene.view.Width * m.scene.view.Height)
	}
	if err != nil {
		return p, errors.Join(err, p.close())
	}
	return p, nil
}

func (p pair) close() error {
	err := p.live.Close()
	if p.reference != nil {
		err = errors.Join(err, p.reference.Close())
	}
	return err
}

// renderFrames renders the frames of a sequence and gives them to write. shows is false where the first reference is black: then nothing is
// written that is of use.
func (m *maker) renderFrames(ctx context.Context, plan plan, write func(frame, []float32) error) (shows bool, err error) {
	p, err := m.open()
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, p.close()) }()
	v := m.scene.view
	total := 0 // samples of the image
	var reference *imageio.Image
	for i := range plan.moving + plan.resting {
		about := frame{Past: i - 1, Target: i >= plan.moving-2 || i == 1 && !m.command.Test}
		more := plan.samples
		if v.Moving = i < plan.moving; v.Moving {
			m.pictures++
			v.Camera, v.Frame, total = plan.camera(i), m.pictures, 0
		} else {
			more, about.Past = total, plan.moving-2
		}
		total += more
		about.Samples = total
		if err := ctx.Err(); err != nil {
			return false, err
		}
		values, err := m.renderFrame(p.live, v, plan.settings, more)
		if err != nil {
			return false, err
		}
		if about.Target && v.Moving {
			samples := max(m.command.Ratio*plan.samples, m.command.Least)
			if i+1 == plan.moving {
				samples <<= plan.resting // frames that rest have the same
			}
			if reference, err = m.renderReference(p.reference, v, plan.settings, samples); err != nil {
				return false, err
			}
			if !shows && !m.command.Test && black(reference) {
				return false, nil
			}
			shows = true
		}
		if about.Target {
			put(values, int(cuda.RecordPlanes), reference)
		}
		if err := write(about, values); err != nil {
			return false, err
		}
	}
	return shows, nil
}

// renderFrame adds samples to a frame, and gives its planes: what is recorded and, last, what is shown.
func (m *maker) renderFrame(r *tracer.Renderer, v schedule.Request, s settings.Settings, samples int) ([]float32, error) {
	for i := range samples {
		v.Unseen = i+1 < samples
		v.DeferReuse = v.Unseen && integrator.Reuses(s.Integrator) && (samples-1-i)%2 == 1
		stats, err := r.Render(v, s, view.Target{})
		if err = errors.Join(err, stats.DenoiseError); err != nil {
			return nil, err
		}
	}
	shown, err := r.Image().Denoised(v, s)
	if err != nil {
		return nil, err
	}
	pixels := v.Width * v.Height
	values := make([]float32, planesOf*pixels)
	if err := r.ReadRecord(values[:int(cuda.RecordPlanes)*pixels]); err != nil {
		return nil, fmt.Errorf("read what is recorded: %w", err)
	}
	put(values, int(cuda.RecordPlanes)+3, shown)
	return values, nil
}

// renderReference renders a view by path.
func (m *maker) renderReference(r *tracer.Renderer, v schedule.Request, s settings.Settings, samples int) (*imageio.Image, error) {
	v.Live, v.Moving = false, false
	s = measure.ReferenceSettings(s)
	for range min(samples, mostSamples) {
		if _, err := r.Render(v, s, view.Target{}); err != nil {
			return nil, err
		}
	}
	return r.Image().Radiance()
}

// mostSamples bounds those of a reference.
const mostSamples = 2048

// black tells whether there is hardly any light in a picture.
func black(img *imageio.Image) bool {
	sum := 0.0
	for _, x := range img.Pix {
		sum += float64(x)
	}
	return !(sum/float64(len(img.Pix)) > 1e-4)
}

// put writes a picture as three planes, from plane `first` on.
func put(values []float32, first int, img *imageio.Image) {
	pixels := img.Width * img.Height
	for i := range pixels {
		for k := range 3 {
			values[(first+k)*pixels+i] = img.Pix[3*i+k]
		}
	}
}
