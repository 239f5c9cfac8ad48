package tracer

import (
	"errors"
	"math"
	"time"

	"glint/cuda"
	"glint/tracer/settings"
	"glint/tracer/view"
)

// progress is how far accumulation has come, and what it was begun for.
type progress struct {
	key      accumulationKey
	samples  int  // whole samples in every pixel
	image    int  // counts images, also those that replaced the one before
	fresh    int  // samples since the image began or was replaced
	pass     int  // of the sample under way
	reached  int  // index within that pass
	stale    bool // buffers still hold the image before
	keeps    int  // passes at its end that keep something besides, the first of which is first
	first    cuda.Kernel
	preview  int     // samples of the small image
	scale    int     // of the small image
	cost     float64 // of one index of trace_paths, ns, measured
	previewW int
	previewH int
}

// sampleID says which sample of each pixel a frame took.
type sampleID struct{ index, seed uint32 }

// accumulationKey is everything that, when it changes, makes accumulated samples worthless.
type accumulationKey struct {
	scene         *deviceScene
	moves         int // of its instances
	width, height int
	camera        cuda.Camera
	settings      settings.Settings
	frame         int
}

func (r *Renderer) key(v view.View, s settings.Settings) accumulationKey {
	s = s.OfImage()
	camera := v.Lens(&s)
	s.DepthOfField, s.Aperture, s.Focus = false, 0, 0 // the camera says what they amount to
	return accumulationKey{r.scene, r.scene.upper.moves, v.Width, v.Height, camera, s, v.Frame}
}

// indices is how many launch indices an image has: whole 8×4 tiles.
func indices(width, height int) int { return (width + 7) / 8 * 8 * ((height + 3) / 4 * 4) }

// sample adds to the image what the budget allows.
func (r *Renderer) sample(v view.View, s settings.Settings) (view.Stats, error) {
	// The picture before is waited for: a device that lags behind would answer input late.
	if err := errors.Join(r.device.sync(), r.harvest()); err != nil {
		return view.Stats{}, err
	}
	restarted, err := r.restartIfChanged(v, s)
	if err != nil {
		return view.Stats{}, err
	}
	if err := r.clearStale(); err != nil {
		return view.Stats{}, err
	}
	if err := r.chooseTree(s); err != nil {
		return view.Stats{}, err
	}
	r.watch.begin(r.device)
	f := r.frame(v, s)
	f.Sampling.Flags |= r.watch.flag()
	p := &r.progress
	stats := view.Stats{Restarted: restarted, Integrator: s.Integrator, NonFinite: r.watch.nonFinite}
	piecemeal := v.Budget > 0 && r.device.backend().Kind == "cpu"
	if piecemeal && (v.Moving || p.preview == 0) && p.samples == 0 && p.pass == 0 && p.reached == 0 {
		err = r.samplePreview(&f, v, &stats)
	} else {
		err = r.sampleFull(&f, v, s, piecemeal, &stats)
	}
	stats.Samples = p.samples
	stats.Scale = 1
	if p.samples == 0 && p.preview > 0 {
		stats.Scale = p.scale
	}
	return stats, err
}

// restartIfChanged begins the image anew when it would show something else from now on.
func (r *Renderer) restartIfChanged(v view.View, s settings.Settings) (bool, error) {
	resized, err := r.film.resize(r.device, v.Width, v.Height)
	if err != nil {
		return false, err
	}
	p := &r.progress
	if key := r.key(v, s); resized || key != p.key {
		if p.pass > 0 {
			r.reuse = reuse{} // a frame was left half-way: its history is of two views
		}
		*p = progress{key: key, cost: p.cost, image: p.image + 1, stale: true}
		r.watch.forget()
		r.denoise.samples, r.film.aovs.since = 0, 0
		r.trust.forget()
		return true, nil
	}
	return false, nil
}

// clearStale clears the buffers of an image that has begun anew, once somebody adds to it or reads it: while a view is
// upscaled nobody does.
func (r *Renderer) clearStale() error {
	if !r.progress.stale {
		return nil
	}
	r.progress.stale = false
	for _, b := range []buffer{r.film.counters, r.film.accumulation, r.film.restir.view, r.film.aovs.buffer, r.trust.halves} {
		if b.size == 0 {
			continue
		}
		if err := r.device.zero(b); err != nil {
			return err
		}
	}
	return nil
}

