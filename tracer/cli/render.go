package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/alecthomas/kong"

	"glint/tracer/cli/flags"
	"glint/tracer/cli/interrupt"
	"glint/tracer/cli/job"
	"glint/tracer/cli/save"
	"glint/tracer/cli/terminal"
	"glint/tracer/diagnose"
	"glint/tracer/imageio"
	"glint/tracer/profile"
	"glint/tracer/schedule"
	"glint/tracer/settings"
	"glint/tracer/view"
)

// renderCommand is `glint render`.
type renderCommand struct{ RenderFlags }

// Run renders and writes the files.
func (c *renderCommand) Run(ctx context.Context, p *job.Process, line *kong.Context) error {
	if c.Samples == nil {
		if err := flags.RefuseIdle(line, "a picture that is no part, without --samples", []string{"checkpoint"}); err != nil {
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
		return interrupt.AsTask(ctx, err)
	}
	return err
}

// still renders a picture, or a part of one.
func (c *renderCommand) still(ctx context.Context, p *job.Process) error {
	t, err := c.OpenTeam(ctx, p, c.TeamFlags)
	if err != nil {
		return err
	}
	defer t.Close() // by then the picture is written
	if err := t.First(func(j *job.Job) error { return c.prepare(j) }); err != nil {
		return err
	}
	if c.Samples != nil {
		return c.renderPart(ctx, p, t)
	}
	var cut bool
	if c.inBlocks() {
		cut, err = c.sampleInBlocks(ctx, p, t)
	} else {
		err = t.First(func(j *job.Job) error {
			cut, err = c.sample(ctx, p, j)
			return err
		})
	}
	if err != nil {
		return err
	}
	return t.First(func(j *job.Job) error { return c.finish(ctx, p, j, cut) })
}

// prepare makes a device ready for what the flags ask for.
func (c *renderCommand) prepare(j *job.Job) error {
	j.View.Layers, j.View.Frame = c.Layers, c.Frame
	if c.Replay != "" {
		at, err := parseReplay(c.Replay)
		if err != nil {
			return err
		}
		j.View.FirstSample = at.N
	}
	if err := job.CheckMemory(j.Renderer.Engine(), j.View, j.Settings); err != nil || c.Stats == "" {
		return err
	}
	if err := j.Renderer.Engine().WaitForKernels(); err != nil { // what is measured is of this scene's kernels
		return err
	}
	j.Renderer.SetProfilePolicy(c.watch())
	return nil
}

// finish writes the files.
func (c *renderCommand) finish(ctx context.Context, p *job.Process, j *job.Job, cut bool) error {
	if err := c.write(j); err != nil {
		return err
	}
	p.Log.Info("written", "file", save.Absolute(c.Output), "samples", j.Last.Samples, "seconds", job.Seconds(time.Since(j.Begun)))
	if c.Replay != "" {
		return printPath(p, j, c.Replay)
	}
	if why := whyBlack(j); why != "" {
		p.Log.Warn(why)
	}
	if err := writeStats(p, c.Stats, j); err != nil {
		return err
	}
	if cut {
		return interrupt.New(ctx, fmt.Sprintf("%s holds the picture so far, of %d samples per pixel", c.Output, j.Last.Samples))
	}
	return nil
}

// whyBlack says why the picture is black and which flag mends it; empty where it is not.
func whyBlack(j *job.Job) string {
	if schedule.ShowsData(&j.Settings) || j.Prepared.Dark { // which was said when it was loaded
		return ""
	}
	film, err := j.Renderer.Image().Radiance()
	if err != nil {
		return ""
	}
	engine := j.Renderer.Engine()
	cause, black, err := diagnose.Black(diagnose.Picture{
		Settings: j.Settings, Bright: diagnose.Brightness(film), Around: j.Prepared.LitFromAround(),
		Radius: j.Prepared.Scene.Bounds().Radius(),
		Pick: func(s settings.Settings, x, y float32) (float32, bool, error) {
			return engine.Pick(j.View, &s, int(x*float32(j.View.Width)), int(y*float32(j.View.Height)))
		},
	})
	if err != nil || !black {
		return ""
	}
	return "the picture is black. " + cause.Why + " Try: " + cause.Flag
}

// watch times about every eighth sample of a longer run, and counts the rays of another one, so that measuring hardly slows
// the run.
func (c *renderCommand) watch() profile.Policy {
	const watched = 8 // samples, or as many
	every := min(max(c.samples()/watched, 1), watched)
	return profile.Policy{TimeEvery: every, CountEvery: every}
}

// sample renders until --spp or --time is reached, or the context ends: cut tells of that. There is then at least one sample, or an error.
func (c *renderCommand) sample(ctx context.Context, p *job.Process, j *job.Job) (cut bool, err error) {
	limit := time.Duration(c.Time)
	bar := terminal.NewBar(p.Stderr, c.samples(), "samples")
	if c.SPP == nil && limit > 0 {
		bar = terminal.NewBar(p.Stderr, int(limit.Milliseconds()), "ms")
	}
	defer bar.Finish()
	start := time.Now()
	for j.Last.Samples < c.samples() {
		if ctx.Err() != nil && j.Last.Samples > 0 {
			return true, nil
		}
		if ctx.Err() != nil {
			return false, interrupt.NothingYet(ctx)
		}
		stats, err := j.Renderer.Render(j.View, j.Settings, view.Target{})
		if errors.Is(err, view.ErrStopped) {
			continue // the context has ended
		}
		if err != nil {
			return false, err
		}
		j.Last = stats
		done := time.Since(start)
		if c.SPP == nil && limit > 0 {
			bar.Set(int(min(done, limit).Milliseconds()))
		} else {
			bar.Set(stats.Samples)
		}
		if limit > 0 && done > limit {
			break
		}
	}
	return false, nil
}

func (c *renderCommand) write(j *job.Job) error {
	meta, err := j.Describe(j.View.Camera, j.Settings, j.Last.Samples)
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
	meta["seconds"] = fmt.Sprint(job.Seconds(time.Since(j.Begun)))
	if strings.EqualFold(filepath.Ext(c.Output), ".exr") {
		return imageio.WriteLayers(c.Output, img, layers, meta)
	}
	return imageio.Write(c.Output, img, meta)
}

// writePNG writes the image as displayed.
func (c *renderCommand) writePNG(j *job.Job, meta imageio.Meta) error {
	if j.Settings.Denoise != "off" {
		if _, err := j.Renderer.Image().Denoised(j.View, j.Settings); err != nil {
			return err
		}
	}
	img, err := j.Renderer.Image().Picture(j.View, j.Settings)
	if err != nil {
		return err
	}
	meta["seconds"] = fmt.Sprint(job.Seconds(time.Since(j.Begun)))
	return imageio.WritePNG(c.Output, img, meta)
}

// picture is the linear image, denoised with a denoiser, and its layers: with --layers all, and the noisy image where there is a denoised
// one. Where the background is hidden, its alpha channel is one, too.
func (c *renderCommand) picture(j *job.Job) (img *imageio.Image, layers []imageio.Layer, err error) {
	if img, err = j.Renderer.Image().Radiance(); err != nil {
		return nil, nil, err
	}
	if layers, err = j.Renderer.Image().Alpha(&j.Settings); err != nil {
		return nil, nil, err
	}
	if c.Layers {
		kept, err := j.Renderer.Image().Layers()
		if err != nil {
			return nil, nil, err
		}
		layers = append(layers, kept...)
	}
	if c.Layers && j.Settings.Denoise != "off" {
		layers = append(layers, imageio.Layer{Name: "noisy", Channels: []string{"R", "G", "B"}, Pix: img.Pix})
		if !c.inBlocks() && j.Last.Samples > 1 { // blocks have no halves to compare
			trust, err := j.Renderer.Image().ErrorMap(j.View, j.Settings)
			if err != nil {
				return nil, nil, err
			}
			layers = append(layers, trust)
		}
	}
	if j.Settings.Denoise != "off" {
		img, err = j.Renderer.Image().Denoised(j.View, j.Settings)
	}
	return img, layers, err
}
