package bench

import (
	"context"
	"fmt"

	"glint/tracer/scene"
	"glint/tracer/schedule"
	"glint/tracer/settings"
)

// SceneFigure is what a scene costs with one set of settings. It is a line of JSON.
type SceneFigure struct {
	Scene     string `json:"scene"`
	Triangles int    `json:"triangles"`
	Machine
	Width     int                `json:"width"`
	Height    int                `json:"height"`
	Frames    int                `json:"frames"`
	FPS       float64            `json:"fps"` // by the wall clock, as the two rates
	Ms        float64            `json:"ms"`  // median of whole frames: by a GPU's clock, or of processor time
	MsMin     float64            `json:"ms_min"`
	MsMax     float64            `json:"ms_max"`
	Kernels   map[string]float64 `json:"ms_per_kernel"` // mean of a frame whose launches are timed one by one
	Kinds     []KindFigure       `json:"kinds"`
	Mpaths    float64            `json:"mpaths_per_s"`
	Mrays     float64            `json:"mrays_per_s"`
	Alive     []float64          `json:"alive_per_bounce"` // share of the paths
	NonFinite uint64             `json:"nan_count"`        // in the frames counted
	Settings  settings.Settings  `json:"settings"`
}

// Scene measures one scene with the settings of the run. choose chooses the view. If the context ends, the error is the context's.
func (r *Run) Scene(ctx context.Context, name string, choose func(*scene.Scene) (schedule.Request, error)) (*SceneFigure, error) {
	p, err := r.prepare(ctx, name)
	if err != nil {
		return nil, err
	}
	v, err := choose(p.Scene)
	if err != nil {
		return nil, err
	}
	c := &sideRun{scene: name, view: v, settings: r.options.Settings}
	if err := r.measure(ctx, Table{Kernels: true}, []*sideRun{c}); err != nil {
		return nil, fmt.Errorf("measure %s: %w", name, err)
	}
	var f Figure
	f.write(c, c, false)
	wall := spreadOf(c.walls).median
	mpaths := float64(v.Width*v.Height) / wall / 1e3
	out := &SceneFigure{Scene: p.Scene.Name, Triangles: p.Scene.Triangles(), Machine: r.Machine(), Width: v.Width, Height: v.Height,
		Frames: f.Frames, FPS: digits(1e3 / wall), Ms: f.Ms, MsMin: f.MsMin, MsMax: f.MsMax, Kernels: f.Kernels, Kinds: f.Kinds,
		Mpaths: digits(mpaths), Mrays: digits(mpaths * c.statistics.RaysPerPath()), NonFinite: c.statistics.Counters.NonFinite, Settings: r.options.Settings}
	for _, share := range c.statistics.Alive() {
		out.Alive = append(out.Alive, digits(share))
	}
	return out, nil
}
