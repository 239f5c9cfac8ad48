package tracer

import (
	"glint/cuda"
	"glint/tracer/imageio"
	"glint/tracer/settings"
	"glint/tracer/view"
)

// LimitPaths bounds the paths that the wavefront engine has under way.
func (r *Renderer) LimitPaths(paths int) { r.pipeline.native.sampler.LimitPaths(paths) }

// FrameOf is what kernels read for a view.
func (r *Renderer) FrameOf(v view.View, s settings.Settings) cuda.Frame {
	return r.pipeline.native.frame(r.engine.Plan(v, s))
}

// Reservoirs are those of the last frame of restir-gi: as temporal reuse left them, and as the next frame finds them.
func (r *Renderer) Reservoirs() (temporal, kept []cuda.Reservoir, err error) {
	return r.pipeline.native.sampler.Reservoirs()
}

// DenoiseAgain denoises the image as if it had not been, and waits for that.
func (r *Renderer) DenoiseAgain(v view.View, s settings.Settings) error {
	r.pipeline.native.denoise.Forget()
	_, err := r.Image().Denoised(v, s)
	return err
}

// DenoisedQuality is the quality of the denoised image that there is.
func (r *Renderer) DenoisedQuality() string {
	_, quality := r.pipeline.native.denoise.By()
	return quality
}

// DisplayBytes is the memory that the display holds, ErrorMapBytes that of the error map.
func (r *Renderer) DisplayBytes() int { return r.display.Bytes() }

// ErrorMapBytes is the memory of the error map.
func (r *Renderer) ErrorMapBytes() int { return r.pipeline.native.errorMap.Bytes() }

// PreviewBytes is the memory of the small image that is shown while nothing is complete: as much as was needed so far.
func (r *Renderer) PreviewBytes() int {
	if p := r.pipeline.preview.image; p != nil {
		return p.memory().Device()
	}
	return 0
}

// SmallRadiance is the image that was upscaled last, before it was.
func (r *Renderer) SmallRadiance() (*imageio.Image, error) { return r.pipeline.lowRes.film.Radiance() }

// SmallSamples are the samples of that image, with what they show.
func (r *Renderer) SmallSamples() ([]cuda.LowResPixel, error) { return r.pipeline.upscaler.Samples() }

// SmallFrame is what kernels read of that image.
func (r *Renderer) SmallFrame(v view.View, s settings.Settings) cuda.Frame {
	f := r.pipeline.lowRes.frame(r.pipeline.lowResPlan(r.engine.Plan(v, s), s.RenderScale))
	r.pipeline.lowRes.film.FillAOVs(&f)
	return f
}

// UpscaleAgain brings that image to full size once more.
func (r *Renderer) UpscaleAgain(v view.View, s settings.Settings) error {
	plan := r.engine.Plan(v, s)
	return r.pipeline.upscale(plan, r.pipeline.lowResPlan(plan, s.RenderScale))
}
