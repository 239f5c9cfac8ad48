// Package grid is `glint grid`: it compares integrators in equal time on many scenes, raw and denoised, in motion and at rest.
package grid

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"glint/tracer"
	"glint/tracer/cli/flags"
	"glint/tracer/cli/interrupt"
	"glint/tracer/cli/job"
	"glint/tracer/cli/measure"
	"glint/tracer/cli/save"
	"glint/tracer/settings"
	"glint/tracer/view"
)

// Run measures scene after scene, and rewrites the folder after each.
func (c *Command) Run(ctx context.Context, p *job.Process) error {
	if err := c.check(); err != nil {
		return err
	}
	cache, err := openCache(c.Cache)
	if err != nil {
		return err
	}
	scenes := c.Scenes
	if len(scenes) == 0 {
		scenes = []string{""}
	}
	found := &report{command: c, summary: summary{Size: c.Size, ReferenceSamples: c.ReferenceSPP, Frames: c.Frames, WarmUp: c.WarmUp}}
	for _, name := range scenes {
		err := measureScene(ctx, p, c, name, cache, found)
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
	if len(found.Outcomes) == 0 && ctx.Err() == nil {
		return errors.New("nothing was measured: this machine has none of the denoisers that --denoisers names")
	}
	if len(found.Scenes) == 0 {
		return interrupt.NothingYet(ctx)
	}
	p.Log.Info("written", "folder", save.Absolute(c.Output))
	if _, err = fmt.Fprint(p.Stdout, found.ratioTable()); err != nil {
		return err
	}
	if ctx.Err() != nil {
		return interrupt.New(ctx, fmt.Sprintf("%s holds the tables so far, of %d of %d scenes", c.Output, len(found.Scenes),
			len(scenes)))
	}
	return nil
}

// measureScene adds what is measured of a scene to the report. Once the context has ended that is what was measured by then, or its
// error where that is nothing.
func measureScene(ctx context.Context, p *job.Process, c *Command, name string, cache *cache, to *report) error {
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
	g := &grid{Job: j, process: p, command: c, taken: j.Pose}
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

func (c *Command) check() error {
	if c.Frames < 2 {
		return fmt.Errorf("--frames %d: want at least two, to see what changes", c.Frames)
	}
	if c.WarmUp < 0 {
		return fmt.Errorf("--warm-up %d: want a number of frames", c.WarmUp)
	}
	if err := flags.CheckSamples("--reference-spp", c.ReferenceSPP, 2); err != nil {
		return err // of two the noise is known
	}
	for _, list := range []struct {
		flag, setting string
		names         []string
	}{{"integrators", "integrator", c.Integrators}, {"denoisers", "denoise", c.Denoisers}} {
		row, _ := settings.Lookup(tracer.SettingsTable(), list.setting)
		if err := checkNames(list.names, row.Choices); err != nil {
			return fmt.Errorf("--%s: %w", list.flag, err)
		}
	}
	if len(slices.Compact(slices.Sorted(slices.Values(c.Motion)))) < len(c.Motion) {
		return fmt.Errorf("--motion %s: name each motion once", strings.Join(c.Motion, ","))
	}
	if len(slices.Compact(slices.Sorted(slices.Values(c.Budget)))) < len(c.Budget) {
		return errors.New("--budget: name each time once")
	}
	called := map[string]string{}
	for _, name := range c.Scenes {
		if err := job.CheckScene(name); err != nil {
			return err
		}
		short := filepath.Base(name)
		if other, taken := called[short]; taken {
			return fmt.Errorf("%s and %s: tables call both %s: rename one", other, name, short)
		}
		called[short] = name
	}
	if slices.Contains(c.Motion, playMotion) && c.At == nil {
		c.At = new(float64) // its beginning
	}
	inputs := []save.Named{{Flag: "--env", Path: c.Env}, {Flag: "--cache", Path: c.Cache}}
	for _, name := range c.Scenes {
		inputs = append(inputs, job.SceneInputs(name)...)
	}
	return save.CheckFolder(c.Output, inputs...)
}

// checkNames refuses names that are not among the choices, auto, which stands for another, and any name given twice.
func checkNames(names, choices []string) error {
	choices = slices.DeleteFunc(slices.Clone(choices), func(name string) bool { return name == "auto" })
	for i, name := range names {
		if !slices.Contains(choices, name) {
			return fmt.Errorf("%q is none of %s", name, strings.Join(choices, ", "))
		}
		if slices.Contains(names[:i], name) {
			return fmt.Errorf("%s is named twice", name)
		}
	}
	if len(names) == 0 {
		return fmt.Errorf("name at least one of %s", strings.Join(choices, ", "))
	}
	return nil
}
