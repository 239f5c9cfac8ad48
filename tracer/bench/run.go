package bench

import (
	"context"
	"errors"
	"fmt"
	"math"

	"glint/tracer"
	"glint/tracer/profile"
	"glint/tracer/schedule"
	"glint/tracer/settings"
	"glint/tracer/view"
)

// Figure is one measurement: a side of a row. It is a line of JSON.
type Figure struct {
	Table string `json:"table"`
	Row   string `json:"row"`
	Side  string `json:"side"`
	Machine
	Scene     string             `json:"scene"`
	Triangles int                `json:"triangles,omitempty"`
	Flags     string             `json:"flags"`
	Width     int                `json:"width,omitempty"`
	Height    int                `json:"height,omitempty"`
	Frames    int                `json:"frames,omitempty"`
	Ms        float64            `json:"ms,omitempty"` // median of whole frames: by a GPU's clock, or of processor time
	MsMin     float64            `json:"ms_min,omitempty"`
	MsMax     float64            `json:"ms_max,omitempty"`
	Kernels   map[string]float64 `json:"ms_per_kernel,omitempty"` // mean of a frame whose launches are timed one by one
	Kinds     []KindFigure       `json:"kinds,omitempty"`
	RaysAPath float64            `json:"rays_per_path,omitempty"`
	Speed     float64            `json:"speed,omitempty"` // times as fast as the first side: median over pairs of frames
	SpeedMin  float64            `json:"speed_min,omitempty"`
	SpeedMax  float64            `json:"speed_max,omitempty"`
	Reference *Range             `json:"reference_speed,omitempty"`
	Alive     []float64          `json:"alive_per_bounce,omitempty"` // %
	Skipped   string             `json:"skipped,omitempty"`          // why there is no figure
}

// KindFigure is the time of a kind of kernels, timed one by one: per frame, and per million of the rays or paths that it
// handles.
type KindFigure struct {
	Kind       profile.Kind `json:"kind"`
	Ms         float64      `json:"ms"`
	PerMillion float64      `json:"ms_per_million,omitempty"`
	Unit       string       `json:"unit,omitempty"`
}

// Result holds the figures of a table.
type Result struct {
	Table
	Figures [][]Figure // of each row, one for each side
}

// Tables measures one table after the other. It passes the figures of each row to emit as soon as they are measured. If the context
// ends, it returns what was measured by then, with the context's error.
func (r *Run) Tables(ctx context.Context, tables []Table, emit func([]Figure) error) ([]Result, error) {
	var results []Result
	for _, t := range tables {
		result := Result{Table: t}
		for _, row := range t.Rows {
			figures, err := r.row(ctx, t, row)
			if err != nil && errors.Is(err, ctx.Err()) {
				result.Rows = result.Rows[:len(result.Figures)]
				if len(result.Figures) > 0 {
					results = append(results, result)
				}
				return results, ctx.Err()
			}
			if err != nil {
				return nil, fmt.Errorf("table %s, %s: %w", t.Name, row.Name, err)
			}
			if err := emit(figures); err != nil {
				return nil, err
			}
			result.Figures = append(result.Figures, figures)
		}
		results = append(results, result)
	}
	return results, nil
}

// row measures the sides of a row that can be measured here.
func (r *Run) row(ctx context.Context, t Table, row Row) ([]Figure, error) {
	figures := make([]Figure, len(t.Sides))
	var here []*sideRun
	var of []*Figure
	for i, side := range t.Sides {
		f := &figures[i]
		*f = Figure{Machine: r.Machine(), Table: t.Name, Row: row.Name, Side: side.Name, Scene: row.Scene, Flags: joined(t.Flags, row.Flags, side.Flags)}
		if side.Scene != "" {
			f.Scene = side.Scene
		}
		if i > 0 && i <= len(row.Seen) && row.Seen[i-1].High > 0 {
			f.Reference = &row.Seen[i-1]
		}
		c, err := r.newSide(ctx, t, f)
		if errors.Is(err, ErrNotHere) {
			f.Skipped = err.Error()
			continue
		}
		if err != nil {
			return nil, err
		}
		here, of = append(here, c), append(of, f)
	}
	if figures[0].Skipped != "" || len(here) == 1 && len(t.Sides) > 1 {
		for _, f := range of {
			f.Skipped = "there is nothing to compare it with"
		}
		return figures, nil
	}
	return figures, r.fill(ctx, t, here, of)
}

