package integrator

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"glint/cuda"
	"glint/tracer/device"
	"glint/tracer/view"
)

// Sampler adds samples to a film, and knows how far it has come.
type Sampler struct {
	device device.Device
	Progress
	integrators map[string]Integrator // those that have been asked for
	firstHits   firstHits
	pool        pool
	media       device.Buffer // the volumes that the camera is in: see Frame.Sampling.CameraMedia
	lastCamera  cuda.Camera   // of the last whole frame; zero before, which sees nothing
	lastSample  sampleID
	lastFrame   cuda.Frame // the same, where it shares light; zero where its samples are gone
}

// sampleID says which sample of each pixel a frame took.
type sampleID struct{ index, seed uint32 }

// NewSampler is for an image on a device. Paths under way take turns in the memory with others, between samples.
func NewSampler(d device.Device, scratch *device.Scratch) *Sampler {
	return &Sampler{device: d, integrators: map[string]Integrator{}, firstHits: firstHits{device: d}, pool: pool{device: d, scratch: scratch}}
}

// AddSamples says that the film holds so many samples more, which others have rendered. Be between samples.
func (s *Sampler) AddSamples(n int) {
	p := &s.Progress
	p.samples, p.frames = p.samples+n, p.frames+n
	p.sinceReplace, p.weight, p.independent = p.sinceReplace+n, p.weight+n, p.independent+n
	s.firstHits.forget() // which sets of camera rays are taken, and from when on, follows from the number of the sample
}

// Begin starts an image anew where its key has changed, or resized says that its buffers have. It tells whether it did.
func (s *Sampler) Begin(key view.Key, resized bool) bool {
	p := &s.Progress
	if !resized && key == p.key {
		return false
	}
	if p.passIndex > 0 {
		s.resetIntegrators() // a frame was left half-way: its history is of two views
	}
	*p = Progress{key: key, image: p.image + 1, needsClear: true}
	s.lastFrame = cuda.Frame{}
	return true
}

// Restart forgets all samples and what integrators carry over.
func (s *Sampler) Restart() {
	s.Progress = Progress{image: s.image}
	s.resetIntegrators()
	s.firstHits.forget()
	s.lastCamera, s.lastFrame = cuda.Camera{}, cuda.Frame{}
}

func (s *Sampler) resetIntegrators() {
	for _, i := range s.integrators {
		i.Reset()
	}
}

// ClearViews empties what integrators draw for debug views.
func (s *Sampler) ClearViews() error {
	var errs []error
	for _, i := range s.integrators {
		if r, ok := i.(*restir); ok && r.view.buffer.Size > 0 {
			errs = append(errs, s.device.Zero(r.view.buffer))
		}
	}
	return errors.Join(errs...)
}

// FillReuseView has a view of reuse shown, where the integrator has one.
func (s *Sampler) FillReuseView(f *cuda.Frame, integrator, name string) error {
	if r, ok := s.integrator(integrator).(*restir); ok {
		return r.view.fill(s.device, f, name)
	}
	return nil
}

// integrator is the one of a name; the table has it.
func (s *Sampler) integrator(name string) Integrator {
	if i, ok := s.integrators[name]; ok {
		return i
	}
	i := lookup(name).new(s.device)
	s.integrators[name] = i
	return i
}

// Configure fills in what all kernels are to know of an integrator, and of the frame before.
func (s *Sampler) Configure(f *cuda.Frame, integrator string) {
	f.Previous = s.lastCamera
	s.setMedia(f)
	s.integrator(integrator).Configure(f)
}

// FillLastSample says which sample the last whole frame took. Of an average of several, samples are in the middle of pixels.
func (s *Sampler) FillLastSample(f *cuda.Frame, average bool) {
	f.Sampling.SampleIndex, f.Sampling.Seed = s.lastSample.index, s.lastSample.seed
	if average {
		f.Sampling.Flags &^= cuda.FrameAntialias
	}
}

// Result is what a call has done.
type Result struct {
	Paths uint64 // begun
	Whole bool   // a sample has been completed
}

