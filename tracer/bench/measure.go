package bench

import (
	"errors"
	"slices"
	"time"

	"glint/tracer"
)

// contestant is one side of a row while it is measured.
type contestant struct {
	scene    string
	flags    string
	view     tracer.View
	settings tracer.Settings
	renderer *tracer.Renderer
	frames   []frame
}

// frame is what one frame took, ms.
type frame struct {
	ms      float64 // that is compared: of the kernels by the GPU's own clock, of everything on a CPU
	wall    float64 // from the call until the device was done
	kernels map[string]float64
}

// race renders the sides by turns and keeps their frames. After the warm-up it stops early, after two frames each, when
// the row's time is up.
func (r *Run) race(sides []*contestant, live bool) error {
	for warmUp := range 2 {
		begun := time.Now()
		for _, c := range sides {
			if _, err := r.render(c, live, warmUp); err != nil {
				return err
			}
		}
		if time.Since(begun).Seconds() > r.options.Seconds/4 {
			break // slow enough to be warm
		}
	}
	begun := time.Now()
	for i := range r.options.Frames {
		for _, c := range sides {
			f, err := r.render(c, live, 2+i)
			if err != nil {
				return err
			}
			c.frames = append(c.frames, f)
		}
		if i >= 1 && time.Since(begun).Seconds() > r.options.Seconds {
			break
		}
	}
	return nil
}

// render makes one frame of a side. Live frames are numbered: history is carried from one to the next.
func (r *Run) render(c *contestant, live bool, number int) (frame, error) {
	if err := r.use(c.scene); err != nil {
		return frame{}, err
	}
	v := c.view
	if live {
		v.Live, v.Frame = true, number+1
	}
	c.renderer.Timings() // of others
	begun := time.Now()
	if _, err := c.renderer.Render(v, c.settings, tracer.Target{}); err != nil {
		return frame{}, err
	}
	if err := c.renderer.Finish(); err != nil {
		return frame{}, err
	}
	f := frame{wall: float64(time.Since(begun)) / 1e6, kernels: c.renderer.Timings()}
	f.ms = f.wall
	if c.renderer.Backend().Kind == "cuda" {
		f.ms = 0
		for _, ms := range f.kernels {
			f.ms += ms
		}
	}
	return f, nil
}

// enter gives every side an image of its own. leave must follow, also after an error.
func (r *Run) enter(sides []*contestant) error {
	for _, c := range sides {
		var err error
		if c.renderer, err = r.stage.Twin(); err != nil {
			return err
		}
	}
	return nil
}

func (r *Run) leave(sides []*contestant) error {
	var errs []error
	for _, c := range sides {
		if c.renderer != nil {
			errs = append(errs, c.renderer.Close())
		}
	}
	return errors.Join(errs...)
}

// spread is the median of measurements with what was least and most.
type spread struct{ median, low, high float64 }

func spreadOf(values []float64) spread {
	v := slices.Sorted(slices.Values(values))
	n := len(v)
	if n == 0 {
		return spread{}
	}
	return spread{(v[(n-1)/2] + v[n/2]) / 2, v[0], v[n-1]}
}

// ms is the spread of a side's frames.
func (c *contestant) ms() spread {
	values := make([]float64, len(c.frames))
	for i, f := range c.frames {
		values[i] = f.ms
	}
	return spreadOf(values)
}

// speed is how many times as fast as the baseline a side is: the spread of the ratios of frames that followed each other.
func (c *contestant) speed(baseline *contestant) spread {
	var ratios []float64
	for i := range min(len(c.frames), len(baseline.frames)) {
		if c.frames[i].ms > 0 {
			ratios = append(ratios, baseline.frames[i].ms/c.frames[i].ms)
		}
	}
	return spreadOf(ratios)
}

// kernels is the mean milliseconds of each kernel in a frame.
func (c *contestant) kernels() map[string]float64 {
	mean := map[string]float64{}
	for _, f := range c.frames {
		for k, ms := range f.kernels {
			mean[k] += ms / float64(len(c.frames))
		}
	}
	return mean
}
