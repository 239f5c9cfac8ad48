package crew

import (
	"fmt"
	"sync"

	"glint/tracer"
	"glint/tracer/film"
	"glint/tracer/gpuscene"
	"glint/tracer/guard"
	"glint/tracer/scene"
	"glint/tracer/view"
)

// helper is another device with the same scene, which renders samples of a view on a thread of its own.
type helper struct {
	name     string
	thread   *Thread
	renderer *tracer.Renderer // used by the thread alone
	posed    *scene.Pose      // likewise

	mu      sync.Mutex
	at      *work     // nil: nothing to render
	working bool      // the thread is at it
	values  []float32 // sums of samples of at that nobody has taken yet
	samples int       // in them
	failed  error
}

// work is a view that rests, and the next sample of it to render.
type work struct {
	tracer.Resting
	pose *scene.Pose
}

// mostUntaken bounds the samples that a helper renders ahead of being asked for them.
const mostUntaken = 64 * film.BlockSamples

func newHelper(name string, open func() (*tracer.Renderer, error)) (*helper, error) {
	h := &helper{name: name, thread: NewThread()}
	var err error
	h.do(func() { h.renderer, err = open() })
	if err != nil {
		h.thread.Close()
		return nil, fmt.Errorf("open %s: %w", name, err)
	}
	return h, nil
}

// do ends the work, and runs a job on the helper's thread.
func (h *helper) do(job func()) {
	h.ask(nil)
	h.thread.Do(job)
}

func (h *helper) use(p *gpuscene.Prepared) {
	var err error
	h.do(func() {
		h.posed = nil
		err = h.renderer.Engine().Use(p)
	})
	h.mu.Lock()
	h.failed = err
	h.mu.Unlock()
}

func (h *helper) close() {
	h.do(func() { _ = h.renderer.Close() })
	h.thread.Close()
}

// ask has the helper render samples; nil for none. It does not wait.
func (h *helper) ask(w *work) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.at, h.values, h.samples = w, nil, 0
	h.wake()
}

// wake has the thread go on, if there is something to render.
func (h *helper) wake() {
	if h.at != nil && h.failed == nil && !h.working {
		h.working = true
		h.thread.Start(h.run)
	}
}

// run renders blocks of samples until there are enough, or none are wanted.
func (h *helper) run() {
	for w := h.next(); w != nil; w = h.next() {
		var values []float32
		err := guard.Safely(func() (err error) {
			values, err = h.block(w)
			return err
		})
		h.mu.Lock()
		switch {
		case h.at != w:
		case err != nil:
			h.failed = err
		default:
			h.values = film.AddValues(h.values, values)
			h.samples += film.BlockSamples
			w.View.FirstSample += film.BlockSamples
		}
		h.mu.Unlock()
	}
}

// next is what to render a block of; nil to stop.
func (h *helper) next() *work {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.at == nil || h.failed != nil || h.samples >= mostUntaken {
		h.working = false
		return nil
	}
	return h.at
}

func (h *helper) isAt(w *work) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.at == w
}

// block renders a block of samples; nil where something else is wanted meanwhile.
func (h *helper) block(w *work) (values []float32, err error) {
	r := h.renderer
	if w.pose != h.posed {
		if err := r.Engine().Pose(w.pose); err != nil {
			return nil, err
		}
		h.posed = w.pose
	}
	r.Restart()
	r.Image().KeepGuides(w.Guides)
	for range film.BlockSamples {
		if !h.isAt(w) {
			return nil, nil
		}
		if _, err := r.Render(w.View, w.Settings, view.Target{}); err != nil {
			return nil, err
		}
	}
	values, _, err = r.Image().Block()
	return values, err
}

// take gives what was rendered since the last call, and why the helper is of no more use.
func (h *helper) take() (values []float32, samples int, failed error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	values, samples = h.values, h.samples
	h.values, h.samples = nil, 0
	h.wake()
	return values, samples, h.failed
}