// newSide prepares a side.
func (r *Run) newSide(ctx context.Context, t Table, f *Figure) (*sideRun, error) {
	s, err := apply(r.options.Settings, f.Flags)
	if err != nil {
		return nil, err
	}
	if err := r.base.Engine().CheckDenoiser(s); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNotHere, err)
	}
	p, err := r.prepare(ctx, f.Scene)
	if err != nil {
		return nil, err
	}
	f.Width, f.Height = r.size(t, p.Scene.Triangles())
	f.Triangles = p.Scene.Triangles()
	v := schedule.Request{View: view.View{Camera: p.Scene.DefaultCamera(float32(f.Width) / float32(f.Height)), Width: f.Width, Height: f.Height}}
	return &sideRun{scene: f.Scene, settings: s, view: v}, nil
}

// exhausting is the largest number of pixels times triangles where every triangle is tested: about a second.
func exhausting(backend string) float64 {
	if backend == "cuda" {
		return 4e9
	}
	return 1.2e7
}

// size is the size of a table's images of a scene, pixels.
func (r *Run) size(t Table, triangles int) (width, height int) {
	width, height = r.options.Width, r.options.Height
	if width == 0 {
		width = squareSize
		if t.Size > 0 {
			width = t.Size
		}
		height = width
	}
	if !t.Exhaust {
		return width, height
	}
	pixels := exhausting(r.Machine().Backend) / float64(max(triangles, 1))
	scale := min(math.Sqrt(pixels/float64(width*height)), 1)
	return max(int(scale*float64(width)), 1), max(int(scale*float64(height)), 1)
}

// fill measures sides and writes their figures.
func (r *Run) fill(ctx context.Context, t Table, sides []*sideRun, figures []*Figure) error {
	if err := r.measure(ctx, t, sides); err != nil {
		return err
	}
	for i, c := range sides {
		figures[i].write(c, sides[0], t.Alive)
	}
	return nil
}

// measure times and profiles the sides as the table says, each with an image of its own.
func (r *Run) measure(ctx context.Context, t Table, sides []*sideRun) (err error) {
	for _, c := range sides {
		if c.renderer, err = r.base.Engine().NewRenderer(profile.Policy{TimeEvery: 1}); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, c.renderer.Close()) }()
		c.renderer.SetProfilePolicy(profile.Policy{TimeEvery: wholeFrames})
	}
	if !t.Alive {
		if err := r.timeFrames(ctx, sides, t.Live); err != nil {
			return err
		}
	}
	if !t.Alive && !t.Kernels && !t.Segments {
		return nil
	}
	for _, c := range sides {
		if err := r.profile(ctx, c, t.Live); err != nil {
			return err
		}
	}
	return nil
}

// write fills in what was measured.
func (f *Figure) write(c, baseline *sideRun, alive bool) {
	f.Frames = len(c.frames)
	ms := spreadOf(c.frames)
	f.Ms, f.MsMin, f.MsMax = digits(ms.median), digits(ms.low), digits(ms.high)
	if c != baseline {
		speed := c.speed(baseline)
		f.Speed, f.SpeedMin, f.SpeedMax = digits(speed.median), digits(speed.low), digits(speed.high)
	}
	f.RaysAPath = digits(c.statistics.RaysPerPath())
	if alive {
		for _, share := range c.statistics.Alive() {
			f.Alive = append(f.Alive, digits(100*share))
		}
		return
	}
	for _, cost := range c.statistics.Costs() {
		f.Kinds = append(f.Kinds, KindFigure{cost.Kind, digits(cost.Ms), digits(cost.PerMillion), cost.Unit})
	}
	f.Kernels = map[string]float64{}
	for _, k := range c.statistics.Kernels {
		f.Kernels[k.Name] = digits(k.Ms.Mean())
	}
}

// digits rounds to four significant digits.
func digits(x float64) float64 {
	if x == 0 || math.IsInf(x, 0) || math.IsNaN(x) {
		return 0
	}
	scale := math.Pow(10, 3-math.Floor(math.Log10(math.Abs(x))))
	return math.Round(x*scale) / scale
}

// apply reads settings written as on the command line over s. A setting or a value that this build does not have is
// ErrNotHere.
func apply(s settings.Settings, flags string) (settings.Settings, error) {
	s, err := settings.ParseFlags(tracer.SettingsTable(), flags, s)
	var unknown settings.UnknownError
	var value settings.ValueError
	if errors.As(err, &unknown) || errors.As(err, &value) {
		err = fmt.Errorf("%w: %w", ErrNotHere, err)
	}
	return s, err
}
