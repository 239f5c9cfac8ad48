package bench

import (
	"errors"
	"math"
	"slices"
	"time"

	"glint/tracer"
	"glint/tracer/settings"
	"glint/tracer/view"
)

// contestant is one side of a row while it is measured.
type contestant struct {
	scene    string
	view     view.View
	settings settings.Settings
	renderer *tracer.Renderer
	frames   []float64         // ms that are compared
	walls    []float64         // ms from the call until the device was done
	watched  tracer.Statistics // of a few frames more
	gathers  bool              // those frames are under way: nothing is asked in between
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
			c.frames, c.walls = append(c.frames, f.ms), append(c.walls, f.wall)
		}
		if i >= 1 && time.Since(begun).Seconds() > r.options.Seconds {
			break
		}
	}
	return nil
}

// frame is what one took, ms.
type frame struct {
	ms   float64 // that is compared: by a GPU's own clock from its first launch to its last, else processor time, which other work disturbs less
	wall float64
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
	used, err := processorTime()
	if err != nil {
		return frame{}, err
	}
	begun := time.Now()
	stats, err := c.renderer.Render(v, c.settings, view.Target{})
	if err == nil {
		err = stats.Undenoised
	}
	if err != nil {
		return frame{}, err
	}
	if err := c.renderer.Finish(); err != nil {
		return frame{}, err
	}
	f := frame{wall: float64(time.Since(begun)) / 1e6}
	now, err := processorTime()
	if err != nil {
		return frame{}, err
	}
	f.ms = float64(now-used) / 1e6
	if r.Machine().Backend == "cuda" && !c.gathers {
		f.ms, err = c.whole(f.wall)
	}
	return f, err
}

// wholeFrames has a GPU time every frame but the first as a whole, which costs next to nothing.
const wholeFrames = math.MaxInt

// whole is what the last frame took by the GPU's clock, ms; or else.
func (c *contestant) whole(or float64) (float64, error) {
	s, err := c.renderer.Statistics()
	if err != nil || s.Whole.Frames == 0 {
		return or, err
	}
	return s.Whole.Mean(), nil
}

// watchedFrames are timed kernel by kernel, and as many counted, after those that are compared: watching has its price.
const watchedFrames = 2

// watch finds out what the kernels of a side take, and what they trace.
func (r *Run) watch(c *contestant, live bool) error {
	n := 2 + len(c.frames)
	c.gathers = true
	defer func() { c.gathers = false }()
	for _, w := range []tracer.Watch{{TimeEvery: 1}, {CountEvery: 1}} {
		c.renderer.Watch(w)
		for range watchedFrames {
			if _, err := r.render(c, live, n); err != nil {
				return err
			}
			n++
		}
	}
	var err error
	c.watched, err = c.renderer.Statistics()
	return err
}

// enter gives every side an image of its own. leave must follow, also after an error.
func (r *Run) enter(sides []*contestant) error {
	for _, c := range sides {
		var err error
		if c.renderer, err = r.stage.Twin(); err != nil {
			return err
		}
		c.renderer.Watch(tracer.Watch{TimeEvery: wholeFrames})
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

// speed is how many times as fast as the baseline a side is: the spread of the ratios of frames that followed each other.
func (c *contestant) speed(baseline *contestant) spread {
	var ratios []float64
	for i := range min(len(c.frames), len(baseline.frames)) {
		if c.frames[i] > 0 {
			ratios = append(ratios, baseline.frames[i]/c.frames[i])
		}
	}
	return spreadOf(ratios)
}
