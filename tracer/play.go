package tracer

import (
	"time"

	"glint/cuda"
	"glint/tracer/view"
)

// playPasses runs all passes of a frame as one.
func (r *Renderer) playPasses(table []pass, f *cuda.Frame, stats *view.Stats) error {
	var batch []launch
	for _, t := range table {
		if t.when != nil && !t.when(f) {
			continue
		}
		if t.apart != nil {
			if err := r.device.play(batch); err != nil {
				return err
			}
			batch = nil
			if err := r.setApart(t, f); err != nil {
				return err
			}
		}
		batch = append(batch, launch{t.kernel, t.turn, t.total(f), t.beside})
		stats.Paths += uint64(t.paths)
	}
	return r.device.play(batch)
}

// setApart fixes the frame of a pass that has one of its own.
func (r *Renderer) setApart(t pass, f *cuda.Frame) error {
	own := t.apart(*f)
	return r.device.setFrame(&own)
}

// runPass launches what is left of a pass.
func (r *Renderer) runPass(t pass, f *cuda.Frame, deadline time.Time, stats *view.Stats) error {
	p := &r.progress
	if t.when != nil && !t.when(f) {
		p.pass++
		return nil
	}
	if t.apart != nil {
		if err := r.setApart(t, f); err != nil {
			return err
		}
	}
	total := t.total(f)
	start := time.Now()
	reached, err := r.device.launch(t.kernel, t.turn, p.reached, total, deadline)
	if err != nil {
		return err
	}
	stats.Paths += uint64(t.paths*reached/total - t.paths*p.reached/total)
	if t.paths > 0 && f.Wavefront.PoolSize == 0 { // whole paths, not the beginnings of waves
		p.measure(reached-p.reached, time.Since(start))
	}
	p.reached = reached
	if reached == total {
		p.pass++
		p.reached = 0
	}
	return nil
}
