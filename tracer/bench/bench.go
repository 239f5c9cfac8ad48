// Package bench measures the cost of each way of rendering on this machine, and compares it with figures that others have
// published of their programs.
//
//	run, err := bench.Open(bench.Options{Frames: 15, Load: load})
//	results, err := run.Tables(bench.Tables(), emit)
//	text := bench.Report{Machine: run.Machine(), Results: results}.Markdown()
//
// Sides that are compared take turns frame by frame, so that a machine that warms up or is shared favours neither.
package bench

import (
	"context"
	"errors"
	"fmt"

	"glint/tracer"
	"glint/tracer/gpuscene"
	"glint/tracer/guard"
	"glint/tracer/profile"
	"glint/tracer/scene"
	"glint/tracer/settings"
)

// Options say what a run takes.
type Options struct {
	Device tracer.Options
	Width  int // of every image, pixels; 0 leaves it to the tables
	Height int
	Frames int // measured of each side, after one or two to warm up
	// Seconds bounds the time of one row, though at least two frames of each side are measured.
	Seconds  float64
	Settings settings.Settings // which those of tables and sides override
	// Load opens a file or makes a built-in scene. If the error is ErrNotHere, what needs the scene is skipped.
	Load       func(ctx context.Context, name string, memory *guard.Memory) (*scene.Scene, error)
	LoadMemory int64 // that a scene may take of the host's, bytes; 0 for no bound
}

// Run is one run of measurements. It belongs to one goroutine, as a tracer.Renderer does.
type Run struct {
	options  Options
	base     *tracer.Renderer // whose engine the sides share
	inUse    string           // scene that it shows
	prepared map[string]*gpuscene.Prepared
}

// Machine says what the figures of a run were measured on.
type Machine struct {
	Backend string `json:"backend"`
	Device  string `json:"device"`
}

// ErrNotHere says that this build or this machine lacks what a measurement needs. It is skipped, and the report says so.
var ErrNotHere = errors.New("not in this build")

// Open finds the device.
func Open(o Options) (*Run, error) {
	if o.Frames < 1 {
		return nil, fmt.Errorf("%d frames a measurement: want at least one", o.Frames)
	}
	base, err := tracer.Open(o.Device, profile.Policy{TimeEvery: 1})
	if err != nil {
		return nil, err
	}
	return &Run{options: o, base: base, prepared: map[string]*gpuscene.Prepared{}}, nil
}

// Machine is the machine of the run.
func (r *Run) Machine() Machine {
	b := r.base.Engine().Backend()
	return Machine{b.Kind, b.Device}
}

// Close frees the device.
func (r *Run) Close() error { return r.base.Close() }

// prepare prepares a scene, once for all tables.
func (r *Run) prepare(ctx context.Context, name string) (*gpuscene.Prepared, error) {
	if p := r.prepared[name]; p != nil {
		return p, nil
	}
	var memory *guard.Memory
	if r.options.LoadMemory > 0 {
		memory = guard.NewMemory(r.options.LoadMemory)
	}
	s, err := r.options.Load(ctx, name, memory)
	if err != nil {
		return nil, err
	}
	p, err := gpuscene.Prepare(ctx, s, gpuscene.Options{Floor: r.options.Settings.Floor, Mipmaps: r.options.Settings.Mipmaps(), Memory: memory})
	if err != nil {
		return nil, err
	}
	r.prepared[name] = p
	return p, nil
}

// use shows a scene to all sides.
func (r *Run) use(ctx context.Context, name string) error {
	if r.inUse == name {
		return nil
	}
	p, err := r.prepare(ctx, name)
	if err != nil {
		return err
	}
	r.inUse = ""
	if err := errors.Join(r.base.Engine().Use(p), r.base.Engine().WaitForKernels()); err != nil {
		return err
	}
	r.inUse = name
	return nil
}
