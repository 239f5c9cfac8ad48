package tracer

import (
	"errors"
	"fmt"

	"glint/cuda"
	"glint/tracer/imageio"
	"glint/tracer/oidn"
)

// denoising is what one image needs to be denoised.
type denoising struct {
	oidn    *oidn.Denoiser // once it has been asked for
	buffers *denoiseBuffers
	history history
	shown   int    // the output that film shows, where history holds none
	samples int    // of the image that it was made from; 0: there is none of this image
	by      recipe // how it was made
	job     *denoiseJob
}

// recipe is how an image is denoised.
type recipe struct{ denoiser, quality string }

func recipeOf(s Settings) recipe {
	if s.Denoise != "oidn" {
		s.DenoiseQuality = ""
	}
	return recipe{s.Denoise, s.DenoiseQuality}
}

// denoiseBuffers are what a denoiser reads and writes: twice the output, one to show and one to write.
type denoiseBuffers struct {
	inputs   buffer // planes of float4 per pixel: enum DenoisePlane of cuda/kernels/params/denoise.h
	signals  buffer // of the built-in filter, twice
	outputs  [2]buffer
	pixels   int
	denoiser string // that they serve
}

func (b *denoiseBuffers) claims() []claim {
	const plane = 16 // bytes a pixel
	claims := []claim{{&b.inputs, plane * int(cuda.DenoisePlanes) * b.pixels}, {&b.outputs[0], plane * b.pixels}, {&b.outputs[1], plane * b.pixels}}
	if b.denoiser == "atrous" {
		claims = append(claims, claim{&b.signals, 2 * plane * b.pixels})
	}
	return claims
}

// denoiser is what denoises a view. In a live one the built-in filter stands in for OIDN where that is missing; why tells.
func (r *Renderer) denoiser(v View, s Settings) (name string, why error) {
	if s.Denoise == "auto" {
		return autoDenoiser(v, r.device.backend().Kind), nil
	}
	if s.Denoise == "oidn" && v.Live {
		if _, err := r.oidnDevice(); err != nil {
			return "atrous", err
		}
	}
	return s.Denoise, nil
}

// autoDenoiser is the built-in one where somebody watches a GPU: in motion it is about as near to the truth as OIDN, in a
// quarter of the time (docs/benchmarks.md).
func autoDenoiser(v View, backend string) string {
	if v.Window && v.Live && backend == "cuda" {
		return "atrous"
	}
	return "off"
}

// CheckDenoiser tells, before anything is rendered, why the denoiser that is asked for cannot be used.
func (r *Renderer) CheckDenoiser(s Settings) error {
	if s.Denoise != "oidn" {
		return nil
	}
	if _, err := r.oidnDevice(); err != nil {
		return fmt.Errorf("--denoise oidn: %w; or take --denoise atrous, which is built in", err)
	}
	return nil
}

// Denoise is the denoised image of what has been accumulated (linear, nits), made now unless the last frame made it. Film
// shows it from then on.
func (r *Renderer) Denoise(v View, s Settings) (*imageio.Image, error) {
	img, err := r.denoiseWhole(v, s)
	if err != nil {
		return nil, fmt.Errorf("denoise: %w", err)
	}
	return img, nil
}

func (r *Renderer) denoiseWhole(v View, s Settings) (*imageio.Image, error) {
	if !r.hasGuides() {
		return nil, errors.New("there are no samples with guides yet")
	}
	s.Denoise, _ = r.denoiser(v, s)
	r.awaitJob()
	if d := &r.denoise; d.samples != r.progress.samples || d.by != recipeOf(s) {
		if err := r.denoiseNow(v, s); err != nil {
			return nil, err
		}
	}
	pixels := make([][4]float32, v.Width*v.Height)
	if err := r.device.download(r.denoise.picture(), bytesOf(pixels)); err != nil {
		return nil, err
	}
	img := &imageio.Image{Width: v.Width, Height: v.Height, Pix: make([]float32, 0, 3*len(pixels))}
	for _, p := range pixels {
		img.Pix = append(img.Pix, p[:3]...)
	}
	return img, nil
}

// picture is what film shows.
func (d *denoising) picture() buffer {
	if h := &d.history; h.pixels > 0 {
		return h.pictures[h.turn]
	}
	return d.buffers.outputs[d.shown]
}

// denoiseNow denoises the image as it is; on a GPU it queues that.
func (r *Renderer) denoiseNow(v View, s Settings) error {
	f, err := r.denoiserFrame(v, s)
	if err == nil {
		err = r.device.setFrame(&f)
	}
	if err == nil && s.Denoise == "oidn" {
		err = r.device.timed(func() error { return r.runOIDN(v, s, &f) })
	} else if err == nil {
		err = r.device.play(append([]launch{atrousInput(&f)}, atrousFilter(&f)...))
	}
	if err != nil {
		r.denoise.history.forget()
		return err
	}
	r.denoise.finish(r.progress.samples, recipeOf(s))
	return nil
}

// finish shows what was written last.
func (d *denoising) finish(samples int, by recipe) { d.shown, d.samples, d.by = 1-d.shown, samples, by }

// denoiserFrame is what a denoiser's kernels read. It opens what is missing, and makes buffers of the view's size.
func (r *Renderer) denoiserFrame(v View, s Settings) (cuda.Frame, error) {
	d := &r.denoise
	f := r.frame(v, s)
	if s.Denoise == "oidn" {
		if err := r.readyOIDN(); err != nil {
			return f, err
		}
	}
	if err := r.fitDenoiser(v, s); err != nil {
		return f, fmt.Errorf("buffers of %d×%d: %w", v.Width, v.Height, err)
	}
	f.Film.Aovs, f.Film.AovPlanes = r.film.aovs.buffer.address, uint32(r.film.aovs.planes)
	f.Denoise.Inputs, f.Denoise.Irradiance, f.Denoise.Denoised = d.buffers.inputs.address, d.buffers.signals.address, d.buffers.outputs[1-d.shown].address
	f.Denoise.ImageSamples = float32(r.progress.fresh)
	if r.remembers(v, s) {
		return f, r.applyHistory(&f, v, s)
	}
	d.history.free(r.device)
	return f, nil
}

// fitDenoiser makes buffers for a size and a denoiser. A job under way keeps those that it works on.
func (r *Renderer) fitDenoiser(v View, s Settings) error {
	d := &r.denoise
	if b := d.buffers; b != nil && b.pixels == v.Width*v.Height && b.denoiser == s.Denoise {
		return nil
	}
	r.dropDenoiseBuffers()
	b := &denoiseBuffers{pixels: v.Width * v.Height, denoiser: s.Denoise}
	if err := take(r.device, b.claims()); err != nil {
		return err
	}
	d.buffers = b
	return nil
}

// dropDenoiseBuffers gives the buffers back, or leaves that to the job that works on them.
func (r *Renderer) dropDenoiseBuffers() {
	d := &r.denoise
	if d.buffers != nil && (d.job == nil || d.job.buffers != d.buffers) {
		giveBack(r.device, d.buffers.claims())
	}
	d.buffers, d.samples = nil, 0
}

// closeDenoiser gives everything back that belongs to this image.
func (r *Renderer) closeDenoiser() {
	r.awaitJob()
	r.dropDenoiseBuffers()
	r.denoise.history.free(r.device)
	if r.denoise.oidn != nil {
		r.denoise.oidn.Release()
	}
	r.denoise = denoising{}
}
