package tracer

import (
	"glint/cuda"
	"glint/tracer/imageio"
)

// SmallRadiance is the image that was upscaled last, before it was.
func (r *Renderer) SmallRadiance() (*imageio.Image, error) { return r.upscaler.small.Radiance() }

// SmallSamples are the samples of that image, with what they show.
func (r *Renderer) SmallSamples() ([]cuda.LowResPixel, error) {
	u := &r.upscaler
	samples := make([]cuda.LowResPixel, u.small.film.width*u.small.film.height)
	return samples, r.device.download(u.buffers.samples, bytesOf(samples))
}

// Upscale brings the small image of the last frame to full size once more, after PlantNaN has spoilt a pixel of it.
func (r *Renderer) Upscale(v View, s Settings, spoilt int) error {
	u := &r.upscaler
	if err := u.small.PlantNaN(spoilt); err != nil {
		return err
	}
	return r.upscale(v, s, u.smallView(v, s.RenderScale), s)
}

// Accountant is a processor that knows what was taken of it and not given back, and the largest buffer that was cleared, bytes.
type Accountant struct {
	*cpuDevice
	Held, Cleared int
}

func (d *Accountant) alloc(bytes int) (buffer, error) {
	d.Held += bytes
	return d.cpuDevice.alloc(bytes)
}

func (d *Accountant) free(b buffer) {
	d.Held -= b.size
	d.cpuDevice.free(b)
}

func (d *Accountant) zero(b buffer) error {
	d.Cleared = max(d.Cleared, b.size)
	return d.cpuDevice.zero(b)
}

// OpenAccounted opens a CPU backend of which the bytes are counted.
func OpenAccounted() (*Renderer, *Accountant, error) {
	d := &Accountant{cpuDevice: newCPUDevice("")}
	r, err := newRenderer(&stage{device: d}, Watch{})
	return r, d, err
}
