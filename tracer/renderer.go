// Package tracer renders a scene: settings in, pixels out. It knows devices and kernels, but no window.
//
//	r, err := tracer.Open(tracer.Options{Backend: "auto"})
//	p, err := r.Prepare(s, nil, nil)             // any goroutine: builds the tree and the light tables
//	err = r.Use(p)                               // the render thread: uploads
//	stats, err := r.Render(view, settings, target) // one more sample of every pixel, resolved into target
//
// All methods but Prepare belong to one goroutine that is locked to its OS thread (CUDA and GL contexts are per thread).
package tracer

import (
	"errors"
	"image"
	"log/slog"
	"time"

	"glint/tracer/scene"
)

// Options choose the device.
type Options struct {
	Backend string // auto, cuda or cpu
	Device  int    // ordinal of the GPU
	Log     *slog.Logger
}

// Backend says what renders and why it was taken.
type Backend struct {
	Kind   string // cuda or cpu
	Device string // the device's own name
	Why    string // why auto did not take CUDA, or empty
}

// Renderer renders one scene at a time on one device.
type Renderer struct{}

// Prepared is a scene made ready for a device: tree, lights, tables. Made by Prepare, taken by Use.
type Prepared struct {
	Scene *scene.Scene
	Notes []string // what the user should know, e.g. that a soft environment was added to a scene without lights
}

// View is what is looked at, and how big.
type View struct {
	Camera        scene.Camera
	Width, Height int // of the image, pixels
	// Moving trades resolution for speed, so that a frame takes about Budget. Zero Budget renders whole samples.
	Moving bool
	Budget time.Duration // of one call of Render on the CPU backend; samples continue in the next call
}

// Target is where film writes RGBA8, row 0 at the bottom as OpenGL reads it when FlipY.
type Target struct {
	Width, Height int
	Buffer        uint32 // an attached GL buffer object, or 0
	Pixels        []byte // 4·Width·Height, used when Buffer is 0
	FlipY         bool
}

// FrameStats describe one call of Render.
type FrameStats struct {
	Samples   int           // whole samples in every pixel so far
	Restarted bool          // accumulation began anew
	Scale     int           // the image is rendered at 1/Scale of the view's size
	Elapsed   time.Duration // of the call
	Paths     uint64        // camera paths traced by the call
	NonFinite uint64        // samples dropped since the restart
}

var errStub = errors.New("not built yet")

// Open finds a device. With Backend auto it takes CUDA when that works, else the CPU, and says why.
func Open(o Options) (*Renderer, error) { return nil, errStub }

// Backend tells what renders.
func (r *Renderer) Backend() Backend { return Backend{} }

// Prepare builds what rendering needs of a scene. env may be nil: the scene is then lit by its own lights, or by a soft
// default environment when it has none. progress may be nil.
func (r *Renderer) Prepare(s *scene.Scene, env *Environment, progress func(stage string, fraction float64)) (*Prepared, error) {
	return nil, errStub
}

// Use uploads a prepared scene and drops the one before. On an error the old scene stays.
func (r *Renderer) Use(p *Prepared) error { return errStub }

// Attach registers a GL buffer object of the given size, so that film writes straight into it. An error means that
// interop is not to be had: give Render plain memory instead. Detach before the buffer is deleted or resized.
func (r *Renderer) Attach(buffer uint32, bytes int) error { return errStub }

// Detach forgets an attached buffer.
func (r *Renderer) Detach(buffer uint32) error { return errStub }

// Render adds samples and resolves the image into target. Accumulation restarts by itself when the view, the scene or a
// setting that matters has changed.
func (r *Renderer) Render(v View, s Settings, t Target) (FrameStats, error) {
	return FrameStats{}, errStub
}

// Pick is the depth along the camera's axis (m) of what pixel (x, y), from the top left, shows. False when it is nothing.
func (r *Renderer) Pick(v View, x, y int) (float32, bool, error) { return 0, false, errStub }

// Film resolves what has been accumulated at full quality, for a screenshot.
func (r *Renderer) Film(s Settings) (*image.NRGBA, error) { return nil, errStub }

// Close gives the device back.
func (r *Renderer) Close() error { return nil }
