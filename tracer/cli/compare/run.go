// Package compare is `glint compare`: it measures two sets of settings of one scene, at equal samples or in equal time, against a
// reference.
package compare

import (
	"context"
	"errors"
	"fmt"

	"glint/tracer/cli/flags"
	"glint/tracer/cli/job"
	"glint/tracer/cli/save"
	"glint/tracer/view"
)

// Run renders both sides, measures them and writes the folder.
func (c *Command) Run(ctx context.Context, p *job.Process) error {
	if err := c.check(); err != nil {
		return err
	}
	t, err := c.OpenTeam(ctx, p, c.TeamFlags)
	if err != nil {
		return err
	}
	defer t.Close() // by then the folder is written
	compared, err := newComparison(p, t, c)
	if err != nil {
		return err
	}
	defer compared.close()
	for _, step := range []func(context.Context) error{compared.warmUp, compared.findReference, compared.accumulate, compared.measureLive} {
		if err := step(ctx); err != nil && !errors.Is(err, view.ErrStopped) {
			return err
		}
		if ctx.Err() != nil {
			return compared.writeCut(ctx, c.Output)
		}
	}
	return compared.write(c.Output)
}

func (c *Command) check() error {
	if c.Live < 0 {
		return fmt.Errorf("--live %d: want a number of frames", c.Live)
	}
	if err := errors.Join(flags.CheckSamples("--spp", c.SPP, 1), c.CheckReference()); err != nil {
		return err
	}
	both, err := c.Settings()
	if err != nil {
		return err
	}
	for _, side := range c.sides() {
		if _, err := c.sideSettings(both, side); err != nil {
			return err
		}
	}
	return save.CheckFolder(c.Output, append(c.Inputs(), save.Named{Flag: "--reference", Path: c.Reference})...)
}
