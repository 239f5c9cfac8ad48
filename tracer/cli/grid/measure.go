package grid

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"time"

	"glint/tracer/bench"
	"glint/tracer/cli/flags"
	"glint/tracer/cli/job"
	"glint/tracer/cli/measure"
	"glint/tracer/device"
	"glint/tracer/integrator"
	"glint/tracer/metric"
	"glint/tracer/profile"
	"glint/tracer/scene"
	"glint/tracer/schedule"
	"glint/tracer/settings"
)

// Command is `glint grid`.
type Command struct {
	Scenes       []string         `arg:"" optional:"" name:"scene" help:".glb or .gltf files, or names of built-in scenes (glint scene lists them), measured one after the other. Without any: the default scene."`
	Output       string           `short:"o" required:"" placeholder:"DIR" help:"Folder to write: tables of errors and of their ratios, sheets of images, a summary. It is rewritten after each scene."`
	Integrators  []string         `default:"path,restir-gi,restir" placeholder:"NAME,…" help:"Integrators to compare. Errors are divided by those of the first. Default ${default}."`
	Denoisers    []string         `default:"off,atrous,oidn" placeholder:"NAME,…" help:"Denoisers to measure each integrator with. One that is not installed is left out. Default ${default}."`
	Motion       []string         `default:"orbit,walk" enum:"orbit,walk,play" placeholder:"NAME,…" help:"What moves: orbit turns the camera about its target by 1 degree a frame, walk moves it forward and to the right by 1 % of the target's distance a frame, play rests the camera and plays the animation (--clip) from --at or its beginning, 60 frames a second. Default ${default}."`
	Budget       []flags.Duration `default:"2ms,4ms,8ms,16ms" placeholder:"DURATION,…" help:"Times for a frame in motion, including denoising: each is measured. Default ${default}."`
	Rest         flags.Duration   `default:"1s" placeholder:"DURATION" help:"Time for the image of the resting view. Default ${default}."`
	Frames       int              `default:"8" placeholder:"N" help:"Frames of each motion to measure. Default ${default}."`
	WarmUp       int              `name:"warm-up" default:"16" placeholder:"N" help:"Frames of each motion before those that are measured, so that reuse and denoising have their history. Default ${default}."`
	ReferenceSPP int              `name:"reference-spp" default:"1024" placeholder:"N" help:"Samples per pixel of the references, of which each measured frame has its own, by path. Default ${default}."`
	Cache        string           `placeholder:"DIR" help:"Folder that keeps references, so that they are rendered once. Without it: one in the user's cache. Empty it when path itself has changed."`
	job.ImageFlags
}

// grid is the work of `glint grid` on one scene.
type grid struct {
	*job.Job
	process  *job.Process
	command  *Command
	motions  []moving
	resting  *measure.Reference
	outcomes []*outcome
	taken    *scene.Pose // that the scene has
	frame    int         // numbers the pictures, so that each has noise of its own
}

// findReferences reads or renders the reference of the resting view and those of each motion. All are exposed as the first.
func (g *grid) findReferences(ctx context.Context, cache *cache) error {
	warmUp, frames := g.command.WarmUp, g.command.Frames
	from := job.SceneKey(g.Prepared.Scene, g.Environment)
	find := func(v schedule.Request, s settings.Settings, pose *scene.Pose) (*measure.Reference, error) {
		if err := g.take(pose); err != nil {
			return nil, err
		}
		img, noise, err := cache.find(ctx, g.process, g.Job, job.KeyInPose(from, pose), v, g.command.ReferenceSPP)
		if err != nil {
			return nil, err
		}
		ref, err := measure.NewReference(g.Renderer, s, img)
		if err != nil {
			return nil, fmt.Errorf("reference: %w", err)
		}
		ref.Noise = noise
		return ref, nil
	}
	var err error
	if g.resting, err = find(g.View, g.Settings, g.Pose); err != nil {
		return err
	}
	for _, name := range g.command.Motion {
		m, err := motionOf(name, g.View.Camera, warmUp+frames)
		if err != nil {
			return err
		}
		if name == playMotion {
			m.moment = g.moment
		}
		for i := range frames {
			v := g.View
			v.Camera, v.Frame = m.At(warmUp+i).Camera, 1+i
			ref, err := find(v, g.resting.Settings, g.poseOf(&m, warmUp+i))
			if err != nil {
				return err
			}
			if i > 0 {
				m.change += meanChange(lumas(ref.Display), lumas(m.references[i-1].Display)) / float64(frames-1)
			}
			m.references = append(m.references, ref)
		}
		if m.change == 0 {
			return fmt.Errorf("--motion %s shows the same picture in every frame: choose another camera%s", name,
				map[bool]string{true: ", --clip or --at"}[m.moment != nil])
		}
		g.motions = append(g.motions, m)
	}
	return nil
}

// moment is where the animation is in a frame of motion play, s.
func (g *grid) moment(frame int) float64 {
	clip := &g.Prepared.Scene.Motion.Clips[g.Clip]
	return clip.Time(*g.command.At+float64(frame)/playFPS, true)
}

// poseOf is that of a frame; nil is at rest.
func (g *grid) poseOf(m *moving, frame int) *scene.Pose {
	if m.moment == nil {
		return g.Pose
	}
	return g.PoseAt(g.Prepared.Scene, m.moment(frame))
}

// take poses the scene, unless it stands like that already. Nil is a scene that is never posed.
func (g *grid) take(pose *scene.Pose) error {
	if pose == nil || pose == g.taken {
		return nil
	}
	g.taken = pose
	return g.Renderer.Engine().Pose(pose)
}

