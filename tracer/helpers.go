package tracer

import (
	"fmt"
	"runtime"
	"slices"
	"sync"
	"time"

	"glint/cuda"
	"glint/tracer/denoise"
	"glint/tracer/device"
	"glint/tracer/film"
	"glint/tracer/gpuscene"
	"glint/tracer/guard"
	"glint/tracer/profile"
	"glint/tracer/scene"
	"glint/tracer/settings"
	"glint/tracer/view"
)

// helper is another device with the same scene. While a live view rests it renders samples of it, which are added to the image now and
// then. All that is done with its renderer is done on a goroutine of its own.
type helper struct {
	name     string
	renderer *Renderer   // of the goroutine
	posed    *scene.Pose // the same

	mu      sync.Mutex
	changed sync.Cond // of what is asked for, and of samples that are taken
	job     func()    // comes before at
	at      *restWork // nil: no samples are asked for
	closed  bool
	values  []float32 // sums of at that nobody has taken yet
	samples int       // in them
	failed  error
}

// restWork is a view that rests, with nothing left to decide, and the samples of it that a helper is to render.
type restWork struct {
	view     view.View // of the next sample
	settings settings.Settings
	guides   bool // the denoiser's are kept
	pose     *scene.Pose
}

// Samples of helpers.
const (
	helpFrom      = 16          // samples that an image has before others help: what comes earlier may share history, and not last
	addEvery      = time.Second // sums are copied to the host and back
	firstOfHelper = 1 << 24     // the first sample of the first helper, and how far apart those of others are; a multiple of a block
	mostUntaken   = 64 * film.BlockSamples
)

// newHelper opens a device on a goroutine of its own.
func newHelper(name string, open func() (*Renderer, error)) (*helper, error) {
	h := &helper{name: name}
	h.changed.L = &h.mu
	guard.Go(h.run, func(error) {}) // jobs and work are guarded one by one
	var err error
	h.do(func() { h.renderer, err = open() })
	if err != nil {
		h.end()
		return nil, fmt.Errorf("open %s: %w", name, err)
	}
	return h, nil
}

// run does what is asked for until the end.
func (h *helper) run() error {
	runtime.LockOSThread() // and never unlocked: the thread ends with the goroutine
	for {
		h.mu.Lock()
		for h.job == nil && !h.closed && (h.at == nil || h.samples >= mostUntaken) { // nobody looks
			h.changed.Wait()
		}
		job, at, closed := h.job, h.at, h.closed
		h.job = nil
		h.mu.Unlock()
		switch {
		case job != nil:
			job()
		case closed:
			return nil
		default:
			h.work(at)
		}
	}
}

// do runs a job on the helper's goroutine and waits; what it was at ends before.
func (h *helper) do(job func()) {
	guard.Elsewhere(job, func(job func()) {
		h.mu.Lock()
		defer h.mu.Unlock()
		h.at, h.values, h.samples = nil, nil, 0
		h.job = job
		h.changed.Broadcast()
	})
}

// use takes a scene.
func (h *helper) use(p *gpuscene.Prepared) {
	var err error
	h.do(func() {
		h.posed = nil
		err = h.renderer.engine.Use(p)
	})
	h.mu.Lock()
	h.failed = err
	h.mu.Unlock()
}

func (h *helper) close() {
	h.do(func() { _ = h.renderer.Close() })
	h.end()
}

// end ends the goroutine.
func (h *helper) end() {
	h.mu.Lock()
	h.closed = true
	h.changed.Broadcast()
	h.mu.Unlock()
}

// ask has the helper render samples; nil for none. It does not wait.
func (h *helper) ask(w *restWork) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.failed == nil {
		h.at, h.values, h.samples = w, nil, 0
		h.changed.Broadcast()
	}
}

// isAt tells whether samples are still asked for.
func (h *helper) isAt(w *restWork) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.at == w
}

// work renders a block of samples.
func (h *helper) work(w *restWork) {
	var values []float32
	err := guard.Safely(func() (err error) {
		values, err = h.block(w)
		return err
	})
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case h.at != w:
	case err != nil:
		h.failed, h.at = err, nil
	default:
		h.values = film.AddValues(h.values, values)
		h.samples += film.BlockSamples
		w.view.FirstSample += film.BlockSamples
	}
}

// block renders a block of samples; nil where something else is asked for meanwhile.
func (h *helper) block(w *restWork) (values []float32, err error) {
	r := h.renderer
	if w.pose != h.posed {
		if err := r.engine.Pose(w.pose); err != nil {
			return nil, err
		}
		h.posed = w.pose
	}
	r.Restart()
	r.pipeline.native.needGuides = w.guides
	for range film.BlockSamples {
		if !h.isAt(w) {
			return nil, nil
		}
		if _, err := r.Render(w.view, w.settings, view.Target{}); err != nil {
			return nil, err
		}
	}
	values, _, err = r.Image().Block()
	return values, err
}

