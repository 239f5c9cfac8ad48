package tracer

import "glint/tracer/imageio"

// SmallRadiance is the image that was upscaled last, before it was.
func (r *Renderer) SmallRadiance() (*imageio.Image, error) { return r.upscaler.small.Radiance() }

// Upscale brings the small image of the last frame to full size once more, after PlantNaN has spoilt a pixel of it.
func (r *Renderer) Upscale(v View, s Settings, spoilt int) error {
	u := &r.upscaler
	if err := u.small.PlantNaN(spoilt); err != nil {
		return err
	}
	return r.upscale(v, s, u.smallView(v, s.RenderScale), s)
}
