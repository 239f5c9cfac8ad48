package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/alecthomas/kong"

	"glint/tracer/imageio"
	"glint/tracer/profile"
	"glint/tracer/view"
)

// renderCommand is `glint render`.
type renderCommand struct{ RenderFlags }

// Run renders and writes the files.
func (c *renderCommand) Run(ctx context.Context, p *Process, line *kong.Context) error {
	if c.Samples == nil {
		if err := refuseIdle(line, "a picture that is no part, without --samples", []string{"checkpoint"}); err != nil {
			return err
		}
	}
	if err := c.check(); err != nil {
		return err
	}
	if err := c.checkResume(p); err != nil {
		return err
	}
	err := c.still(ctx, p)
	if c.Samples != nil {
		return asTask(ctx, err)
	}
	return err
}

// still renders a picture, or a part of one.
func (c *renderCommand) still(ctx context.Context, p *Process) error {
	t, err := c.openTeam(ctx, p, c.TeamFlags)
	if err != nil {
		return err
	}
	defer t.close() // by then the picture is written
	if err := t.first(func(j *job) error { return c.prepare(j) }); err != nil {
		return err
	}
	if c.Samples != nil {
		return c.renderPart(ctx, p, t)
	}
	cut, err := c.sampleAll(ctx, p, t)
	if err != nil {
		return err
	}
	return t.first(func(j *job) error { return c.finish(ctx, p, j, cut) })
}

// prepare makes a device ready for what the flags ask for.
func (c *renderCommand) prepare(j *job) error {
	j.view.Layers = c.Layers
	if err := checkMemory(j.renderer.Engine(), j.view, j.settings); err != nil || c.Stats == "" {
		return err
	}
	if err := j.renderer.Engine().WaitForKernels(); err != nil { // what is measured is of this scene's kernels
		return err
	}
	j.renderer.SetProfilePolicy(c.watch())
	return nil
}

// sampleAll has the first device's image hold all samples, whoever renders them.
func (c *renderCommand) sampleAll(ctx context.Context, p *Process, t *team) (cut bool, err error) {
	if c.inBlocks() {
		return c.sampleInBlocks(ctx, p, t)
	}
	err = t.first(func(j *job) error {
		cut, err = c.sample(ctx, p, j)
		return err
	})
	return cut, err
}

// finish writes the files.
func (c *renderCommand) finish(ctx context.Context, p *Process, j *job, cut bool) error {
	if err := c.write(j); err != nil {
		return err
	}
	p.Log.Info("written", "file", absolute(c.Output), "samples", j.last.Samples, "seconds", rounded(time.Since(j.begun)))
	if err := writeStats(p, c.Stats, j); err != nil {
		return err
	}
	if cut {
		return interrupted(ctx, fmt.Sprintf("%s holds the picture so far, of %d samples per pixel", c.Output, j.last.Samples))
	}
	return nil
}

// watch times about every eighth sample of a longer run, and counts the rays of another one, so that measuring hardly slows
// the run.
func (c *renderCommand) watch() profile.Policy {
	const watched = 8 // samples, or as many
	every := min(max(c.samples()/watched, 1), watched)
	return profile.Policy{TimeEvery: every, CountEvery: every}
}

// sample renders until --spp or --time is reached, or the context ends: cut tells of that. There is then at least one sample, or an error.
func (c *renderCommand) sample(ctx context.Context, p *Process, j *job) (cut bool, err error) {
	limit := time.Duration(c.Time)
	bar := newBar(p.Stderr, c.samples(), "samples")
	if c.SPP == nil && limit > 0 {
		bar = newBar(p.Stderr, int(limit.Milliseconds()), "ms")
	}
	defer bar.finish()
	start := time.Now()
	for j.last.Samples < c.samples() {
		if ctx.Err() != nil && j.last.Samples > 0 {
			return true, nil
		}
		if ctx.Err() != nil {
			return false, nothingYet(ctx)
		}
		stats, err := j.renderer.Render(j.view, j.settings, view.Target{})
		if errors.Is(err, view.ErrStopped) {
			continue // the context has ended
		}
		if err != nil {
			return false, err
		}
		j.last = stats
		done := time.Since(start)
		if c.SPP == nil && limit > 0 {
			bar.set(int(min(done, limit).Milliseconds()))
		} else {
			bar.set(stats.Samples)
		}
		if limit > 0 && done > limit {
			break
		}
	}
	return false, nil
}

func (c *renderCommand) write(j *job) error {
	meta, err := j.describe(j.view.Camera, j.settings, j.last.Samples)
	if err != nil {
		return err
	}
	if strings.EqualFold(filepath.Ext(c.Output), ".png") {
		return c.writePNG(j, meta)
	}
	img, layers, err := c.picture(j)
	if err != nil {
		return err
	}
	meta["seconds"] = fmt.Sprint(rounded(time.Since(j.begun)))
	if c.Layers {
		return imageio.WriteLayers(c.Output, img, layers, meta)
	}
	return imageio.Write(c.Output, img, meta)
}

// writePNG writes the image as displayed.
func (c *renderCommand) writePNG(j *job, meta imageio.Meta) error {
	if j.settings.Denoise != "off" {
		if _, err := j.renderer.Image().Denoised(j.view, j.settings); err != nil {
			return err
		}
	}
	img, err := j.renderer.Image().Picture(j.view, j.settings)
	if err != nil {
		return err
	}
	meta["seconds"] = fmt.Sprint(rounded(time.Since(j.begun)))
	return imageio.WritePNG(c.Output, img, meta)
}

// picture is the linear image, denoised with a denoiser, and its layers. A denoised image has the noisy one as a layer.
func (c *renderCommand) picture(j *job) (img *imageio.Image, layers []imageio.Layer, err error) {
	if img, err = j.renderer.Image().Radiance(); err != nil {
		return nil, nil, err
	}
	if c.Layers {
		if layers, err = j.renderer.Image().Layers(); err != nil {
			return nil, nil, err
		}
	}
	if j.settings.Denoise != "off" {
		layers = append(layers, imageio.Layer{Name: "noisy", Channels: []string{"R", "G", "B"}, Pix: img.Pix})
		if c.Layers && !c.inBlocks() && j.last.Samples > 1 { // blocks have no halves to compare
			trust, err := j.renderer.Image().ErrorMap(j.view, j.settings)
			if err != nil {
				return nil, nil, err
			}
			layers = append(layers, trust)
		}
		img, err = j.renderer.Image().Denoised(j.view, j.settings)
	}
	return img, layers, err
}
