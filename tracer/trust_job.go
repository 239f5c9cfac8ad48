package tracer

import (
	"fmt"

	"glint/cuda"
	"glint/tracer/oidn"
)

// trustBuffers are what a denoiser reads and writes of two halves: all of one half, then all of the other. A job owns those that it
// works on.
type trustBuffers struct {
	inputs   buffer // planes of float4 per pixel: enum DenoisePlane of cuda/kernels/params/denoise.h
	signals  buffer // of the built-in filter, twice
	images   buffer // float4 per pixel
	pixels   int
	denoiser string // that they serve
}

func (b *trustBuffers) claims() []claim {
	const plane = 16 // bytes a pixel
	claims := []claim{{&b.inputs, 2 * plane * int(cuda.DenoisePlanes) * b.pixels}, {&b.images, 2 * plane * b.pixels}}
	if b.denoiser == "atrous" {
		claims = append(claims, claim{&b.signals, 2 * 2 * plane * b.pixels})
	}
	return claims
}

// ofHalf is where what one half has of a buffer begins.
func ofHalf(b buffer, half int) uint64 { return b.address + uint64(half*b.size/2) }

// trustJob denoises two halves in the background.
type trustJob struct {
	buffers *trustBuffers
	samples int
	image   accumulationKey
	done    chan struct{} // closed when it has ended
	err     error         // why it failed, then
}

func (j *trustJob) ended() bool {
	select {
	case <-j.done:
		return true
	default:
		return false
	}
}

// halvesBy is the denoiser of the halves: that of the image; where it has none, OIDN, or else the built-in filter.
func (r *Renderer) halvesBy(s Settings) string {
	if s.Denoise == "atrous" || s.Denoise == "oidn" {
		return s.Denoise
	}
	if _, err := r.oidnDevice(); err != nil {
		return "atrous"
	}
	return "oidn"
}

// fitTrust makes buffers for a size and a denoiser. A job under way keeps those that it works on.
func (r *Renderer) fitTrust(v View, s Settings) error {
	t, by := &r.trust, r.halvesBy(s)
	if b := t.buffers; b != nil && b.pixels == v.Width*v.Height && b.denoiser == by {
		return nil
	}
	r.dropTrustBuffers()
	b := &trustBuffers{pixels: v.Width * v.Height, denoiser: by}
	if err := take(r.device, b.claims()); err != nil {
		return fmt.Errorf("buffers of the trust map: %w", err)
	}
	t.buffers = b
	return nil
}

// dropTrustBuffers gives the denoiser's buffers back, or leaves that to the job that works on them.
func (r *Renderer) dropTrustBuffers() {
	t := &r.trust
	if t.buffers != nil && (t.job == nil || t.job.buffers != t.buffers) {
		giveBack(r.device, t.buffers.claims())
	}
	t.buffers, t.samples = nil, 0
}

// startTrust takes a copy of both halves and denoises that.
func (r *Renderer) startTrust(v View, s Settings) error {
	work, err := r.halfWork(v, s)
	if err != nil {
		return err
	}
	t := &r.trust
	job := &trustJob{buffers: t.buffers, samples: t.kept, image: r.progress.key, done: make(chan struct{})}
	go func() {
		defer close(job.done)
		job.err = work()
	}()
	t.job = job
	return nil
}

// pollTrust takes over what the background has finished, if it is of the image that accumulates now.
func (r *Renderer) pollTrust(v View, s Settings) error {
	t := &r.trust
	job := t.job
	if job == nil || !job.ended() {
		return nil
	}
	own := job.buffers == t.buffers
	r.endTrust(job)
	if !own || job.err != nil || job.image != r.progress.key || job.samples > t.kept {
		return job.err
	}
	t.samples = job.samples
	return r.compareHalves(v, s)
}

// endTrust forgets a job that has ended, and gives its buffers back if they are of use to nobody.
func (r *Renderer) endTrust(job *trustJob) {
	t := &r.trust
	t.job = nil
	if job.buffers != t.buffers {
		giveBack(r.device, job.buffers.claims())
	}
}

// awaitTrust waits for the background. What it says then is of no interest.
func (r *Renderer) awaitTrust() {
	if job := r.trust.job; job != nil {
		<-job.done
		r.endTrust(job)
	}
}

// halfWork copies both halves, and the guides of the whole, for the denoiser, and tells what is to be done with them.
func (r *Renderer) halfWork(v View, s Settings) (func() error, error) {
	var frames [2]cuda.Frame
	for half := range frames {
		f := &frames[half]
		*f = r.halfFrame(v, s, half)
		input := launch{kernel: cuda.DenoiseInput, indices: v.Width * v.Height}
		if r.trust.buffers.denoiser == "atrous" {
			input = atrousInput(f)
		}
		if err := r.device.setFrame(f); err != nil {
			return nil, err
		}
		if err := r.device.play([]launch{input}); err != nil {
			return nil, err
		}
	}
	if r.trust.buffers.denoiser == "oidn" {
		return r.halvesByOIDN(v, s, frames)
	}
	aside := r.device.aside()
	return func() error { return filterHalves(aside, frames) }, nil
}

// halfFrame is what kernels read that denoise one half.
func (r *Renderer) halfFrame(v View, s Settings, half int) cuda.Frame {
	t := &r.trust
	f := r.trustFrameOf(v, s)
	f.Film.Accumulation = t.halves.address + uint64(half)*16*uint64(t.pixels)
	f.Denoise.Inputs, f.Denoise.Irradiance, f.Denoise.Denoised = ofHalf(t.buffers.inputs, half), ofHalf(t.buffers.signals, half), ofHalf(t.buffers.images, half)
	f.Denoise.ImageSamples = float32(t.kept+1-half) / 2
	return f
}

// filterHalves denoises both halves by the built-in filter, as stills: neither has a past.
func filterHalves(d device, frames [2]cuda.Frame) error {
	for i := range frames {
		f := &frames[i]
		if err := d.setFrame(f); err != nil {
			return err
		}
		if err := d.play(atrousFilter(f)); err != nil {
			return err
		}
	}
	return nil
}

// halvesByOIDN denoises both halves by OIDN. Its filters live as long as the work takes, so whoever stops it need not.
func (r *Renderer) halvesByOIDN(v View, s Settings, frames [2]cuda.Frame) (func() error, error) {
	opened, err := r.oidnDevice()
	if err != nil {
		return nil, fmt.Errorf("trust map: %w", err)
	}
	var tasks []oidn.Task
	for _, f := range frames {
		tasks = append(tasks, oidnTask(v, s, f.Denoise.Inputs, f.Denoise.Denoised))
	}
	work := func() error {
		denoiser := opened.Denoiser()
		defer denoiser.Release()
		for _, t := range tasks {
			if err := denoiser.Denoise(t); err != nil {
				return err
			}
		}
		return nil
	}
	if r.inBackground(v) {
		return work, nil
	}
	return func() error { return r.device.timed(work) }, nil
}
