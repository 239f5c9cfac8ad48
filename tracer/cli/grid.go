package cli

import (
	"errors"
	"fmt"
	"image"
	"math"
	"slices"
	"time"

	"glint/tracer"
	"glint/tracer/imageio"
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

// denoisers are the choices of the setting, except auto.
func denoisers() []string {
	row, _ := settings.Lookup(tracer.SettingsTable(), "denoise")
	return slices.DeleteFunc(slices.Clone(row.Choices), func(name string) bool { return name == "auto" })
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

// calibration is how many frames tell what a look costs.
const calibration = 9

// at is the view of the frame under way; what is not shown is not denoised either.
func (g *grid) at(shown bool) view.View {
	v := g.job.view
	v.Live, v.Frame, v.Undenoised = true, g.frame, !shown
	return v
}

// shoot renders a sample and tells what it took, ms: by a GPU's own clock, else by the wall's.
func (g *grid) shoot(l *look, shown bool) (float64, error) {
	begun := time.Now()
	stats, err := l.renderer.Render(g.at(shown), l.settings, view.Target{})
	if err == nil {
		err = stats.Undenoised
	}
	if err == nil {
		err = l.renderer.Finish()
	}
	if err != nil {
		return 0, err
	}
	ms := float64(time.Since(begun)) / 1e6
	told, err := l.renderer.Statistics()
	if err == nil && told.Whole.Frames > 0 {
		ms = told.Whole.Mean()
	}
	return ms, err
}

// cost finds out what a sample takes, and what denoising a frame adds.
func (g *grid) cost(l *look) error {
	var plain, denoised []float64
	if _, err := g.shoot(l, true); err != nil { // takes the memory
		return err
	}
	if err := g.renderer.Settle(); err != nil {
		return err
	}
	for range calibration {
		for _, shown := range []bool{false, true} {
			g.frame++
			ms, err := g.shoot(l, shown)
			if err != nil {
				return err
			}
			if shown {
				denoised = append(denoised, ms)
			} else {
				plain = append(plain, ms)
			}
		}
	}
	l.ms = median(plain)
	if l.denoiser != "off" {
		l.denoising = max(median(denoised)-l.ms, 0)
	}
	return nil
}

// median sorts its values.
func median(values []float64) float64 {
	slices.Sort(values)
	return values[len(values)/2]
}

// samples fit a time; one is always taken.
func (l *look) samples(d time.Duration) int {
	return max(int((float64(d)/1e6-l.denoising)/l.ms), 1)
}

// picture renders as many samples as fit a time.
func (g *grid) picture(l *look, d time.Duration) error {
	n := l.samples(d)
	for i := range n {
		if _, err := g.shoot(l, i == n-1); err != nil {
			return err
		}
	}
	return nil
}

// judged measures what a window would show of the picture that was rendered last.
func (g *grid) judged(l *look, d time.Duration) (*exhibit, error) {
	img, err := g.image(l)
	if err != nil {
		return nil, err
	}
	e, err := g.judge.measure(img)
	if err == nil {
		e.Samples = l.samples(d)
	}
	return e, err
}

func (g *grid) image(l *look) (*imageio.Image, error) {
	if l.denoiser == "off" {
		return l.renderer.Radiance()
	}
	return l.renderer.Denoise(g.at(true), l.settings)
}

// move measures frames that follow each other, each with noise of its own and with what is carried over from those before.
func (g *grid) move(l *look) error {
	var seen []*exhibit
	for i := range 2 * g.asked.Frames {
		g.frame++
		if err := g.picture(l, g.asked.Budget); err != nil {
			return err
		}
		if i < g.asked.Frames {
			continue
		}
		e, err := g.judged(l, g.asked.Budget)
		if err != nil {
			return err
		}
		seen = append(seen, e)
	}
	l.moving = glanceOf(l, seen)
	return nil
}

// rest measures what accumulates from nothing.
func (g *grid) rest(l *look) error {
	g.frame++
	l.renderer.Restart()
	if err := g.picture(l, g.asked.Rest); err != nil {
		return err
	}
	e, err := g.judged(l, g.asked.Rest)
	if err != nil {
		return err
	}
	l.resting = glanceOf(l, []*exhibit{e})
	return nil
}

// glanceOf is the mean of what was measured.
func glanceOf(l *look, seen []*exhibit) *glance {
	last := seen[len(seen)-1]
	out := &glance{exhibit: last, ms: float64(last.Samples)*l.ms + l.denoising, flicker: flicker(seen)}
	n := float64(len(seen))
	sum := measurement{Samples: last.Samples, Seconds: out.ms / 1e3}
	for _, e := range seen {
		sum.RelMSE += e.RelMSE / n
		sum.Trimmed += e.Trimmed / n
		sum.FLIP += e.FLIP / n
	}
	last.measurement = sum
	return out
}

// flicker is the root of the mean over pixels of the variance over pictures, in steps of 255 of what is displayed.
func flicker(seen []*exhibit) float64 {
	if len(seen) < 2 {
		return 0
	}
	n := float64(len(seen))
	variance := 0.0
	pixels := len(seen[0].display.Pix) / 4
	for i := range pixels {
		sum, squares := 0.0, 0.0
		for _, e := range seen {
			v := shownLuma(e.display, i)
			sum += v
			squares += v * v
		}
		variance += max(squares/n-sum*sum/n/n, 0) * n / (n - 1)
	}
	return math.Sqrt(variance / float64(pixels))
}

// shownLuma is that of an encoded pixel, 0 to 255.
func shownLuma(img *image.NRGBA, pixel int) float64 {
	p := img.Pix[4*pixel:]
	return imageio.Luminance(float64(p[0]), float64(p[1]), float64(p[2]))
}
