package integrator

import (
	"glint/cuda"
	"glint/tracer/device"
	"glint/tracer/schedule"
	"glint/tracer/settings"
	"glint/tracer/view"
)

// Integrator estimates the light of an image, a sample of each pixel at a time.
type Integrator interface {
	// Configure fills in what all kernels are to know of it, also those that are not its own.
	Configure(f *cuda.Frame)
	// Prepare fills in what its passes read for the next sample.
	Prepare(f *cuda.Frame, t *Task) error
	// Passes are those of a sample, after its paths have been traced.
	Passes(f *cuda.Frame, t *Task) []device.Pass
	// Finish is told that a sample is whole.
	Finish(f *cuda.Frame)
	// Reset forgets what is carried over from sample to sample.
	Reset()
	// Free gives memory back; Bytes tells how much is held.
	Free()
	Bytes() int
}

// Task is what is rendered.
type Task struct {
	View     schedule.Request
	Settings settings.Settings // in which nothing is auto
	Key      view.Key
	Samples  int // whole ones in every pixel so far
	// A frame of restir may take several paths of each pixel: Path is the number of this one, and with DeferReuse more follow. The
	// last one brings the light of all of them to the film.
	Path       int
	DeferReuse bool
}