// noise is the relMSE of the references by motion, estimated: of the noisiest of their frames.
func (g *grid) noise() map[string]float64 {
	noise := map[string]float64{restMotion: job.Short(g.resting.Noise)}
	for _, m := range g.motions {
		for _, r := range m.references {
			noise[m.name] = max(noise[m.name], job.Short(r.Noise))
		}
	}
	return noise
}

// warnOfNoise warns where the noise of the references is not small compared with the errors that they measure.
func (g *grid) warnOfNoise() {
	var worst *outcome
	noise, count := g.noise(), 0
	for _, o := range g.outcomes {
		if noise[o.Motion] <= 0.1*o.RelMSE {
			continue
		}
		count++
		if worst == nil || noise[o.Motion]*worst.RelMSE > noise[worst.Motion]*o.RelMSE {
			worst = o
		}
	}
	if worst != nil {
		g.process.Log.Warn("the references are too noisy for some errors, which look larger and more alike than they are: raise --reference-spp",
			"scene", worst.Scene, "errors", fmt.Sprintf("%d of %d", count, len(g.outcomes)), "smallest relMSE", job.Short(worst.RelMSE),
			"of its reference", noise[worst.Motion], "motion", worst.Motion, "denoiser", worst.Denoiser)
	}
}

// measureDenoiser measures every integrator with a denoiser, all of them by turns: what else the machine does then slows
// them alike.
func (g *grid) measureDenoiser(ctx context.Context, denoiser string) error {
	s := g.Settings
	s.Denoise = denoiser
	if err := g.Renderer.Engine().CheckDenoiser(s); err != nil {
		g.process.Log.Warn("left out", "why", err)
		return nil
	}
	var trials []*trial
	var err error
	for _, integrator := range g.command.Integrators {
		t := &trial{integrator: integrator, denoiser: denoiser, settings: s}
		t.settings.Integrator = integrator
		if t.renderer, err = g.Renderer.Engine().NewRenderer(profile.Policy{}); err != nil {
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

// viewOf is the view of the next picture from a camera.
func (g *grid) viewOf(c scene.Camera, moving bool) schedule.Request {
	g.frame++
	v := g.View
	v.Camera, v.Live, v.Moving, v.Frame = c, true, moving, g.frame
	return v
}

// renderSample renders a sample and returns its time in ms: by the GPU's clock, else the time of all cores over their
// number, which other load disturbs less than the wall clock. A sample that is not shown is not denoised either.
func (g *grid) renderSample(ctx context.Context, t *trial, v schedule.Request, as stage) (float64, error) {
	v.Unseen, v.DeferReuse = as != shown, as == gathered
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	processors, wall, err := bench.Render(t.renderer, v, t.settings)
	if err != nil {
		return 0, err
	}
	statistics, err := t.renderer.Statistics()
	if err != nil {
		return 0, err
	}
	if g.Renderer.Engine().Backend().Kind == device.KindCPU {
		return processors / float64(runtime.GOMAXPROCS(0)), nil
	}
	if statistics.Whole.Frames == 0 {
		return wall, nil // the first frames are not timed
	}
	return statistics.Whole.Mean(), nil
}

// begin is the view of a frame of a motion, in whose pose the scene then is.
func (g *grid) begin(m *moving, frame int) (schedule.Request, error) {
	return g.viewOf(m.At(frame).Camera, m.name != restMotion), g.take(g.poseOf(m, frame))
}

// measureCost measures the times of samples and of denoising, in motion if anything moves.
func (g *grid) measureCost(ctx context.Context, trials []*trial) error {
	m := &moving{name: restMotion, Motion: resting(g.View.Camera)}
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

// measureMotion measures frames that follow each other in a motion, each with reuse and history of those before.
func (g *grid) measureMotion(ctx context.Context, trials []*trial, m *moving, budget time.Duration) error {
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
	if err := g.take(g.Pose); err != nil {
		return err
	}
	d := time.Duration(g.command.Rest)
	v := g.viewOf(g.View.Camera, false)
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
	return &outcome{Scene: g.Prepared.Scene.Name, setup: setup{motion, milliseconds(budget), t.denoiser}, Integrator: t.integrator,
		MsSample: t.ms, MsGather: t.gathering, MsDenoise: t.denoisingOf(costSamples)}
}

// measureShown adds what a window would show now, one of some frames, to a tally.
func (g *grid) measureShown(t *trial, v schedule.Request, to *tally, ref *measure.Reference, frames int) error {
	img, err := job.Linear(t.renderer, v, t.settings)
	if err != nil {
		return err
	}
	e, err := ref.Measure(img)
	if err != nil {
		return err
	}
	n := float64(frames)
	to.RelMSE += e.RelMSE / n
	to.Trimmed += e.Trimmed / n
	to.FLIP += e.FLIP / n
	dots, err := metric.LoneDots(img, ref.Image)
	if err != nil {
		return err
	}
	to.Dots += float64(dots) / n
	shown := lumaErrors(e.Display, ref.Display)
	if to.errors != nil {
		to.Flicker += meanChange(to.errors, shown) / (n - 1)
	}
	to.errors, to.picture = shown, e.Display
	return nil
}

func (g *grid) addOutcomes(tallies []tally) {
	for _, t := range tallies {
		o := t.outcome
		g.outcomes = append(g.outcomes, o)
		g.process.Log.Info("measured", "scene", o.Scene, "motion", o.Motion, "budget ms", o.Budget, "denoiser", o.Denoiser, "integrator",
			o.Integrator,
			"samples", o.Samples, "ms", job.Short(o.Ms), "ms a sample", job.Short(o.MsSample), "relMSE", job.Short(o.RelMSE), "FLIP", job.Short(o.FLIP), "flicker", job.Short(o.Flicker), "lone dots", job.Short(o.Dots))
	}
}
