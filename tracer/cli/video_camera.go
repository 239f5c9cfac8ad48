package cli

import (
	"context"
	"image"
	"math"

	"glint/tracer"
	"glint/tracer/settings"
	"glint/tracer/view"
)

// camera exposes the frames of a film.
type camera struct {
	*job
	motion  motion
	spp     int
	warmUp  int // frames to render before one that follows on none, so that it has the history it should have
	exposed int // the last frame
}

// newCamera settles what auto stands for, so that the pictures can say so.
func newCamera(j *job, m motion, spp int) *camera {
	j.view.Live, j.view.Moving = true, true
	j.settings.Integrator = j.renderer.Integrator(j.view, j.settings)
	c := &camera{job: j, motion: m, spp: spp, exposed: math.MinInt}
	if j.settings.Integrator == "restir-gi" && j.settings.RestirTemporal {
		// History counts for so many samples at most: that many make it whole.
		c.warmUp = (j.settings.RestirCap + spp - 1) / spp
	}
	pictures := (tracer.UpscaleHistory + spp - 1) / spp
	if j.settings.Denoise != "off" {
		pictures = tracer.UpscaleHistory // a picture is upscaled once, when it has been denoised
		if j.settings.DenoiseHistory {
			c.warmUp = max(c.warmUp, (tracer.DenoiseMemory+spp-1)/spp)
		}
	}
	if j.settings.RenderScale < 1 {
		c.warmUp = max(c.warmUp, pictures)
	}
	return c
}

// take renders a frame. When that does not follow on the last one it begins a few earlier, for what they hand on; before
// frame 0 the camera rests.
func (c *camera) take(ctx context.Context, frame int) (*image.NRGBA, error) {
	first := frame - c.warmUp
	if c.exposed < frame {
		first = max(first, c.exposed+1)
	}
	for f := first; f <= frame; f++ {
		if err := c.expose(ctx, f); err != nil {
			return nil, err
		}
	}
	v, s := c.aimed(frame)
	return c.renderer.Film(v, s)
}

func (c *camera) expose(ctx context.Context, frame int) error {
	v, s := c.aimed(frame)
	for sample := range c.spp {
		v.Undenoised = sample < c.spp-1
		if err := ctx.Err(); err != nil {
			return err
		}
		stats, err := c.renderer.Render(v, s, view.Target{})
		if err == nil {
			err = stats.Undenoised
		}
		if err != nil {
			return err
		}
	}
	c.exposed = frame
	return nil
}

// aimed is the view of a frame.
func (c *camera) aimed(frame int) (view.View, settings.Settings) {
	v, s := c.view, c.settings
	p := c.motion.at(max(frame, 0))
	v.Camera, v.Frame = p.camera, frame
	if p.focus > 0 {
		s.Focus = p.focus
	}
	return v, s
}
