// Package tracer renders a scene: open a device, give it a scene, render views of it. It knows devices and kernels, but no
// window.
//
//	r, err := tracer.Open(tracer.Options{Backend: "auto"}, profile.Policy{})
//	p, err := gpuscene.Prepare(ctx, s, gpuscene.Options{}) // any goroutine: builds the BVH and the light tables
//	err = r.Engine().Use(p)                           // the render thread: uploads
//	stats, err := r.Render(request, settings, target) // one more sample of every pixel, shown in target
//
// A Renderer belongs to one goroutine that is locked to its OS thread (CUDA and GL contexts are per thread).
package tracer

import (
	"errors"
	"fmt"
	"time"

	"glint/tracer/denoise"
	"glint/tracer/device"
	"glint/tracer/display"
	"glint/tracer/profile"
	"glint/tracer/replay"
	"glint/tracer/schedule"
	"glint/tracer/settings"
	"glint/tracer/view"
)

// Renderer accumulates one image of an engine's scene.
type Renderer struct {
	engine   *Engine
	pipeline *pipeline
	display  *display.Display
}

// Open finds a device, and makes a renderer on it. With Backend auto it takes CUDA when that works, else the CPU, and says
// why.
func Open(o Options, p profile.Policy) (*Renderer, error) {
	d, err := device.Open(device.Options{Backend: o.Backend, Ordinal: o.Device, Log: o.Log})
	if err != nil {
		return nil, err
	}
	return OpenOn(d, p)
}

// OpenOn makes a renderer on a device, which it closes in the end.
func OpenOn(d device.Device, p profile.Policy) (*Renderer, error) {
	e := &Engine{device: d, library: denoise.NewLibrary(d), replayer: replay.New(d)}
	if err := e.open(); err != nil {
		return nil, errors.Join(err, e.close())
	}
	return e.NewRenderer(p)
}

// NewRenderer is a renderer with an image of its own on the same device, so that two ways of rendering can be compared. All of
// them belong to the same goroutine; each is closed by itself, in any order.
func (e *Engine) NewRenderer(p profile.Policy) (*Renderer, error) {
	e.renderers++
	r := &Renderer{engine: e, display: display.New(e.device, &e.autoExposure)}
	var err error
	if r.pipeline, err = newPipeline(e, p); err != nil {
		return nil, errors.Join(err, r.Close())
	}
	return r, nil
}

// Engine is the device and the scene that the renderer shares with others.
func (r *Renderer) Engine() *Engine { return r.engine }

// Render adds samples and resolves the image into the target. Accumulation restarts by itself when the view, the scene or
// a setting that matters has changed.
func (r *Renderer) Render(v schedule.Request, s settings.Settings, t view.Target) (view.Stats, error) {
	begun := time.Now()
	if r.engine.scene == nil {
		return view.Stats{}, errors.New("render: no scene in use")
	}
	if err := v.Check(t); err != nil {
		return view.Stats{}, fmt.Errorf("render: %w", err)
	}
	plan := r.engine.Plan(v, s)
	defer r.engine.device.Time(nil)
	work, stats, err := r.pipeline.render(plan)
	shows := t.Buffer != 0 || t.Pixels != nil
	if err == nil && shows {
		err = r.Image().resolve(plan, t)
	}
	if err != nil {
		return stats, fmt.Errorf("render: %w", err)
	}
	r.pipeline.report(plan, &stats)
	if plan.Settings.AutoExposure {
		stats.Metered = r.engine.autoExposure.EV()
	}
	stats.Elapsed = time.Since(begun)
	if shows && work.Image != schedule.Stretched {
		r.pipeline.images.Learn(work, stats.Elapsed, v.Moving, false)
	}
	return stats, nil
}

// Restart forgets what was accumulated and the histories of integrators, of denoisers and of upscaling: the next call of
// Render begins as the first one did. What was learnt of costs stays, and so does auto exposure, which is the engine's.
func (r *Renderer) Restart() { r.pipeline.restart() }

// Finish waits until the device has done all that was asked of it: calls of Render without a target do not wait on a GPU.
func (r *Renderer) Finish() error { return r.engine.device.Sync() }

// Image is what has been accumulated, to be read back.
func (r *Renderer) Image() Image { return Image{r.engine, r.pipeline, r.display} }

// SetProfilePolicy changes which frames are timed or counted, beginning with the next one.
func (r *Renderer) SetProfilePolicy(p profile.Policy) { r.pipeline.full.profiler.SetPolicy(p) }

// Statistics waits for the device, and tells of all complete frames since it was last called.
func (r *Renderer) Statistics() (profile.Statistics, error) {
	s, err := r.pipeline.statistics()
	if err != nil {
		return s, fmt.Errorf("statistics: %w", err)
	}
	s.Memory.Film += r.display.Bytes()
	return s, nil
}

// Counters are what kernels have counted since the image began; rays and living paths only in frames that the policy selects.
func (r *Renderer) Counters() (profile.Counters, error) {
	raw, err := r.pipeline.full.film.Counters()
	return profile.CountersOf(raw), err
}

// Close gives the image's memory back, and the device with the last of its renderers.
func (r *Renderer) Close() error {
	if r.pipeline != nil {
		r.pipeline.close()
	}
	r.display.Close()
	return r.engine.leave()
}
