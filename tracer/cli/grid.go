package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"glint/tracer"
	"glint/tracer/cli/flags"
	"glint/tracer/cli/grid"
	"glint/tracer/cli/job"
	"glint/tracer/cli/save"
	"glint/tracer/settings"
)

// gridCommand is `glint grid`: integrators in equal time on many scenes, raw and denoised, in motion and at rest.
type gridCommand struct{ grid.Flags }

// Run measures scene after scene.
func (c *gridCommand) Run(ctx context.Context, p *job.Process) error {
	if err := c.check(); err != nil {
		return err
	}
	return grid.Run(ctx, p, &c.Flags)
}

func (c *gridCommand) check() error {
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
	if slices.Contains(c.Motion, grid.Play) && c.At == nil {
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
