// Package training renders what a denoiser learns from: moving views of few samples, and the picture of many that each should become.
package training

import (
	"math/rand/v2"

	"glint/cuda"
	"glint/tracer"
	"glint/tracer/cli/job"
	"glint/tracer/schedule"
	"glint/tracer/settings"
)

// Command is `glint training-data`.
type Command struct {
	Scenes    []string `arg:"" name:"scene" help:"Scenes to render, files or built-in ones."`
	Output    string   `short:"o" required:"" placeholder:"DIR" help:"Folder to write: a file for each sequence, and index.jsonl, which says what is in them."`
	Envs      []string `placeholder:"ENV,…" help:"Environments to choose from by chance."`
	Variants  int      `default:"3" placeholder:"N" help:"How often each scene is changed at random. Default ${default}."`
	Sequences int      `default:"3" placeholder:"N" help:"Sequences of each variant. Default ${default}."`
	Frames    int      `default:"8" placeholder:"N" help:"Frames of a sequence, while the camera moves. Default ${default}."`
	Ratio     int      `default:"24" placeholder:"N" help:"How many times as many samples as a frame the references have. Default ${default}."`
	Least     int      `default:"192" placeholder:"N" help:"Samples that a reference has at least. Default ${default}."`
	Test      bool     `help:"Leave scenes and cameras as they are, and orbit as glint grid does."`
	job.ImageFlags
}

// maker renders sequences of one scene after another.
type maker struct {
	command  *Command
	settings settings.Settings
	engine   *tracer.Engine
	random   *rand.Rand
	scene    subject
	pictures int // so far, so that each has noise of its own
	written  int // sequences
}

// between is a random number, evenly spread.
func (m *maker) between(low, high float64) float64 { return low + (high-low)*m.random.Float64() }

func (m *maker) chance(p float64) bool { return m.random.Float64() < p }

// subject is the scene that the engine has, as it was changed.
type subject struct {
	name string
	view schedule.Request // from the scene's own camera
}

// frame is a picture of a sequence.
type frame struct {
	Samples int  `json:"samples"`
	Past    int  `json:"past"` // the frame that its history leads to; −1: none
	Target  bool `json:"target"`
}

// planesOf are those of a frame: what is recorded, the reference, and what is shown.
const planesOf = int(cuda.RecordPlanes) + 6
