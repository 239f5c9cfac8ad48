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
)

// Options say what a run takes.
type Options struct {
	Device tracer.Options
	Width  int // of every image, pixels; 0 leaves it to the tables
	Height int
	Frames int // of each side, measured after one or two that warm up
	// Seconds bounds the frames of one row; at least two are measured all the same.
	Seconds  float64
	Settings tracer.Settings // over which tables and sides set theirs
	// Load opens a file or makes a built-in scene. An error that is ErrNotHere skips what needs the scene.
	Load func(name string) (*scene.Scene, error)
}

// Run is one run of measurements. It belongs to one goroutine, as a tracer.Renderer does.
type Run struct {
	options  Options
	stage    *tracer.Renderer // on which sides are twins
	counter  *tracer.Renderer // counts rays, nil until it is wanted; counting would slow what is timed
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
func (r *Run) Close() error {
	err := r.stage.Close()
	if r.counter != nil {
		err = errors.Join(err, r.counter.Close())
	}
	return err
}

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
	if err := r.stage.Use(p); err != nil {
		return err
	}
	r.inUse = name
	return nil
}

// count is what one frame traces: rays, and paths alive after each bounce.
func (r *Run) count(name string, v tracer.View, s tracer.Settings) (tracer.Counters, error) {
	p, err := r.prepare(name)
	if err != nil {
		return tracer.Counters{}, err
	}
	if r.counter == nil {
		o := r.options.Device
		o.Statistics = true
		if r.counter, err = tracer.Open(o); err != nil {
			return tracer.Counters{}, err
		}
	}
	if err := r.counter.Use(p); err != nil {
		return tracer.Counters{}, err
	}
	if _, err := r.counter.Render(v, s, tracer.Target{}); err != nil {
		return tracer.Counters{}, err
	}
	counters, err := r.counter.Counters()
	r.counter.Restart()
	return counters, err
}
