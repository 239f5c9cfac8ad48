package tracer

import (
	"fmt"
	"time"

	"glint/cuda"
	"glint/tracer/imageio"
	"glint/tracer/settings"
	"glint/tracer/view"
)

// upscaleBuffers are what upscaling keeps of each pixel of the full size, and of each sample.
type upscaleBuffers struct {
	guides    buffer    // AOVs of the frame at full size
	image     buffer    // float4: the small image at full size; later what fades in
	history   [2]buffer // float4: the last upscaled image and the one before, by turns
	distances [2]buffer // float: how far away what they show is
	samples   buffer    // cuda.SmallPixel per sample
	pixels    int
	small     int // samples that there is room for
	turn      int // which history is the last
}

const smallPixelSize = 48

func (b *upscaleBuffers) claims(pixels, small int) []claim {
	return append(b.samplesClaim(small),
		claim{&b.guides, 16 * int(cuda.AovFilterPlanes) * pixels}, claim{&b.image, 16 * pixels},
		claim{&b.history[0], 16 * pixels}, claim{&b.history[1], 16 * pixels},
		claim{&b.distances[0], 4 * pixels}, claim{&b.distances[1], 4 * pixels})
}

func (b *upscaleBuffers) samplesClaim(n int) []claim {
	return []claim{{&b.samples, smallPixelSize * n}}
}

// fitSamples makes room for a small image of so many.
func (b *upscaleBuffers) fitSamples(d device, n int) error {
	if n == b.small {
		return nil
	}
	giveBack(d, b.samplesClaim(0))
	b.small = 0
	if err := take(d, b.samplesClaim(n)); err != nil {
		return fmt.Errorf("samples to upscale: %w", err)
	}
	b.small = n
	return nil
}

// fit makes room for an image of so many pixels.
func (b *upscaleBuffers) fit(d device, pixels int) error {
	if pixels == b.pixels {
		return nil
	}
	b.free(d)
	if err := take(d, b.claims(pixels, 0)); err != nil {
		return fmt.Errorf("buffers of upscaling: %w", err)
	}
	b.pixels = pixels
	return nil
}

func (b *upscaleBuffers) free(d device) {
	giveBack(d, b.claims(0, 0))
	*b = upscaleBuffers{}
}

// read is one of the images.
func (b *upscaleBuffers) read(d device, address uint64, width, height int) (*imageio.Image, error) {
	pixels := make([][4]float32, width*height)
	img := &imageio.Image{Width: width, Height: height, Pix: make([]float32, 0, 3*len(pixels))}
	for _, from := range []buffer{b.image, b.history[0], b.history[1]} {
		if from.address != address {
			continue
		}
		if err := d.download(from, bytesOf(pixels)); err != nil {
			return nil, err
		}
	}
	for _, p := range pixels {
		img.Pix = append(img.Pix, p[:3]...)
	}
	return img, nil
}

// upscale brings the small renderer's image to full size, and keeps it as history.
func (r *Renderer) upscale(v view.View, s settings.Settings, small view.View, smallSettings settings.Settings) error {
	u := &r.upscaler
	if err := u.buffers.fitSamples(r.device, small.Width*small.Height); err != nil {
		return err
	}
	if err := u.small.gatherSamples(small, smallSettings, u.buffers.samples); err != nil {
		return fmt.Errorf("upscale: %w", err)
	}
	f := r.upscaleFrame(v, s)
	f.Upscale.Width, f.Upscale.Height = uint32(small.Width), uint32(small.Height)
	if err := r.device.setFrame(&f); err != nil {
		return fmt.Errorf("upscale: %w", err)
	}
	n := indices(v.Width, v.Height)
	if err := r.device.play([]launch{{kernel: cuda.Guides, indices: n}, {kernel: cuda.UpscaleSpatial, indices: n}, {kernel: cuda.UpscaleTemporal, indices: n}}); err != nil {
		return fmt.Errorf("upscale: %w", err)
	}
	b := &u.buffers
	b.turn = 1 - b.turn
	u.camera = f.Camera
	u.frames++
	u.shown = b.history[b.turn].address
	return nil
}