// take gives what has been rendered since it was last called, and why the helper is of no more use.
func (h *helper) take() (values []float32, samples int, failed error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	values, samples = h.values, h.samples
	h.values, h.samples = nil, 0
	h.changed.Broadcast()
	return values, samples, h.failed
}

// AddHelper opens another device, which helps with live views that rest from the next scene on: their samples are those of all.
func (e *Engine) AddHelper(name string, open func() (*Renderer, error)) error {
	h, err := newHelper(name, open)
	if err == nil {
		e.helpers = append(e.helpers, h)
	}
	return err
}

// Helpers are the names of devices that help.
func (e *Engine) Helpers() (names []string) {
	for _, h := range e.helpers {
		names = append(names, h.name)
	}
	return names
}

// useOnHelpers has helpers take a scene. One that cannot is reported and dropped when a view next rests.
func (e *Engine) useOnHelpers(p *gpuscene.Prepared) {
	e.pose, e.rest = nil, restState{}
	for _, h := range e.helpers {
		h.use(p)
	}
}

// restState is what helpers are at, for an image.
type restState struct {
	work  *restWork
	added time.Time
}

// share has helpers render what an image may rest at, and adds what they have. What a call of Render has done is in stats. An image that
// begins anew has fewer samples than helpFrom, so helpers leave the one before.
func (e *Engine) share(a *accumulator, p *Plan, stats *view.Stats) error {
	rests := e.renderers == 1 && p.View.Live && !p.View.Moving && !p.errorMap && !p.View.Layers && !showsData(&p.Settings) &&
		stats.Scale == 1 && a.sampler.Key() == p.Key && a.film.AOVs() <= int(cuda.AovFilterPlanes) && a.sampler.SinceReplace() >= helpFrom
	switch {
	case !rests && e.rest.work != nil:
		e.rest = restState{}
		for _, h := range e.helpers {
			h.ask(nil)
		}
		return nil
	case !rests:
		return nil
	case e.rest.work == nil || e.rest.work.guides != (a.film.AOVs() > 0):
		own := p.Settings
		own.Denoise, own.Exec = denoise.Off, p.asked.Exec // each device has an engine that suits it
		v := view.View{Camera: p.View.Camera, Width: p.View.Width, Height: p.View.Height, Frame: p.View.Frame, Aspect: p.View.Aspect}
		e.rest = restState{&restWork{v, own, a.film.AOVs() > 0, e.pose}, time.Now()}
		// None has rendered more samples of this image than there are: those that it may have rendered before are passed over.
		rendered := (a.sampler.Samples()/film.BlockSamples + 1) * film.BlockSamples
		for i, h := range e.helpers {
			w := *e.rest.work
			w.view.FirstSample = (i+1)*firstOfHelper + rendered
			h.ask(&w)
		}
		return nil
	case time.Since(e.rest.added) < addEvery:
		return nil
	}
	if !a.sampler.Between() {
		return nil // a sample is under way
	}
	e.rest.added = time.Now()
	return e.addRest(a, stats)
}

// addRest adds what helpers have rendered to an image.
func (e *Engine) addRest(a *accumulator, stats *view.Stats) error {
	var all []float32
	count := 0
	e.helpers = slices.DeleteFunc(e.helpers, func(h *helper) bool {
		values, samples, failed := h.take()
		if failed != nil {
			stats.HelperError = fmt.Errorf("%s has failed, and helps no more: %w", h.name, failed)
			h.close()
			return true
		}
		if samples > 0 {
			all = film.AddValues(all, values)
			count += samples
		}
		return false
	})
	if count == 0 {
		return nil
	}
	if err := a.film.AddSums(all); err != nil {
		return err
	}
	a.sampler.AddSamples(count)
	stats.Samples = a.sampler.Samples()
	return nil
}

// openHelpers opens the devices that options name beside the first.
func (e *Engine) openHelpers(o Options, p profile.Policy) error {
	for _, other := range o.Helpers {
		other.Log = o.Log
		if err := e.AddHelper(other.name(), func() (*Renderer, error) { return Open(other, p) }); err != nil {
			return err
		}
	}
	return nil
}

// name is what a device is called.
func (o Options) name() string {
	if o.Backend == device.KindCUDA {
		return fmt.Sprintf("GPU %d", o.Device)
	}
	return "the processor"
}
