package bench

import (
	"errors"
	"fmt"

	"glint/tracer"
	"glint/tracer/scene"
)

// SceneFigure is what a scene costs with one set of settings. It is a line of JSON.
type SceneFigure struct {
	Scene     string             `json:"scene"`
	Triangles int                `json:"triangles"`
	Backend   string             `json:"backend"`
	Device    string             `json:"device"`
	Width     int                `json:"width"`
	Height    int                `json:"height"`
	Frames    int                `json:"frames"`
	FPS       float64            `json:"fps"` // by the wall clock
	Ms        float64            `json:"ms"`  // median of a frame's kernels on a GPU, of the whole frame on a CPU
	MsMin     float64            `json:"ms_min"`
	MsMax     float64            `json:"ms_max"`
	Kernels   map[string]float64 `json:"ms_per_kernel"`
	Kinds     map[string]float64 `json:"ms_per_kind"`
	Mpaths    float64            `json:"mpaths_per_s"`
	Mrays     float64            `json:"mrays_per_s"`
	Alive     []float64          `json:"alive_per_bounce"` // share of the paths
	NonFinite uint64             `json:"nan_count"`
	Settings  tracer.Settings    `json:"settings"`
}

// Scene measures one scene from the view that is chosen of it, with the run's settings. Counting is done in a frame of its own.
func (r *Run) Scene(name string, choose func(*scene.Scene) (tracer.View, error)) (*SceneFigure, error) {
	p, err := r.prepare(name)
	if err != nil {
		return nil, err
	}
	v, err := choose(p.Scene)
	if err != nil {
		return nil, err
	}
	c := &contestant{scene: name, view: v, settings: r.options.Settings}
	counters, err := r.count(name, v, c.settings)
	if err != nil {
		return nil, err
	}
	if err = r.enter([]*contestant{c}); err == nil {
		err = r.race([]*contestant{c}, false)
	}
	if err = errors.Join(err, r.leave([]*contestant{c})); err != nil {
		return nil, fmt.Errorf("measure %s: %w", name, err)
	}
	var f Figure
	f.time(c, c)
	m := r.Machine()
	out := &SceneFigure{Scene: p.Scene.Name, Triangles: len(p.Scene.Faces), Backend: m.Backend, Device: m.Device, Width: v.Width, Height: v.Height,
		Frames: f.Frames, FPS: digits(1e3 / f.WallMs), Ms: f.Ms, MsMin: f.MsMin, MsMax: f.MsMax, Kernels: f.Kernels, Kinds: byKind(f.Kernels),
		Mpaths: digits(float64(counters.Paths) / f.Ms / 1e3), Mrays: digits(float64(counters.ExtensionRays+counters.ShadowRays) / f.Ms / 1e3),
		NonFinite: counters.NonFinite, Settings: r.options.Settings}
	for _, n := range counters.Alive {
		out.Alive = append(out.Alive, digits(float64(n)/float64(max(counters.Paths, 1))))
	}
	return out, nil
}