// Sample continues the sample under way: pass by pass, until it stops after so long; with 0 it queues all of it as one. Extras are
// passes that come last and keep what the integrator does not.
func (s *Sampler) Sample(f *cuda.Frame, t *Task, extras []device.Pass, stopAfter time.Duration) (Result, error) {
	p, result := &s.Progress, Result{}
	var deadline time.Time
	piecemeal := stopAfter > 0
	if piecemeal {
		deadline = time.Now().Add(stopAfter)
	}
	f.Sampling.SampleIndex, t.Samples = uint32(t.View.FirstSample+p.samples), p.samples
	if !s.UnderWay() {
		p.gathers = mayGather(t, p.gathered, extras, piecemeal)
	}
	engines, integrator := lookup(t.Settings.Integrator).engines, s.integrator(t.Settings.Integrator)
	if err := s.prepare(f, t, engines, integrator); err != nil {
		return result, err
	}
	passes := append(withGuides(engines.passes(f, t), p.sharesHits), integrator.Passes(f, t)...)
	passes = s.withExtras(passes, extras)
	stop := t.View.Stop
	if !piecemeal && stop == nil && !s.UnderWay() {
		if err := s.submit(passes, f, &result); err != nil {
			return result, err
		}
		p.passIndex = len(passes)
	}
	for first := true; p.passIndex < len(passes) && (first || deadline.IsZero() || time.Now().Before(deadline)); first = false {
		select {
		case <-stop:
			return result, view.ErrStopped
		default:
		}
		if err := s.runPass(passes[p.passIndex], f, deadline, stop, &result); err != nil {
			return result, err
		}
	}
	if p.passIndex == len(passes) {
		s.finish(f, integrator)
		result.Whole = true
	}
	return result, nil
}

// prepare fixes the frame of the next sample.
func (s *Sampler) prepare(f *cuda.Frame, t *Task, e engines, i Integrator) (err error) {
	p := &s.Progress
	t.Path, t.DeferReuse = p.gathered, p.gathers
	f.Film.SampleWeight = float32(p.gathered + 1)
	if t.Settings.FirstHitCache {
		err = s.firstHits.fill(f, t.View.FirstSample+p.samples-p.gathered)
	}
	if err == nil {
		err = i.Prepare(f, t)
	}
	if err == nil && gathers(t) {
		err = s.firstHits.ofFrame(f, p.frames, t.Path)
	}
	if keepsGuides(f) {
		f.Sampling.Flags |= cuda.FrameKeepGuides
	}
	if err == nil && e.inWaves(t) {
		err = s.pool.fill(f, e.waves, &t.Settings)
	}
	switch shares := s.sharesHits(f); {
	case err == nil && shares && f.FirstHits.Hits == 0:
		err = s.firstHits.share(f)
	case !t.Settings.FirstHitCache && !Reuses(t.Settings.Integrator) && !wantsGuides(f):
		s.firstHits.free()
	}
	if err == nil {
		err = s.fillMedia(f)
	}
	if err == nil {
		err = s.device.SetFrame(f)
	}
	if err == nil && f.Sampling.CameraMedia != 0 && !s.UnderWay() {
		err = s.device.Submit([]device.Launch{{Kernel: cuda.CameraMedia, Indices: cuda.CameraMedia.Threads()}})
	}
	return err
}

// withGuides adds guides to the passes of paths. Where both trace their camera rays once, paths keep the hits. Guides have no consumer
// before the denoiser, so they may overlap all that follows.
func withGuides(paths []device.Pass, share bool) []device.Pass {
	at, known := 0, uint32(0)
	if share {
		at, known = lastCameraRays(paths)+1, 1
	}
	return slices.Insert(paths, at, device.Pass{Kernel: cuda.Guides, Arg: known, When: wantsGuides, Overlap: device.Rest},
		device.Pass{Kernel: cuda.FollowGuides, When: wantsGuides, Overlap: device.Rest})
}

// lastCameraRays is the last pass that traces camera rays.
func lastCameraRays(paths []device.Pass) int {
	for i := len(paths) - 1; i > 0; i-- {
		if paths[i].Kernel == cuda.ExtendFirst {
			return i
		}
	}
	return 0
}

// setMedia says where the volumes that the camera is in are noted, in scenes that have some.
func (s *Sampler) setMedia(f *cuda.Frame) {
	if f.Scene.Missing&cuda.FeatureVolumes == 0 {
		f.Sampling.CameraMedia = s.media.Address
	}
}

// fillMedia makes room for them first.
func (s *Sampler) fillMedia(f *cuda.Frame) error {
	if f.Scene.Missing&cuda.FeatureVolumes == 0 && s.media.Size == 0 {
		if err := device.Allocate(s.device, []device.Allocation{{Buffer: &s.media, Bytes: 16}}); err != nil {
			return fmt.Errorf("find the volume around the camera: %w", err)
		}
	}
	s.setMedia(f)
	return nil
}

// mayGather tells whether a sample is part of a frame that goes on: it may be, and setting restir-paths allows for another path.
func mayGather(t *Task, gathered int, extras []device.Pass, piecemeal bool) bool {
	return Reuses(t.Settings.Integrator) && t.View.DeferReuse && !piecemeal && len(extras) == 0 && gathered+1 < t.Settings.RestirPaths
}

// sharesHits tells whether guides and paths trace the camera rays of the sample under way once. That is decided when it begins.
func (s *Sampler) sharesHits(f *cuda.Frame) bool {
	p := &s.Progress
	if !s.UnderWay() {
		p.sharesHits = wantsGuides(f) && !keepsGuides(f) && f.Sampling.Flags&cuda.FrameFirstHits == 0
	}
	return p.sharesHits
}

