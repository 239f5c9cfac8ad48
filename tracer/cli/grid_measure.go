package cli

import (
	"context"
	"errors"
	"fmt"
	"image"
	"math"
	"runtime"
	"slices"
	"time"

	"glint/tracer"
	"glint/tracer/denoise"
	"glint/tracer/device"
	"glint/tracer/imageio"
	"glint/tracer/integrator"
	"glint/tracer/metric"
	"glint/tracer/profile"
	"glint/tracer/scene"
	"glint/tracer/settings"
	"glint/tracer/view"
)

// setup is what integrators are compared in.
type setup struct {
	Motion   string  `json:"motion"`    // or rest
	Budget   float64 `json:"budget_ms"` // for a frame; at rest for the image
	Denoiser string  `json:"denoiser"`
}

// outcome is what was measured of an integrator in a scene: means over frames.
type outcome struct {
	Scene string `json:"scene"`
	setup
	Integrator string  `json:"integrator"`
	MsSample   float64 `json:"ms_per_sample"`
	MsGather   float64 `json:"ms_gathering"` // of a sample that is shared with the next
	MsDenoise  float64 `json:"ms_denoising"`
	Ms         float64 `json:"ms"`      // that a frame took
	Samples    int     `json:"samples"` // in a frame
	RelMSE     float64 `json:"relmse"`
	Trimmed    float64 `json:"relmse_trimmed"` // without the worst 0.1 % of the pixels
	FLIP       float64 `json:"flip"`
	Flicker    float64 `json:"flicker,omitempty"` // of the error of a displayed pixel from frame to frame, of 255
	Dots       float64 `json:"lone_dots"`         // in a frame

	picture *image.NRGBA // the last frame
}

// trial is an integrator with a denoiser under way.
type trial struct {
	integrator, denoiser string
	settings             settings.Settings
	renderer             *tracer.Renderer
	ms                   float64              // of a sample
	gathering            float64              // of one that is shared with the next
	denoising            [costSamples]float64 // of a frame of one sample, two, and more
}

// measureDenoiser measures every integrator with a denoiser, all of them by turns: what else the machine does then slows
// them alike.
func (g *grid) measureDenoiser(ctx context.Context, denoiser string) error {
	s := g.settings
	s.Denoise = denoiser
	if err := g.renderer.Engine().CheckDenoiser(s); err != nil {
		g.program.log.Warn("left out", "why", err)
		return nil
	}
	var trials []*trial
	var err error
	for _, integrator := range g.command.Integrators {
		t := &trial{integrator: integrator, denoiser: denoiser, settings: s}
		t.settings.Integrator = integrator
		if t.renderer, err = g.renderer.Engine().NewRenderer(profile.Policy{}); err != nil {
			break
		}
		t.renderer.SetProfilePolicy(profile.Policy{TimeEvery: math.MaxInt}) // whole frames alone
		trials = append(trials, t)
	}
	if err == nil {
		err = g.measureTrials(ctx, trials)
	}
	for _, t := range trials {
		err = errors.Join(err, t.renderer.Close())
	}
	return err
}

func (g *grid) measureTrials(ctx context.Context, trials []*trial) error {
	if err := g.measureCost(ctx, trials); err != nil {
		return err
	}
	for i := range g.motions {
		for _, budget := range g.command.Budget {
			if err := g.measureMotion(ctx, trials, &g.motions[i], time.Duration(budget)); err != nil {
				return err
			}
		}
	}
	return g.measureResting(ctx, trials)
}

// Frames are timed to find the cost of a trial: of few samples, since then the denoiser traces camera rays of its own, and of as many as
// let it do without.
const (
	costFrames  = 9 // of each number of samples
	costSamples = denoise.EdgeSamples
)

// viewOf is the view of the next picture from a camera.
func (g *grid) viewOf(c scene.Camera, moving bool) view.View {
	g.frame++
	v := g.view
	v.Camera, v.Live, v.Moving, v.Frame = c, true, moving, g.frame
	return v
}

// stage is what a sample is for.
type stage int

