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
	"glint/tracer/profile"
	"glint/tracer/settings"
	"glint/tracer/view"
)

// gridCommand is `glint grid`: path tracing and ReSTIR GI in equal time, raw and denoised.
type gridCommand struct {
	SceneFlags
	Output string   `short:"o" required:"" placeholder:"DIR" help:"Folder to write: a table of errors, sheets of images, a summary."`
	Budget duration `default:"33ms" placeholder:"DURATION" help:"Time for each frame of the moving view, including denoising. Default ${default}."`
	Rest   duration `default:"1s" placeholder:"DURATION" help:"Time for the image of the resting view. Default ${default}."`
	Frames int      `default:"8" placeholder:"N" help:"Frames of the moving view to measure, after as many to warm up. Default ${default}."`
	ReferenceFlags
}

// variant is one way of rendering: an integrator with a denoiser.
type variant struct {
	integrator, denoiser string
	settings             settings.Settings
	renderer             *tracer.Renderer
	ms, denoising        float64 // of a sample, and of denoising a frame
	moving, resting      *outcome
}

// outcome is what was measured of a variant.
type outcome struct {
	*result         // the last picture; errors are means over all of them
	ms      float64 // of a picture
	flicker float64 // standard deviation over pictures of what a display shows of a pixel, of 255
}

// Run measures every variant and writes the folder.
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
	ref, err := c.load(p, j, j.renderer)
	if err != nil {
		return err
	}
	g := &grid{job: j, program: p, command: c, reference: ref}
	for _, v := range g.list() {
		if err := g.measure(v); err != nil {
			return fmt.Errorf("%s, %s: %w", v.integrator, v.denoiser, err)
		}
	}
	return g.write()
}

func (c *gridCommand) check() error {
	if c.Frames < 2 {
		return fmt.Errorf("--frames %d: want at least two, to see what changes", c.Frames)
	}
	if err := c.checkReference(); err != nil {
		return err
	}
	return checkFolder(c.Output)
}

// grid is the work of `glint grid` under way.
type grid struct {
	*job
	reference *reference
	program   *Program
	command   *gridCommand
	variants  []*variant // that this machine has
	frame     int        // counts the frames of a variant
}

// list has a variant for each integrator and denoiser. It warns of those that this machine cannot run.
func (g *grid) list() []*variant {
	for _, denoiser := range denoisers() {
		for _, integrator := range []string{"path", "restir-gi"} {
			v := &variant{integrator: integrator, denoiser: denoiser, settings: g.settings}
			v.settings.Integrator, v.settings.Denoise = integrator, denoiser
			if err := g.renderer.Engine().CheckDenoiser(v.settings); err != nil {
				g.program.log.Warn("left out", "why", err)
				continue
			}
			g.variants = append(g.variants, v)
		}
	}
	return g.variants
}

// denoisers are the choices of the setting, except auto.
func denoisers() []string {
	row, _ := settings.Lookup(tracer.SettingsTable(), "denoise")
	return slices.DeleteFunc(slices.Clone(row.Choices), func(name string) bool { return name == "auto" })
}

// measure measures a variant in an image of its own: frame by frame in motion, then at rest.
func (g *grid) measure(v *variant) error {
	r, err := g.renderer.Engine().NewRenderer(profile.Policy{})
	if err != nil {
		return err
	}
	v.renderer, g.frame = r, 0
	r.SetProfilePolicy(profile.Policy{TimeEvery: math.MaxInt}) // whole frames alone
	for _, step := range []func(*variant) error{g.measureCost, g.measureMoving, g.measureResting} {
		if err := step(v); err != nil {
			return errors.Join(err, r.Close())
		}
	}
	g.program.log.Info("measured", "integrator", v.integrator, "denoiser", v.denoiser, "ms a sample", short(v.ms), "denoising", short(v.denoising),
		"samples", v.moving.Samples, "relMSE", short(v.moving.RelMSE), "FLIP", short(v.moving.FLIP), "flicker", short(v.moving.flicker))
	return r.Close()
}

// costFrames is how many frames are timed to find the cost of a variant.
const costFrames = 9

// viewNow is the view of the current frame. A sample that is not shown is not denoised either.
func (g *grid) viewNow(shown bool) view.View {
	v := g.view
	v.Live, v.Frame, v.SkipDenoise = true, g.frame, !shown
	return v
}

