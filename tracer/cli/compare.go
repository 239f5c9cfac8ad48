package cli

import (
	"context"
	"errors"
	"fmt"

	"glint/tracer/cli/compare"
	"glint/tracer/cli/flags"
	"glint/tracer/cli/job"
	"glint/tracer/cli/save"
)

// compareCommand is `glint compare`.
type compareCommand struct{ compare.Flags }

// Run renders both sides, measures them and writes the folder.
func (c *compareCommand) Run(ctx context.Context, p *job.Process) error {
	if err := c.check(); err != nil {
		return err
	}
	t, err := c.OpenTeam(ctx, p, c.TeamFlags)
	if err != nil {
		return err
	}
	defer t.Close() // by then the folder is written
	return compare.Run(ctx, p, t, &c.Flags)
}

func (c *compareCommand) check() error {
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
	for _, side := range c.Sides() {
		if _, err := c.SideSettings(both, side); err != nil {
			return err
		}
	}
	return save.CheckFolder(c.Output, append(c.Inputs(), save.Named{Flag: "--reference", Path: c.Reference})...)
}
