package bench

import (
	"context"
	"math"
	"slices"
	"time"

	"glint/tracer"
	"glint/tracer/profile"
	"glint/tracer/schedule"
	"glint/tracer/settings"
	"glint/tracer/view"
)

// sideRun is one side of a row while it is measured.
type sideRun struct {
	scene      string
	view       schedule.Request
	settings   settings.Settings
	renderer   *tracer.Renderer
	frames     []float64          // ms that are compared
	walls      []float64          // ms from the call until the device was done
	statistics profile.Statistics // of the profiled frames
	profiling  bool               // those frames are being rendered: their statistics are read at the end
}

// timeFrames renders the sides in turns and keeps the times of their frames. It stops when the time of the row is up, after
// two frames of each side at the earliest.
func (r *Run) timeFrames(ctx context.Context, sides []*sideRun, live bool) error {
	for warmUp := range 2 {
		begun := time.Now()
		for _, c := range sides {
			if _, err := r.render(ctx, c, live, warmUp); err != nil {
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
			f, err := r.render(ctx, c, live, 2+i)
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

// frame is the time of one frame, ms.
type frame struct {
	ms   float64 // compared: by the GPU's clock from first to last launch, else processor time, which other load disturbs less
	wall float64
}

// render renders one frame of a side. Live frames are numbered, and pass their history on.
func (r *Run) render(ctx context.Context, c *sideRun, live bool, number int) (frame, error) {
	if err := ctx.Err(); err != nil {
		return frame{}, err
	}
	if err := r.use(ctx, c.scene); err != nil {
		return frame{}, err
	}
	v := c.view
	if live {
		v.Live, v.Frame = true, number+1
	}
	processors, wall, err := Render(c.renderer, v, c.settings)
	if err != nil || r.Machine().Backend != "cuda" || c.profiling {
		return frame{processors, wall}, err
	}
	s, err := c.renderer.Statistics()
	if s.Whole.Frames == 0 {
		return frame{wall, wall}, err
	}
	return frame{s.Whole.Mean(), wall}, err
}

// Render renders a frame to its end, and returns the time of all processors and by the wall clock, ms.
func Render(r *tracer.Renderer, v schedule.Request, s settings.Settings) (processors, wall float64, err error) {
	used, err := profile.ProcessorTime()
	if err != nil {
		return 0, 0, err
	}
	begun := time.Now()
	stats, err := r.Render(v, s, view.Target{})
	if err == nil {
		err = stats.DenoiseError
	}
	if err == nil {
		err = r.Finish()
	}
	if err != nil {
		return 0, 0, err
	}
	wall = float64(time.Since(begun)) / 1e6
	now, err := profile.ProcessorTime()
	return float64(now-used) / 1e6, wall, err
}

// wholeFrames makes a GPU time all frames except the first as a whole, which costs next to nothing.
const wholeFrames = math.MaxInt

// profiledFrames are timed kernel by kernel, and as many have their rays counted. They come after the frames that are
// compared, since both slow a frame.
const profiledFrames = 2

// profile measures the times of the kernels of a side, and counts its rays.
func (r *Run) profile(ctx context.Context, c *sideRun, live bool) error {
	n := 2 + len(c.frames)
	c.profiling = true
	defer func() { c.profiling = false }()
	for _, w := range []profile.Policy{{TimeEvery: 1}, {CountEvery: 1}} {
		c.renderer.SetProfilePolicy(w)
		for range profiledFrames {
			if _, err := r.render(ctx, c, live, n); err != nil {
				return err
			}
			n++
		}
	}
	var err error
	c.statistics, err = c.renderer.Statistics()
	return err
}

// spread is the median of measurements, with the least and the greatest.
type spread struct{ median, low, high float64 }

func spreadOf(values []float64) spread {
	v := slices.Sorted(slices.Values(values))
	n := len(v)
	if n == 0 {
		return spread{}
	}
	return spread{(v[(n-1)/2] + v[n/2]) / 2, v[0], v[n-1]}
}

// speed is how many times as fast as the baseline a side is, as the spread of the ratios of consecutive frames.
func (c *sideRun) speed(baseline *sideRun) spread {
	var ratios []float64
	for i := range min(len(c.frames), len(baseline.frames)) {
		if c.frames[i] > 0 {
			ratios = append(ratios, baseline.frames[i]/c.frames[i])
		}
	}
	return spreadOf(ratios)
}