// sampleFull continues the sample under way, pass by pass, as far as the time allows on a device that works piecemeal.
func (r *Renderer) sampleFull(f *cuda.Frame, v view.View, s settings.Settings, piecemeal bool, stats *view.Stats) error {
	p := &r.progress
	start := time.Now()
	var deadline time.Time
	if piecemeal {
		deadline = start.Add(v.Budget)
	}
	f.Sampling.SampleIndex = uint32(p.samples)
	if err := r.applyFirstHits(f, s); err != nil {
		return err
	}
	if s.Integrator == "restir-gi" {
		if err := r.applyReuse(f, v, s); err != nil {
			return err
		}
	}
	if err := r.applyAOVs(f, v, s); err != nil {
		return err
	}
	if err := r.applyWavefront(f, s); err != nil {
		return err
	}
	if err := r.device.setFrame(f); err != nil {
		return err
	}
	table := r.wholeTable(v, s, f)
	if !piecemeal && p.pass == 0 && p.reached == 0 {
		if err := r.playPasses(table, f, stats); err != nil {
			return err
		}
		p.pass = len(table)
	}
	for first := true; p.pass < len(table) && (first || deadline.IsZero() || time.Now().Before(deadline)); first = false {
		if err := r.runPass(table[p.pass], f, deadline, stats); err != nil {
			return err
		}
	}
	if p.pass == len(table) {
		p.samples++
		p.pass = 0
		if f.Sampling.Flags&cuda.FrameReplace != 0 {
			p.image++
			p.fresh = 0
		}
		p.fresh++
		r.watch.finish(f)
		r.trust.keep(f)
		r.eye, r.taken = f.Camera, sampleID{f.Sampling.SampleIndex, f.Sampling.Seed}
		if s.Integrator == "restir-gi" {
			r.finishReuse(f)
		}
	}
	return nil
}

// measure keeps a running mean of what a path costs.
func (p *progress) measure(indices int, spent time.Duration) {
	cost := float64(spent) / float64(max(indices, 1))
	if p.cost == 0 {
		p.cost = cost
	}
	p.cost += 0.3 * (cost - p.cost)
}

// samplePreview renders a small image that fits the budget.
func (r *Renderer) samplePreview(f *cuda.Frame, v view.View, stats *view.Stats) error {
	p := &r.progress
	if p.preview == 0 {
		p.scale = previewScale(indices(v.Width, v.Height), p.cost, v.Budget)
		p.previewW, p.previewH = max(v.Width/p.scale, 1), max(v.Height/p.scale, 1)
		if err := r.film.clearPreview(r.device, p.previewW*p.previewH); err != nil {
			return err
		}
	}
	small := *f
	small.Film.Accumulation = r.film.preview.address
	small.Film.Width, small.Film.Height = uint32(p.previewW), uint32(p.previewH)
	small.Sampling.SampleIndex = uint32(p.preview)
	if err := r.device.setFrame(&small); err != nil {
		return err
	}
	start := time.Now()
	n := indices(p.previewW, p.previewH)
	if _, err := r.device.launch(cuda.TracePaths, 0, 0, n, time.Time{}); err != nil {
		return err
	}
	stats.Paths += uint64(n)
	p.measure(n, time.Since(start))
	p.preview++
	r.watch.finish(&small)
	return nil
}

// previewScale is the whole divisor of the image's sides that makes one sample fit the budget.
func previewScale(indices int, cost float64, budget time.Duration) int {
	if cost == 0 {
		return 12 // nothing is known yet: be careful
	}
	scale := math.Ceil(math.Sqrt(float64(indices) * cost / float64(budget)))
	return int(min(max(scale, 1), 32))
}

// resolve runs the film kernel into the target.
func (r *Renderer) resolve(v view.View, s settings.Settings, t view.Target) error {
	f := r.frame(v, s)
	if r.progress.preview > 0 && r.progress.samples == 0 {
		f.Film.PreviewWidth, f.Film.PreviewHeight = uint32(r.progress.previewW), uint32(r.progress.previewH)
	}
	if t.FlipY {
		f.Sampling.Flags |= cuda.FrameFlipY
	}
	if r.Integrator(v, s) == "restir-gi" {
		if err := r.applyView(&f, s); err != nil {
			return err
		}
	}
	r.applyShown(&f, s)
	if err := r.applyDisplay(&f, v, s); err != nil {
		return err
	}
	f.Display.Target = r.film.target.address
	if t.Buffer != 0 {
		address, err := r.device.mapTarget(t.Buffer)
		if err != nil {
			return err
		}
		f.Display.Target = address
	}
	err := r.develop(&f, v.Width*v.Height)
	if t.Buffer != 0 {
		if unmapErr := r.device.unmapTarget(t.Buffer); err == nil {
			err = unmapErr
		}
		return err
	}
	if err != nil || t.Pixels == nil {
		return err
	}
	return r.device.download(r.film.target, t.Pixels)
}

// trace runs a few rays through the scene, for picking.
func (r *Renderer) trace(f *cuda.Frame, rays []cuda.Ray) ([]cuda.Hit, error) {
	hits := make([]cuda.Hit, len(rays))
	if err := r.device.upload(r.film.rays, bytesOf(rays)); err != nil {
		return nil, err
	}
	f.Rays.Rays, f.Rays.Hits, f.Rays.Count = r.film.rays.address, r.film.hits.address, uint32(len(rays))
	if err := r.device.setFrame(f); err != nil {
		return nil, err
	}
	if _, err := r.device.launch(cuda.TraceRaysClosest, 0, 0, len(rays), time.Time{}); err != nil {
		return nil, err
	}
	if err := r.device.sync(); err != nil {
		return nil, err
	}
	return hits, r.device.download(r.film.hits, bytesOf(hits))
}
