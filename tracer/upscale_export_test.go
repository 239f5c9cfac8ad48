package tracer

import (
	"glint/cuda"
	"glint/tracer/imageio"
)

// SmallRadiance is the image that was upscaled last, before it was.
func (r *Renderer) SmallRadiance() (*imageio.Image, error) { return r.upscaler.small.Radiance() }

// SmallSamples are the samples of that image, with what they show.
func (r *Renderer) SmallSamples() ([]cuda.SmallPixel, error) {
	u := &r.upscaler
	samples := make([]cuda.SmallPixel, u.small.film.width*u.small.film.height)
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

// accountant is a processor that knows what was taken of it and not given back.
type accountant struct {
	*cpuDevice
	held *int // bytes
}

func (d accountant) alloc(bytes int) (buffer, error) {
	*d.held += bytes
	return d.cpuDevice.alloc(bytes)
}

func (d accountant) free(b buffer) {
	*d.held -= b.size
	d.cpuDevice.free(b)
}

// OpenAccounted opens a CPU backend and tells the bytes that are held on it.
func OpenAccounted() (r *Renderer, held *int, err error) {
	held = new(int)
	r, err = newRenderer(&stage{device: accountant{newCPUDevice(""), held}}, Watch{})
	return r, held, err
}
