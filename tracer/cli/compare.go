package cli

import (
	"context"
	"errors"
	"fmt"

	"glint/tracer/view"
)

// compareCommand is `glint compare`.
type compareCommand struct{ CompareFlags }

// Run renders both sides, measures them and writes the folder.
func (c *compareCommand) Run(ctx context.Context, p *Process) error {
	if err := c.check(); err != nil {
		return err
	}
	t, err := c.openTeam(ctx, p, c.TeamFlags)
	if err != nil {
		return err
	}
	defer t.close() // by then the folder is written
	compared, err := newComparison(p, t, &c.CompareFlags)
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

func (c *compareCommand) check() error {
	if c.Live < 0 {
		return fmt.Errorf("--live %d: want a number of frames", c.Live)
	}
	if err := errors.Join(checkSamples("--spp", c.SPP, 1), c.checkReference()); err != nil {
		return err
	}
	both, err := c.settings()
	if err != nil {
		return err
	}
	for _, side := range c.sides() {
		if _, err := c.sideSettings(both, side); err != nil {
			return err
		}
	}
	return checkFolderOutput(c.Output, append(c.inputs(), named{"--reference", c.Reference})...)
}
