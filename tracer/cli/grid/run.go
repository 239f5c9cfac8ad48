// Package grid compares integrators in equal time on many scenes, raw and denoised, in motion and at rest.
package grid

import (
	"context"
	"errors"
	"fmt"

	"glint/tracer/cli/interrupt"
	"glint/tracer/cli/job"
	"glint/tracer/cli/measure"
	"glint/tracer/cli/save"
	"glint/tracer/view"
)

// Run measures scene after scene, and writes the folder anew after each.
func Run(ctx context.Context, p *job.Process, flags *Flags) error {
	cache, err := openCache(flags.Cache)
	if err != nil {
		return err
	}
	scenes := flags.Scenes
	if len(scenes) == 0 {
		scenes = []string{""}
	}
	found := &report{flags: flags}
	for _, name := range scenes {
		err := measureScene(ctx, p, flags, name, cache, found)
		if interrupt.Is(ctx, err) {
			break
		}
		if err != nil {
			return fmt.Errorf("grid %s: %w", name, err)
		}
		if err := found.write(p); err != nil {
			return err
		}
	}
	if len(found.outcomes) == 0 && ctx.Err() == nil {
		return errors.New("nothing was measured: this machine has none of the denoisers that --denoisers names")
	}
	if len(found.scenes) == 0 {
		return interrupt.NothingYet(ctx)
	}
	p.Log.Info("written", "folder", save.Absolute(flags.Output))
	if _, err = fmt.Fprint(p.Stdout, found.ratioTable()); err != nil {
		return err
	}
	if ctx.Err() != nil {
		return interrupt.New(ctx, fmt.Sprintf("%s holds the tables so far, of %d of %d scenes", flags.Output, len(found.scenes),
			len(scenes)))
	}
	return nil
}

// measureScene adds what is measured of a scene to the report. Once the context has ended that is what was measured by then, or its
// error where that is nothing.
func measureScene(ctx context.Context, p *job.Process, c *Flags, name string, cache *cache, to *report) error {
	j, err := c.Open(ctx, p, name)
	if err != nil {
		return err
	}
	defer j.Close() // by then everything has been read back
	if _, err := j.Renderer.Render(j.View, measure.ReferenceSettings(j.Settings),
		view.Target{}); err != nil { // makes room for pictures of this size
		return err
	}
	if err := j.Renderer.Engine().WaitForKernels(); err != nil {
		return err
	}
	g := &grid{Job: j, process: p, flags: c, taken: j.Pose}
	if err := g.findReferences(ctx, cache); err != nil {
		return err
	}
	for _, denoiser := range c.Denoisers {
		err := g.measureDenoiser(ctx, denoiser)
		if interrupt.Is(ctx, err) && len(g.outcomes) > 0 {
			break
		}
		if err != nil {
			return fmt.Errorf("denoiser %s: %w", denoiser, err)
		}
	}
	g.warnOfNoise()
	return to.add(g)
}