const (
	alone    stage = iota // it is shared by itself, and another one follows in the frame
	gathered              // it is shared with the next
	shown                 // it ends the frame
)

// renderSample renders a sample and returns its time in ms: by the GPU's clock, else the time of all cores over their
// number, which other load disturbs less than the wall clock. A sample that is not shown is not denoised either.
func (g *grid) renderSample(ctx context.Context, t *trial, v view.View, as stage) (float64, error) {
	v.Unseen, v.Gathers = as != shown, as == gathered
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	begun := time.Now()
	before, err := profile.ProcessorTime()
	if err != nil {
		return 0, err
	}
	stats, err := t.renderer.Render(v, t.settings, view.Target{})
	if err != nil {
		return 0, err
	}
	if stats.DenoiseError != nil {
		return 0, stats.DenoiseError
	}
	if err := t.renderer.Finish(); err != nil {
		return 0, err
	}
	after, err := profile.ProcessorTime()
	if err != nil {
		return 0, err
	}
	statistics, err := t.renderer.Statistics()
	if err != nil {
		return 0, err
	}
	if g.renderer.Engine().Backend().Kind == device.KindCPU {
		return float64(after-before) / 1e6 / float64(runtime.GOMAXPROCS(0)), nil
	}
	if statistics.Whole.Frames == 0 {
		return float64(time.Since(begun)) / 1e6, nil // the first frames are not timed
	}
	return statistics.Whole.Mean(), nil
}

// begin is the view of a frame of a motion, in whose pose the scene then is.
func (g *grid) begin(m *gridMotion, frame int) (view.View, error) {
	return g.viewOf(m.at(frame).camera, m.name != restMotion), g.take(g.poseOf(m, frame))
}

// measureCost measures the times of samples and of denoising, in motion if anything moves.
func (g *grid) measureCost(ctx context.Context, trials []*trial) error {
	m := &gridMotion{name: restMotion, motion: resting(g.view.Camera)}
	if len(g.motions) > 0 {
		m = &g.motions[0]
	}
	frames := [costSamples][]stage{{shown}, {alone, shown}, {alone, gathered, shown}}
	costs := make([]cost, len(trials))
	for i := range len(frames) * (1 + costFrames) {
		v, err := g.begin(m, i)
		if err != nil {
			return err
		}
		n := i % len(frames)
		for k, t := range trials {
			for _, as := range frames[n] {
				ms, err := g.renderSample(ctx, t, v, as)
				if err != nil {
					return fmt.Errorf("%s: %w", t.integrator, err)
				}
				if i >= len(frames) { // the first take memory
					costs[k].add(as, n, ms)
				}
			}
		}
	}
	for k, t := range trials {
		t.ms, t.gathering = median(costs[k].alone), median(costs[k].gathered)
		for n := range t.denoising {
			if t.denoiser != "off" {
				t.denoising[n] = max(median(costs[k].shown[n])-t.ms, 0)
			}
		}
	}
	return nil
}

// cost is the times of samples, by what they were for.
type cost struct {
	alone, gathered []float64
	shown           [costSamples][]float64 // as the first of a frame, the second, and the third
}

func (c *cost) add(as stage, n int, ms float64) {
	switch as {
	case alone:
		c.alone = append(c.alone, ms)
	case gathered:
		c.gathered = append(c.gathered, ms)
	case shown:
		c.shown[n] = append(c.shown[n], ms)
	}
}

// median sorts its values.
func median(values []float64) float64 {
	slices.Sort(values)
	return values[len(values)/2]
}

// frame is the samples that fit in a time, at least one: as many as are shared each by itself, and what room is left for others
// that are shared with one of these.
func (t *trial) frame(d time.Duration) []stage {
	fits := func(full, extra int) bool {
		return t.sampling(full, extra)+t.denoisingOf(full+extra) <= milliseconds(d)
	}
	full, extra := max(int(milliseconds(d)/t.ms), 1), 0
	for full > 1 && !fits(full, 0) {
		full--
	}
	if integrator.Reuses(t.integrator) {
		extra = full * (t.settings.RestirPaths - 1)
	}
	for extra > 0 && !fits(full, extra) {
		extra--
	}
	var frame []stage
	for i := range full {
		for range (extra + full - 1 - i) / full {
			frame = append(frame, gathered)
		}
		frame = append(frame, alone)
	}
	frame[len(frame)-1] = shown
	return frame
}

