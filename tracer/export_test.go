package tracer

import (
	"fmt"
	"math"

	"glint/cuda"
	"glint/tracer/settings"
	"glint/tracer/view"
)

// OpenVariant opens the CPU backend on one build of the kernels, whatever this processor would take.
func OpenVariant(v cuda.Variant) (*Renderer, error) {
	d := newCPUDevice("")
	d.variant = v
	return newRenderer(&stage{device: d}, Watch{TimeEvery: 1})
}

// scarce is a processor that has no more than so many bytes for one buffer.
type scarce struct {
	*cpuDevice
	most int
}

func (d scarce) alloc(bytes int) (buffer, error) {
	if bytes > d.most {
		return buffer{}, fmt.Errorf("no room for %d bytes", bytes)
	}
	return d.cpuDevice.alloc(bytes)
}

// OpenScarce opens a CPU backend on which no buffer is larger than so many bytes.
func OpenScarce(most int) (*Renderer, error) {
	return newRenderer(&stage{device: scarce{newCPUDevice(""), most}}, Watch{})
}

// LimitPool bounds the paths that the wavefront engine has under way.
func (r *Renderer) LimitPool(paths int) { r.film.pool.limit = paths }

// KindOf is the table of kinds.
func KindOf(k cuda.Kernel) Kind { return Kind(k.Category()) }

// ShadingOf is the kind of shading a class of materials.
func ShadingOf(class int) Kind { return shadingOf(class) }

// Reseed lets the image go on with samples of another seed, as if it had been begun with that one.
func (r *Renderer) Reseed(seed int) {
	r.progress.key.settings.Seed = seed
	r.reuse.key.settings.Seed = seed
}

// Reservoirs are those of the last frame of restir-gi: as temporal reuse left them, and as the next frame finds them.
func (r *Renderer) Reservoirs() (temporal, kept []cuda.Reservoir, err error) {
	b := &r.film.restir
	temporal, kept = make([]cuda.Reservoir, b.pixels), make([]cuda.Reservoir, b.pixels)
	if err = r.device.download(b.reservoirs, bytesOf(temporal)); err == nil {
		err = r.device.download(b.history, bytesOf(kept))
	}
	return temporal, kept, err
}

// SetHistory replaces the reservoirs that the next frame finds.
func (r *Renderer) SetHistory(kept []cuda.Reservoir) error {
	return r.device.upload(r.film.restir.history, bytesOf(kept))
}

// GrowOn has a renderer's device build tree fast of a scene, and reads it back as the scene's first. It tells the milliseconds
// of each kernel.
func (r *Renderer) GrowOn(p *Prepared) (map[string]float64, error) {
	g, err := grow(r.device, p)
	if err != nil {
		return nil, err
	}
	freeAll(r.device, g.made)
	p.first, err = p.growQuickly(r.device)
	return g.spent, err
}

// FrameOf is what kernels read for a view.
func (r *Renderer) FrameOf(v view.View, s settings.Settings) cuda.Frame { return r.frame(v, s) }

// SceneBytes is the device memory of the scene in use.
func (r *Renderer) SceneBytes() int { return r.scene.size() }

// PlantNaN spoils what was accumulated for a pixel, and its guides.
func (r *Renderer) PlantNaN(pixel int) error {
	nan := float32(math.NaN())
	for _, b := range []buffer{r.film.accumulation, r.film.aovs.buffer} {
		planes := make([][4]float32, b.size/16)
		if err := r.device.download(b, bytesOf(planes)); err != nil {
			return err
		}
		for at := pixel; at < len(planes); at += r.film.width * r.film.height {
			planes[at] = [4]float32{nan, nan, nan, 1}
		}
		if err := r.device.upload(b, bytesOf(planes)); err != nil {
			return err
		}
	}
	return nil
}

// DenoiserInputs are the planes that the denoiser read last, unless it changed them.
func (r *Renderer) DenoiserInputs() ([]float32, error) {
	values := make([]float32, r.denoise.buffers.inputs.size/4)
	return values, r.device.download(r.denoise.buffers.inputs, bytesOf(values))
}

// HistorySamples are how many samples each pixel of the last denoised picture of a live view stands for.
func (r *Renderer) HistorySamples() ([]float32, error) {
	h := &r.denoise.history
	picture := make([][4]float32, h.pixels)
	err := r.device.download(h.pictures[h.turn], bytesOf(picture))
	samples := make([]float32, len(picture))
	for i, p := range picture {
		samples[i] = p[3]
	}
	return samples, err
}

// KeepHistory has the history of denoised pictures outlast a change of settings.
func (r *Renderer) KeepHistory(v view.View, s settings.Settings) {
	r.denoise.history.key = r.historyKey(v, s)
}

// DenoisedBy is the quality of the denoised image that there is.
func (r *Renderer) DenoisedBy() string { return r.denoise.by.quality }

// DenoiseAgain denoises the image as if it had not been, and waits for that.
func (r *Renderer) DenoiseAgain(v view.View, s settings.Settings) error {
	if err := r.denoiseNow(v, s); err != nil {
		return err
	}
	return r.device.sync()
}
