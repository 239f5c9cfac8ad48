// Package bench measures how much each way of rendering costs on this machine, and sets the figures beside those that others
// have published of theirs.
//
//	run, err := bench.Open(bench.Options{Frames: 15, Load: load})
//	results, err := run.Tables(bench.Tables(), emit)
//	text := bench.Report{Machine: run.Machine(), Results: results}.Markdown()
//
// What is compared with each other is rendered by turns, frame by frame, so that a machine that warms up or is shared
// favours neither side.
package bench

import (
	"errors"
	"fmt"

	"glint/tracer"
	"glint/tracer/scene"
	"glint/tracer/settings"
)

// Options say what a run takes.
type Options struct {
	Device tracer.Options
	Width  int // of every image, pixels; 0 leaves it to the tables
	Height int
	Frames int // of each side, measured after one or two that warm up
	// Seconds bounds the frames of one row; at least two are measured all the same.
	Seconds  float64
	Settings settings.Settings // over which tables and sides set theirs
	// Load opens a file or makes a built-in scene. An error that is ErrNotHere skips what needs the scene.
	Load func(name string) (*scene.Scene, error)
}

// Run is one run of measurements. It belongs to one goroutine, as a tracer.Renderer does.
type Run struct {
	options  Options
	stage    *tracer.Renderer // on which sides are twins
	inUse    string           // scene of stage
	prepared map[string]*tracer.Prepared
}

// Machine is what a run's figures are of.
type Machine struct {
	Backend string `json:"backend"`
	Device  string `json:"device"`
}

// ErrNotHere says that this build or this machine lacks what a measurement needs: it is skipped, with a line that says so.
var ErrNotHere = errors.New("not in this build")

// Open finds the device.
func Open(o Options) (*Run, error) {
	if o.Frames < 1 {
		return nil, fmt.Errorf("%d frames a measurement: want at least one", o.Frames)
	}
	stage, err := tracer.Open(o.Device)
	if err != nil {
		return nil, err
	}
	return &Run{options: o, stage: stage, prepared: map[string]*tracer.Prepared{}}, nil
}

// Machine tells what renders.
func (r *Run) Machine() Machine {
	b := r.stage.Backend()
	return Machine{b.Kind, b.Device}
}

// Close gives the device back.
func (r *Run) Close() error { return r.stage.Close() }

// prepare makes a scene ready, once for all tables.
func (r *Run) prepare(name string) (*tracer.Prepared, error) {
	if p := r.prepared[name]; p != nil {
		return p, nil
	}
	s, err := r.options.Load(name)
	if err != nil {
		return nil, err
	}
	p, err := tracer.Prepare(s, nil, nil)
	if err != nil {
		return nil, err
	}
	r.prepared[name] = p
	return p, nil
}

// use shows a scene to all sides.
func (r *Run) use(name string) error {
	if r.inUse == name {
		return nil
	}
	p, err := r.prepare(name)
	if err != nil {
		return err
	}
	r.inUse = ""
	if err := errors.Join(r.stage.Use(p), r.stage.Settle()); err != nil {
		return err
	}
	r.inUse = name
	return nil
}