// sampling is the planned time of a frame's samples [ms]: those shared alone, and extra ones shared with the next.
func (t *trial) sampling(full, extra int) float64 {
	return float64(full)*t.ms + float64(extra)*t.gathering
}

const (
	planWindow = 3    // frames of the warm-up between two plans
	planSlack  = 1.02 // a frame that takes up to so many times its budget is not shortened: times vary by about as much
)

// replan corrects the plan of a frame by the time that such frames took [ms]. frame plans by the cost of a first sample, which is the
// highest: only that traces rays to find how far away reflections are, and later ones need fewer guides. So a corrected plan never has
// fewer samples than frame gives. It has more than the plan now only with mayGrow, when enough frames follow to check that they fit.
func (t *trial) replan(d time.Duration, now []stage, took float64, mayGrow bool) []stage {
	extra := 0
	for _, as := range now {
		if as == gathered {
			extra++
		}
	}
	scale := min(max((took-t.denoisingOf(len(now)))/t.sampling(len(now)-extra, extra), 0.1), 1)
	corrected := *t
	corrected.ms, corrected.gathering = t.ms*scale, t.gathering*scale
	next := corrected.frame(d)
	if len(next) > len(now) && !mayGrow || len(next) < len(now) && took <= planSlack*milliseconds(d) {
		return now
	}
	return next
}

// denoisingOf is the time of denoising a frame of so many samples.
func (t *trial) denoisingOf(samples int) float64 {
	return t.denoising[min(samples, costSamples)-1]
}

func milliseconds(d time.Duration) float64 { return float64(d) / 1e6 }

// measureMotion measures frames that follow each other in a motion, each with reuse and history of those before.
func (g *grid) measureMotion(ctx context.Context, trials []*trial, m *gridMotion, budget time.Duration) error {
	warmUp, measured := g.command.WarmUp, g.command.Frames
	tallies, frames, took := make([]tally, len(trials)), make([][]stage, len(trials)), make([][]float64, len(trials))
	for k, t := range trials {
		t.renderer.Restart()
		tallies[k].outcome = g.outcomeOf(t, m.name, budget)
		frames[k] = t.frame(budget)
	}
	for i := range warmUp + measured {
		v, err := g.begin(m, i)
		if err != nil {
			return err
		}
		for k, t := range trials {
			ms := 0.0
			for _, as := range frames[k] {
				one, err := g.renderSample(ctx, t, v, as)
				if err != nil {
					return fmt.Errorf("%s: %w", t.integrator, err)
				}
				ms += one
			}
			if i < warmUp {
				if took[k] = append(took[k], ms); len(took[k]) == planWindow {
					frames[k] = t.replan(budget, frames[k], median(took[k]), i+planWindow < warmUp)
					took[k] = nil
				}
				continue
			}
			tallies[k].Samples, tallies[k].MsDenoise = len(frames[k]), t.denoisingOf(len(frames[k]))
			tallies[k].Ms += ms / float64(measured)
			if err := g.measureShown(t, v, &tallies[k], m.references[i-warmUp], measured); err != nil {
				return fmt.Errorf("%s: %w", t.integrator, err)
			}
		}
	}
	g.addOutcomes(tallies)
	return nil
}