// renderSample renders a sample and returns its time in ms: by the GPU's clock, else by the wall clock.
func (g *grid) renderSample(v *variant, shown bool) (float64, error) {
	begun := time.Now()
	stats, err := v.renderer.Render(g.viewNow(shown), v.settings, view.Target{})
	if err != nil {
		return 0, err
	}
	if stats.DenoiseError != nil {
		return 0, stats.DenoiseError
	}
	if err := v.renderer.Finish(); err != nil {
		return 0, err
	}
	ms := float64(time.Since(begun)) / 1e6
	statistics, err := v.renderer.Statistics()
	if err != nil {
		return 0, err
	}
	if statistics.Whole.Frames > 0 {
		ms = statistics.Whole.Mean()
	}
	return ms, nil
}

// measureCost measures the time of a sample, and of denoising a frame.
func (g *grid) measureCost(v *variant) error {
	var plain, denoised []float64
	if _, err := g.renderSample(v, true); err != nil { // takes the memory
		return err
	}
	if err := g.renderer.Engine().WaitForKernels(); err != nil {
		return err
	}
	for range costFrames {
		for _, shown := range []bool{false, true} {
			g.frame++
			ms, err := g.renderSample(v, shown)
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
	v.ms = median(plain)
	if v.denoiser != "off" {
		v.denoising = max(median(denoised)-v.ms, 0)
	}
	return nil
}

// median sorts its values.
func median(values []float64) float64 {
	slices.Sort(values)
	return values[len(values)/2]
}

// samples is how many samples fit in a time, at least one.
func (v *variant) samples(d time.Duration) int {
	return max(int((float64(d)/1e6-v.denoising)/v.ms), 1)
}

// renderFor renders as many samples as fit in a time.
func (g *grid) renderFor(v *variant, d time.Duration) error {
	n := v.samples(d)
	for i := range n {
		if _, err := g.renderSample(v, i == n-1); err != nil {
			return err
		}
	}
	return nil
}

// measureShown measures the current image as a window would show it.
func (g *grid) measureShown(v *variant, d time.Duration) (*result, error) {
	img, err := g.image(v)
	if err != nil {
		return nil, err
	}
	e, err := g.reference.measure(img)
	if err != nil {
		return nil, err
	}
	e.Samples = v.samples(d)
	return e, nil
}

func (g *grid) image(v *variant) (*imageio.Image, error) {
	if v.denoiser == "off" {
		return v.renderer.Image().Radiance()
	}
	return v.renderer.Image().Denoised(g.viewNow(true), v.settings)
}

// measureMoving measures frames that follow each other, each with noise of its own and with reuse and history of earlier ones.
func (g *grid) measureMoving(v *variant) error {
	var results []*result
	for i := range 2 * g.command.Frames {
		g.frame++
		if err := g.renderFor(v, time.Duration(g.command.Budget)); err != nil {
			return err
		}
		if i < g.command.Frames {
			continue
		}
		e, err := g.measureShown(v, time.Duration(g.command.Budget))
		if err != nil {
			return err
		}
		results = append(results, e)
	}
	v.moving = outcomeOf(v, results)
	return nil
}

// measureResting measures what accumulates in a view that rests.
func (g *grid) measureResting(v *variant) error {
	g.frame++
	v.renderer.Restart()
	if err := g.renderFor(v, time.Duration(g.command.Rest)); err != nil {
		return err
	}
	e, err := g.measureShown(v, time.Duration(g.command.Rest))
	if err != nil {
		return err
	}
	v.resting = outcomeOf(v, []*result{e})
	return nil
}

// outcomeOf is the mean of results.
func outcomeOf(v *variant, results []*result) *outcome {
	last := results[len(results)-1]
	out := &outcome{result: last, ms: float64(last.Samples)*v.ms + v.denoising, flicker: flicker(results)}
	n := float64(len(results))
	sum := measurement{Samples: last.Samples, Seconds: out.ms / 1e3}
	for _, e := range results {
		sum.RelMSE += e.RelMSE / n
		sum.Trimmed += e.Trimmed / n
		sum.FLIP += e.FLIP / n
	}
	last.measurement = sum
	return out
}

// flicker is the root of the mean over pixels of the variance over pictures, in steps of 255 of what is displayed.
func flicker(results []*result) float64 {
	if len(results) < 2 {
		return 0
	}
	n := float64(len(results))
	variance := 0.0
	pixels := len(results[0].display.Pix) / 4
	for i := range pixels {
		sum, squares := 0.0, 0.0
		for _, e := range results {
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
