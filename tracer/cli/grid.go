package cli

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"glint/tracer"
	"glint/tracer/settings"
	"glint/tracer/view"
)

// gridCommand is `glint grid`: what path tracing and ReSTIR GI make of a scene in equal time, raw and denoised.
type gridCommand struct {
	SceneFlags
	Output string        `short:"o" required:"" placeholder:"DIR" help:"Folder to make, with a table, sheets of the pictures and a summary."`
	Budget time.Duration `default:"33ms" placeholder:"DURATION" help:"Time for each frame of a moving view, denoising included. Default ${default}."`
	Rest   time.Duration `default:"1s" placeholder:"DURATION" help:"Time for the picture of a resting view. Default ${default}."`
	Frames int           `default:"8" placeholder:"N" help:"Frames of the moving view that are measured, after as many that warm up. Default ${default}."`
	ReferenceFlags
}

// look is one way of rendering.
type look struct {
	integrator, denoiser string
	settings             settings.Settings
	renderer             *tracer.Renderer
	ms, denoising        float64 // of a sample, and of denoising a frame
	moving, resting      *glance
}

// glance is what was seen of a look.
type glance struct {
	*exhibit         // the last picture; errors are means over all of them
	ms       float64 // of a picture
	flicker  float64 // standard deviation over pictures of what a display shows of a pixel, of 255
}

// Run measures every look and writes the folder.
func (c *gridCommand) Run(p *Program) error {
	if err := c.check(); err != nil {
		return err
	}
	j, err := c.begin(p)
	if err != nil {
		return err
	}
	defer j.close()                                                                            // by then the folder is written
	if _, err := j.renderer.Render(j.view, j.referenceSettings(), view.Target{}); err != nil { // makes room for pictures of this size
		return err
	}
	j.renderer.Restart()
	judge, err := c.find(p, j, j.renderer)
	if err != nil {
		return err
	}
	g := &grid{job: j, program: p, asked: c, judge: judge}
	for _, l := range g.list() {
		if err := g.measure(l); err != nil {
			return fmt.Errorf("%s, %s: %w", l.integrator, l.denoiser, err)
		}
	}
	return g.write()
}

func (c *gridCommand) check() error {
	if c.Budget <= 0 || c.Rest <= 0 {
		return fmt.Errorf("--budget %s --rest %s: want times to render for, such as 33ms", c.Budget, c.Rest)
	}
	if c.Frames < 2 {
		return fmt.Errorf("--frames %d: want at least two, to see what changes", c.Frames)
	}
	if err := c.checkReference(); err != nil {
		return err
	}
	return checkFolder(c.Output)
}

// grid is the work under way.
type grid struct {
	*job
	judge   *judge
	program *Program
	asked   *gridCommand
	looks   []*look // that this machine has
	frame   int     // counts the frames of a look
}

// list has a look for each integrator and denoiser; those that are missing here are said and left out.
func (g *grid) list() []*look {
	for _, denoiser := range denoisers() {
		for _, integrator := range []string{"path", "restir-gi"} {
			l := &look{integrator: integrator, denoiser: denoiser, settings: g.settings}
			l.settings.Integrator, l.settings.Denoise = integrator, denoiser
			if err := g.renderer.CheckDenoiser(l.settings); err != nil {
				g.program.log.Warn("left out", "why", err)
				continue
			}
			g.looks = append(g.looks, l)
		}
	}
	return g.looks
}

// denoisers are the choices of the setting but for auto.
func denoisers() []string {
	table := tracer.SettingsTable()
	names := table[slices.IndexFunc(table, func(row settings.Setting) bool { return row.Name == "denoise" })].Choices
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool { return name == "auto" })
}

// measure gives a look an image of its own and measures it: frame by frame in motion, then at rest.
func (g *grid) measure(l *look) error {
	r, err := g.renderer.Twin()
	if err != nil {
		return err
	}
	l.renderer, g.frame = r, 0
	r.Watch(tracer.Watch{TimeEvery: math.MaxInt}) // whole frames alone
	for _, step := range []func(*look) error{g.cost, g.move, g.rest} {
		if err == nil {
			err = step(l)
		}
	}
	if err != nil {
		return errors.Join(err, r.Close())
	}
	g.program.log.Info("measured", "integrator", l.integrator, "denoiser", l.denoiser, "ms a sample", short(l.ms), "denoising", short(l.denoising),
		"samples", l.moving.Samples, "relMSE", short(l.moving.RelMSE), "FLIP", short(l.moving.FLIP), "flicker", short(l.moving.flicker))
	return r.Close()
}