// measureResting measures what a view that rests accumulates. Whoever has had the least time renders next.
func (g *grid) measureResting(ctx context.Context, trials []*trial) error {
	if err := g.take(g.pose); err != nil {
		return err
	}
	d := time.Duration(g.command.Rest)
	v := g.viewOf(g.view.Camera, false)
	tallies := make([]tally, len(trials))
	for k, t := range trials {
		t.renderer.Restart()
		tallies[k].outcome = g.outcomeOf(t, restMotion, d)
	}
	for left := len(trials); left > 0; {
		k := -1
		for i := range tallies {
			if !tallies[i].done && (k < 0 || tallies[i].Ms < tallies[k].Ms) {
				k = i
			}
		}
		t, now := trials[k], &tallies[k]
		as := alone
		switch last := now.Ms+2*t.ms+t.denoisingOf(costSamples) > milliseconds(d); { // another would not fit
		case last:
			as = shown
		case integrator.Reuses(t.integrator):
			as = gathered
		}
		ms, err := g.renderSample(ctx, t, v, as)
		if err != nil {
			return fmt.Errorf("%s: %w", t.integrator, err)
		}
		now.Ms += ms
		now.Samples++
		if as != shown {
			continue
		}
		now.done = true
		left--
		if err := g.measureShown(t, v, now, g.resting, 1); err != nil {
			return fmt.Errorf("%s: %w", t.integrator, err)
		}
	}
	g.addOutcomes(tallies)
	return nil
}

// tally is an outcome that grows from frame to frame.
type tally struct {
	*outcome
	errors []float64 // of the last frame's displayed pixels, of 255
	done   bool
}

func (g *grid) outcomeOf(t *trial, motion string, budget time.Duration) *outcome {
	return &outcome{Scene: g.prepared.Scene.Name, setup: setup{motion, milliseconds(budget), t.denoiser}, Integrator: t.integrator,
		MsSample: t.ms, MsGather: t.gathering, MsDenoise: t.denoisingOf(costSamples)}
}

// measureShown adds what a window would show now, one of some frames, to a tally.
func (g *grid) measureShown(t *trial, v view.View, to *tally, ref *reference, frames int) error {
	img, err := t.image(v)
	if err != nil {
		return err
	}
	e, err := ref.measure(img)
	if err != nil {
		return err
	}
	n := float64(frames)
	to.RelMSE += e.RelMSE / n
	to.Trimmed += e.Trimmed / n
	to.FLIP += e.FLIP / n
	dots, err := metric.LoneDots(img, ref.image)
	if err != nil {
		return err
	}
	to.Dots += float64(dots) / n
	shown := lumaErrors(e.display, ref.display)
	if to.errors != nil {
		to.Flicker += meanChange(to.errors, shown) / (n - 1)
	}
	to.errors, to.picture = shown, e.display
	return nil
}

func (t *trial) image(v view.View) (*imageio.Image, error) {
	if t.denoiser == "off" {
		return t.renderer.Image().Radiance()
	}
	return t.renderer.Image().Denoised(v, t.settings)
}

func (g *grid) addOutcomes(tallies []tally) {
	for _, t := range tallies {
		o := t.outcome
		g.outcomes = append(g.outcomes, o)
		g.program.log.Info("measured", "scene", o.Scene, "motion", o.Motion, "budget ms", o.Budget, "denoiser", o.Denoiser, "integrator", o.Integrator,
			"samples", o.Samples, "ms", short(o.Ms), "ms a sample", short(o.MsSample), "relMSE", short(o.RelMSE), "FLIP", short(o.FLIP), "flicker", short(o.Flicker), "lone dots", short(o.Dots))
	}
}

// lumaErrors is what is shown of each pixel less what its reference shows, of 255.
func lumaErrors(shown, reference *image.NRGBA) []float64 {
	out := make([]float64, len(shown.Pix)/4)
	for i := range out {
		out[i] = shownLuma(shown, i) - shownLuma(reference, i)
	}
	return out
}

// meanChange is the mean of |a − b|.
func meanChange(a, b []float64) float64 {
	sum := 0.0
	for i := range a {
		sum += math.Abs(a[i] - b[i])
	}
	return sum / float64(len(a))
}

// shownLuma is that of an encoded pixel, 0 to 255.
func shownLuma(img *image.NRGBA, pixel int) float64 {
	p := img.Pix[4*pixel:]
	return imageio.Luminance(float64(p[0]), float64(p[1]), float64(p[2]))
}