// gatherSamples packs the image of a small renderer with what it shows.
func (r *Renderer) gatherSamples(v view.View, s settings.Settings, to buffer) error {
	f := r.frame(v, s)
	r.applyShown(&f, s)
	f.Sampling.SampleIndex, f.Sampling.Seed = r.taken.index, r.taken.seed
	if !r.single && r.progress.samples > 1 {
		f.Sampling.Flags &^= cuda.FrameAntialias // on average samples are in the middle
	}
	f.Upscale.Samples = to.address
	if err := r.device.setFrame(&f); err != nil {
		return err
	}
	_, err := r.device.launch(cuda.UpscaleGather, 0, 0, v.Width*v.Height, time.Time{})
	return err
}

// upscaleFrame is what the kernels at full size read.
func (r *Renderer) upscaleFrame(v view.View, s settings.Settings) cuda.Frame {
	u, b := &r.upscaler, &r.upscaler.buffers
	f := r.frame(v, s)
	f.Sampling.Flags |= cuda.FrameReplace
	f.Sampling.SampleIndex, f.Sampling.Seed = uint32(u.settled), f.Sampling.Seed+uint32(u.views)*guideStride
	f.Film.Aovs, f.Film.AovPlanes = b.guides.address, cuda.AovFilterPlanes
	f.Previous = u.camera
	f.Upscale = cuda.UpscaleParams{Samples: b.samples.address, Image: b.image.address,
		History: b.history[b.turn].address, Next: b.history[1-b.turn].address,
		Distances: b.distances[b.turn].address, NextDistances: b.distances[1-b.turn].address}
	if u.frames > 0 {
		f.Upscale.Flags |= cuda.UpscaleHistory
		if u.camera == f.Camera {
			f.Upscale.Flags |= cuda.UpscaleStill
		}
	}
	return f
}

// guideStride keeps the seeds of guides at full size apart from those of the small image.
const guideStride = 0xc2b2ae35

// fadeIn shows the image at full size, at first by a share.
func (r *Renderer) fadeIn(v view.View, s settings.Settings) error {
	u := &r.upscaler
	if u.frames == 0 || r.progress.samples >= fadedSamples {
		u.shown = 0
		return nil
	}
	u.shown = u.buffers.image.address
	return r.fade(v, s, u.buffers.image, fadeShare(r.progress.samples))
}

// rememberFull makes what is shown of the image at full size the history of the view that follows.
func (r *Renderer) rememberFull(v view.View, s settings.Settings) error {
	u := &r.upscaler
	if u.frames == 0 || r.progress.samples == 0 {
		return nil
	}
	return r.fade(v, s, u.buffers.history[u.buffers.turn], fadeShare(r.progress.samples))
}

// fade writes the upscaled image with a share of the image at full size.
func (r *Renderer) fade(v view.View, s settings.Settings, to buffer, share float32) error {
	f := r.upscaleFrame(v, s)
	if s.Denoise != "off" && r.denoise.samples > 0 {
		f.Display.Shown, f.Denoise.Denoised = cuda.ShownDenoised, r.denoise.picture().address
	}
	f.Upscale.Next = to.address
	f.Upscale.Share = share
	if err := r.device.setFrame(&f); err != nil {
		return fmt.Errorf("fade: %w", err)
	}
	if _, err := r.device.launch(cuda.UpscaleFade, 0, 0, v.Width*v.Height, time.Time{}); err != nil {
		return fmt.Errorf("fade: %w", err)
	}
	return nil
}

// fadeShare is the share of an image of so many samples: at first by the samples that the upscaled one stands for, in the end
// all.
func fadeShare(samples int) float32 {
	n := float32(min(samples, fadedSamples))
	return n / (n + settledFrames*(1-n/fadedSamples))
}
