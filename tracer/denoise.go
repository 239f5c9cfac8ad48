package tracer

import (
	"errors"
	"fmt"
	"time"

	"glint/cuda"
	"glint/tracer/imageio"
	"glint/tracer/oidn"
)

// denoising is what one image needs to be denoised.
type denoising struct {
	denoiser *oidn.Denoiser
	buffers  *denoiseBuffers
	shown    int // the output that film shows
	samples  int // of the image that it was made from; 0: there is none of this image
	job      *denoiseJob
}

// denoiseBuffers are what a denoiser reads and writes: twice the output, one to show and one to write.
type denoiseBuffers struct {
	inputs  buffer // planes of float4 per pixel: enum DenoisePlane of cuda/params.h
	outputs [2]buffer
	pixels  int
}

func (b *denoiseBuffers) claims() []claim {
	return []claim{{&b.inputs, 16 * int(cuda.DenoisePlanes) * b.pixels}, {&b.outputs[0], 16 * b.pixels}, {&b.outputs[1], 16 * b.pixels}}
}

// oidnDevice opens OIDN for all renderers of the stage, once: what was missing then stays missing.
func (s *stage) oidnDevice() (*oidn.Device, error) {
	if s.oidn == nil && s.oidnWhy == nil {
		library, err := oidn.Find()
		if err == nil {
			s.oidn, err = s.device.openOIDN(library)
		}
		s.oidnWhy = err
	}
	return s.oidn, s.oidnWhy
}

// CheckDenoiser tells, before anything is rendered, why the denoiser that is asked for cannot be used.
func (r *Renderer) CheckDenoiser(s Settings) error {
	if s.Denoise == "off" {
		return nil
	}
	if _, err := r.oidnDevice(); err != nil {
		return fmt.Errorf("--denoise %s: %w", s.Denoise, err)
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
	if r.progress.samples == 0 || r.film.aovs.planes == 0 {
		return nil, errors.New("there are no samples with guides yet")
	}
	r.awaitJob()
	if r.denoise.samples != r.progress.samples {
		if err := r.denoiseNow(v, s); err != nil {
			return nil, err
		}
	}
	pixels := make([][4]float32, v.Width*v.Height)
	if err := r.device.download(r.denoise.buffers.outputs[r.denoise.shown], bytesOf(pixels)); err != nil {
		return nil, err
	}
	img := &imageio.Image{Width: v.Width, Height: v.Height, Pix: make([]float32, 0, 3*len(pixels))}
	for _, p := range pixels {
		img.Pix = append(img.Pix, p[:3]...)
	}
	return img, nil
}

// denoiseNow denoises the image as it is; on a GPU it queues that.
func (r *Renderer) denoiseNow(v View, s Settings) error {
	if err := r.readyDenoiser(v); err != nil {
		return err
	}
	d := &r.denoise
	err := r.device.timed(func() error {
		if err := r.gatherInputs(v, s); err != nil {
			return err
		}
		return d.denoiser.Denoise(d.task(v, s))
	})
	if err != nil {
		return err
	}
	d.shown, d.samples = 1-d.shown, r.progress.samples
	return nil
}

// readyDenoiser opens what is missing, and makes buffers of the view's size. A job under way keeps those that it works on.
func (r *Renderer) readyDenoiser(v View) error {
	d := &r.denoise
	if d.denoiser == nil {
		device, err := r.oidnDevice()
		if err != nil {
			return err
		}
		d.denoiser = device.Denoiser()
	}
	if d.buffers != nil && d.buffers.pixels == v.Width*v.Height {
		return nil
	}
	r.dropDenoiseBuffers()
	b := &denoiseBuffers{pixels: v.Width * v.Height}
	if err := take(r.device, b.claims()); err != nil {
		return fmt.Errorf("buffers of %d×%d: %w", v.Width, v.Height, err)
	}
	d.buffers = b
	return nil
}

// gatherInputs writes what the denoiser reads.
func (r *Renderer) gatherInputs(v View, s Settings) error {
	f := r.frame(v, s)
	f.Aovs, f.AovPlanes = r.film.aovs.buffer.address, uint32(r.film.aovs.planes)
	f.Denoiser = r.denoise.buffers.inputs.address
	if err := r.device.setFrame(&f); err != nil {
		return err
	}
	_, err := r.device.launch(cuda.DenoiseInput, 0, 0, v.Width*v.Height, time.Time{})
	return err
}

// task writes to the output that is not shown.
func (d *denoising) task(v View, s Settings) oidn.Task {
	plane := func(p uint32) oidn.Image {
		return oidn.Image{Address: d.buffers.inputs.address + uint64(p)*16*uint64(d.buffers.pixels), Stride: 16}
	}
	still := !v.Live
	t := oidn.Task{Width: v.Width, Height: v.Height, HDR: true, Prefilter: still, Quality: qualityOf[s.DenoiseQuality],
		Color: plane(cuda.DenoiseColor), Albedo: plane(cuda.DenoiseAlbedo), Normal: plane(cuda.DenoiseNormal),
		Output: oidn.Image{Address: d.buffers.outputs[1-d.shown].address, Stride: 16}}
	if t.Quality == 0 {
		t.Quality = oidn.Fast
		if still {
			t.Quality = oidn.High
		}
	}
	return t
}

// qualityOf translates the settings' words; auto is 0.
var qualityOf = map[string]oidn.Quality{"fast": oidn.Fast, "balanced": oidn.Balanced, "high": oidn.High}

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
	if r.denoise.denoiser != nil {
		r.denoise.denoiser.Release()
	}
	r.denoise = denoising{}
}
