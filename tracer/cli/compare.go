package cli

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"glint/tracer"
	"glint/tracer/settings"
)

// compareCommand is `glint compare`.
type compareCommand struct {
	SceneFlags
	Output string        `short:"o" required:"" placeholder:"DIR" help:"Folder to make, with pictures, errors over time and a summary."`
	A      string        `name:"a" default:"--integrator path" placeholder:"FLAGS" help:"Settings of side A, in quotes, over those that both share. Default ${default}."`
	B      string        `name:"b" default:"--integrator restir-gi" placeholder:"FLAGS" help:"Settings of side B. Default ${default}."`
	SPP    int           `name:"spp" default:"64" placeholder:"N" help:"Samples a pixel on each side. Default ${default}."`
	Time   time.Duration `placeholder:"DURATION" help:"Render each side for so long, such as 30s, whatever --spp says."`
	Live   int           `placeholder:"N" help:"Also measure N frames one by one as a window shows them, with what they carry over from each other."`
	ReferenceFlags
}

// Run renders both sides, measures them and writes the folder.
func (c *compareCommand) Run(p *Program) error {
	if err := c.check(); err != nil {
		return err
	}
	j, err := c.begin(p)
	if err != nil {
		return err
	}
	defer j.close() // by then the folder is written
	t, err := c.trial(p, j)
	if err != nil {
		return err
	}
	defer t.close()
	for _, step := range []func() error{t.warmUp, t.findReference, t.accumulate, t.watch} {
		if err := step(); err != nil {
			return err
		}
	}
	return t.write(c.Output)
}

func (c *compareCommand) check() error {
	switch {
	case c.SPP < 1:
		return fmt.Errorf("--spp %d: want at least one sample a pixel", c.SPP)
	case c.Time < 0:
		return fmt.Errorf("--time %s: want a time to render for, such as 30s", c.Time)
	case c.Live < 0:
		return fmt.Errorf("--live %d: want a number of frames", c.Live)
	}
	if err := c.checkReference(); err != nil {
		return err
	}
	return checkFolder(c.Output)
}

// trial is a comparison under way.
type trial struct {
	*job
	judge   *judge
	program *Program
	asked   *compareCommand
	sides   [2]*side
}

// side is one of the two ways of rendering.
type side struct {
	name     string
	flags    string
	settings settings.Settings
	renderer *tracer.Renderer
	samples  int
	seconds  float64            // of rendering alone
	kernels  map[string]float64 // ms, of the samples timed
	timed    int                // samples
	dropped  uint64             // samples that were not finite
	curve    []measurement      // while accumulating
	live     []measurement      // frame by frame
	final    *exhibit           // what was accumulated
	last     *exhibit           // the last live frame
}

// trial reads the sides' flags and gives each an image of its own on the same scene.
func (c *compareCommand) trial(p *Program, j *job) (*trial, error) {
	t := &trial{job: j, program: p, asked: c}
	for i, row := range []struct{ name, flags string }{{"A", c.A}, {"B", c.B}} {
		s, err := parseSettings(row.flags, j.settings)
		if err == nil {
			err = displayedAlike(s, j.settings)
		}
		if err != nil {
			return nil, errors.Join(fmt.Errorf("--%s %q: %w", strings.ToLower(row.name), row.flags, err), t.closeSides())
		}
		r, err := j.renderer.Twin()
		if err != nil {
			return nil, errors.Join(err, t.closeSides())
		}
		t.sides[i] = &side{name: row.name, flags: row.flags, settings: s, renderer: r, kernels: map[string]float64{}}
		if err := errors.Join(r.Ready(s), r.CheckDenoiser(s)); err != nil {
			return nil, errors.Join(err, t.closeSides())
		}
	}
	return t, nil
}

// displayedAlike refuses a side that would be shown differently.
func displayedAlike(side, both settings.Settings) error {
	for _, row := range tracer.SettingsTable() {
		if row.Group == "Display" && row.Text(&side) != row.Text(&both) {
			return fmt.Errorf("both sides are displayed alike: give --%s outside", row.Name)
		}
	}
	return nil
}

func (t *trial) closeSides() error {
	var errs []error
	for _, s := range t.sides {
		if s != nil {
			errs = append(errs, s.renderer.Close())
		}
	}
	return errors.Join(errs...)
}

// close gives the images back; what the device has to say then no longer matters.
func (t *trial) close() { _ = t.closeSides() }