// wantsGuides: somebody wants to know what is seen. All paths of a frame see the same.
func wantsGuides(f *cuda.Frame) bool {
	return f.Film.AovPlanes > 0 && f.Restir.Flags&cuda.RestirGather == 0
}

// withExtras adds passes at the end. Where they change while a sample is under way, they begin anew.
func (s *Sampler) withExtras(passes, extras []device.Pass) []device.Pass {
	p := &s.Progress
	if len(extras) != p.extras || len(extras) > 0 && extras[0].Kernel != p.firstExtra {
		if p.passIndex >= len(passes) {
			p.passIndex, p.launchIndex = len(passes), 0
		}
		p.extras = len(extras)
		if p.extras > 0 {
			p.firstExtra = extras[0].Kernel
		}
	}
	return append(passes, extras...)
}

// submit runs all passes of a sample as one piece of work.
func (s *Sampler) submit(passes []device.Pass, f *cuda.Frame, result *Result) error {
	var batch []device.Launch
	for _, p := range passes {
		if p.When != nil && !p.When(f) {
			continue
		}
		if p.Frame != nil {
			if err := s.device.Submit(batch); err != nil {
				return err
			}
			batch = nil
			if err := s.setFrameOf(p, f); err != nil {
				return err
			}
		}
		batch = append(batch, device.Launch{Kernel: p.Kernel, Arg: p.Arg, Indices: p.Total(f), Overlap: p.Overlap})
		result.Paths += uint64(p.Paths)
		if p.Frame != nil {
			if err := errors.Join(s.device.Submit(batch), s.device.SetFrame(f)); err != nil {
				return err
			}
			batch = nil
		}
	}
	return s.device.Submit(batch)
}

// setFrameOf fixes the frame of a pass that has one of its own.
func (s *Sampler) setFrameOf(p device.Pass, f *cuda.Frame) error {
	own := p.Frame(*f)
	return s.device.SetFrame(&own)
}

// runPass launches what is left of a pass.
func (s *Sampler) runPass(pass device.Pass, f *cuda.Frame, deadline time.Time, stop <-chan struct{}, result *Result) error {
	p := &s.Progress
	if pass.When != nil && !pass.When(f) {
		p.passIndex++
		p.launchIndex = 0 // guides may end half-way
		return nil
	}
	if pass.Frame != nil {
		if err := s.setFrameOf(pass, f); err != nil {
			return err
		}
	}
	total := pass.Total(f)
	reached, err := s.device.RunUntil(device.Launch{Kernel: pass.Kernel, Arg: pass.Arg, Indices: total, Stop: stop}, p.launchIndex, deadline)
	if err != nil {
		return err
	}
	result.Paths += uint64(pass.Paths*reached/total - pass.Paths*p.launchIndex/total)
	p.launchIndex = reached
	if reached == total {
		p.passIndex++
		p.launchIndex = 0
	}
	if pass.Frame != nil {
		return s.device.SetFrame(f)
	}
	return nil
}

// finish counts a sample that is whole.
func (s *Sampler) finish(f *cuda.Frame, i Integrator) {
	p := &s.Progress
	p.samples++
	p.passIndex = 0
	if p.gathers {
		p.gathered++
		i.Finish(f)
		return
	}
	if f.Sampling.Flags&cuda.FrameReplace != 0 {
		p.image++
		p.sinceReplace, p.weight = 0, 0
	}
	p.sinceReplace++
	p.weight += p.gathered + 1
	p.gathered = 0
	p.frames++
	if p.sinceReplace == 1 {
		p.independent = 0
	}
	if p.sinceReplace == 1 || f.Restir.Flags&cuda.RestirTemporal == 0 {
		p.independent++
	}
	s.lastCamera, s.lastSample = f.Camera, sampleID{f.Sampling.SampleIndex, f.Sampling.Seed}
	s.lastFrame = cuda.Frame{}
	if f.Restir.Gbuffer != 0 {
		s.lastFrame = *f
	}
	i.Finish(f)
}

// Queues reads back how many rays stood in the queues of the last frame of the wavefront engine, wave by wave.
func (s *Sampler) Queues() (extension, shadow []float64, err error) { return s.pool.lengthsOf() }

// Memory is what integrators, paths under way and first hits hold, bytes.
func (s *Sampler) Memory() (integrators, pool, firstHits int) {
	for _, i := range s.integrators {
		integrators += i.Bytes()
	}
	return integrators, s.pool.bytes(), s.firstHits.hits.Size
}

// Free gives the memory back.
func (s *Sampler) Free() {
	s.lastFrame = cuda.Frame{}
	for _, i := range s.integrators {
		i.Free()
	}
	s.pool.free()
	s.firstHits.free()
	device.Release(s.device, []device.Allocation{{Buffer: &s.media}})
}
