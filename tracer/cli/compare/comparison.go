package compare

import (
	"context"
	"errors"
	"fmt"
	"math/bits"
	"strings"
	"time"

	"glint/tracer"
	"glint/tracer/cli/flags"
	"glint/tracer/cli/job"
	"glint/tracer/cli/measure"
	"glint/tracer/cli/terminal"
	"glint/tracer/diagnose"
	"glint/tracer/film"
	"glint/tracer/imageio"
	"glint/tracer/profile"
	"glint/tracer/schedule"
	"glint/tracer/settings"
	"glint/tracer/view"
)

// Command is `glint compare`.
type Command struct {
	job.SceneFlags
	job.TeamFlags
	Output string         `short:"o" required:"" placeholder:"DIR" help:"Folder to write: images, FLIP maps, a bias map, errors over time, a summary."`
	A      string         `name:"a" default:"--integrator path" placeholder:"FLAGS" help:"Settings of side A, in quotes. They override those given outside, which both sides share. Default ${default}."`
	B      string         `name:"b" default:"--integrator restir" placeholder:"FLAGS" help:"Settings of side B. Default ${default}."`
	SPP    int            `name:"spp" default:"64" placeholder:"N" help:"Samples per pixel on each side. Default ${default}."`
	Time   flags.Duration `placeholder:"DURATION" help:"Render each side for this long, such as 30s (a plain number is in seconds), instead of --spp samples."`
	Live   int            `placeholder:"N" help:"Also measure N live frames, one sample per pixel each, with reuse and history from frame to frame, as a window shows them."`
	measure.ReferenceFlags
}

// sideFlags are the flags of a side.
type sideFlags struct{ name, flags string }

func (c *Command) sides() [2]sideFlags { return [2]sideFlags{{"A", c.A}, {"B", c.B}} }

func (c *Command) sideSettings(both settings.Settings, of sideFlags) (settings.Settings, error) {
	s, err := c.Parse(of.flags, both)
	if err == nil {
		err = alike(s, both)
	}
	if err != nil {
		return s, fmt.Errorf("--%s %q: %w", strings.ToLower(of.name), of.flags, err)
	}
	return job.WithoutWindow(s), nil
}

// alike refuses settings of a side that both sides must have in common: how they are shown, and what the device is given.
func alike(side, both settings.Settings) error {
	for _, row := range tracer.SettingsTable() {
		if (row.Scope == settings.PerScreen || row.Scope == settings.PerDevice) && !row.Same(&side, &both) {
			return fmt.Errorf("--%s must be the same on both sides: give it outside --a and --b", row.Name)
		}
	}
	return nil
}

// comparison is the work of `glint compare` under way.
type comparison struct {
	*job.Job  // of the first device, which shows and measures
	team      *job.Team
	reference *measure.Reference
	process   *job.Process
	command   *Command
	sides     [2]*side
	bias      *diagnose.Bias
	biased    *diagnose.BiasMap // what bias has found, once everything is measured
	verdict   string            // of verdictOf, then
}

// side is one of the two ways of rendering.
type side struct {
	name     string
	flags    string
	settings settings.Settings
	renderer *tracer.Renderer
	samples  int
	seconds  float64               // of rendering alone
	kernels  map[string]float64    // ms, of the samples timed
	timed    int                   // samples
	dropped  uint64                // samples that were not finite
	curve    []measure.Measurement // while accumulating
	live     []measure.Measurement // frame by frame
	final    *measure.Result       // what was accumulated
	last     *measure.Result       // the last live frame
	blocks   *sharedSide           // nil where one device renders sample after sample
}

// newComparison gives each side its settings and an image of its own of the same scene.
func newComparison(p *job.Process, t *job.Team, command *Command) (*comparison, error) {
	j := t.Members[0].Job
	c := &comparison{Job: j, team: t, process: p, command: command, bias: diagnose.NewBias(j.View.Width, j.View.Height, biasBlock)}
	for i, of := range command.sides() {
		s := &side{name: of.name, flags: of.flags, kernels: map[string]float64{}}
		c.sides[i] = s
		if err := s.open(t, command); err != nil {
			c.close()
			return nil, err
		}
	}
	return c, nil
}

// open gives a side an image, and where all devices work on it, one on each.
func (s *side) open(t *job.Team, command *Command) (err error) {
	j := t.Members[0].Job
	if s.settings, err = command.sideSettings(j.Settings, sideFlags{s.name, s.flags}); err != nil {
		return err
	}
	engine := j.Renderer.Engine()
	if s.renderer, err = engine.NewRenderer(profile.Policy{}); err != nil {
		return err
	}
	if err := errors.Join(engine.EnsureBVH(s.settings), engine.EnsureRays(s.settings), engine.CheckDenoiser(s.settings)); err != nil || !t.Asked {
		return err
	}
	s.settings.Integrator = engine.Plan(j.View, s.settings).Settings.Integrator // auto may stand for another on each
	s.blocks, err = newSharedSide(t, s.settings, s.renderer)
	return err
}

// close frees the images. Errors no longer matter then.
func (c *comparison) close() {
	for _, s := range c.sides {
		if s != nil && s.renderer != nil {
			s.blocks.close(c.team)
			_ = s.renderer.Close()
		}
	}
}

// findReference reads or renders the reference.
func (c *comparison) findReference(ctx context.Context) (err error) {
	c.reference, err = c.command.Load(ctx, c.process, c.team, c.sides[0].renderer)
	return err
}

// warnOfNoise warns where the noise of the reference is not small compared with the errors that it measures.
func (c *comparison) warnOfNoise() {
	for _, s := range c.sides {
		if !(c.reference.Noise <= 0.1*s.final.RelMSE) {
			c.process.Log.Warn("the reference is too noisy to measure this: raise --reference-spp", "side", s.name,
				"relMSE of the side", job.Short(s.final.RelMSE), "of the reference", c.reference.Said())
		}
	}
}

// turns is about how many turns each side takes, so that other load on the machine slows both sides alike.
const turns = 32

// biasBlock is how many samples make a block for the bias map: they share no history, so few do.
const biasBlock = 4

// timedEvery: the kernels of every fourth sample are timed.
const timedEvery = 4

// warmUp allocates memory and waits for this scene's kernels, so that no side is charged for either: it renders a sample that does not
// count.
func (c *comparison) warmUp(context.Context) error {
	for _, s := range c.sides {
		if _, err := s.renderer.Render(c.View, s.settings, view.Target{}); err != nil {
			return err
		}
		s.renderer.Restart()
		s.renderer.SetProfilePolicy(profile.Policy{TimeEvery: timedEvery})
		if err := s.blocks.warmUp(c.team); err != nil {
			return err
		}
	}
	return c.Renderer.Engine().WaitForKernels()
}

// done is the finished share of a side's samples or time.
func (c *comparison) done(s *side) float64 {
	if c.command.Time > 0 {
		return s.seconds / time.Duration(c.command.Time).Seconds()
	}
	return float64(s.samples) / float64(c.command.SPP)
}

// accumulate lets the sides render by turns until both have their samples, or their time, and measures on the way. If the context
// ends, what both have then is measured, or nothing when one has none.
func (c *comparison) accumulate(ctx context.Context) error {
	bar := terminal.NewBar(c.process.Stderr, 100, "% of both sides")
	defer bar.Finish()
	a, b := c.sides[0], c.sides[1]
	for (c.done(a) < 1 || c.done(b) < 1) && ctx.Err() == nil {
		next := a
		if c.done(b) < c.done(a) {
			next = b
		}
		if err := errors.Join(c.turn(ctx, next), takeBias(c.bias, c.sides)); err != nil {
			return err
		}
		bar.Set(int(50 * (min(c.done(a), 1) + min(c.done(b), 1))))
	}
	if a.final == nil || b.final == nil {
		return nil
	}
	for _, s := range c.sides {
		if s.final.Samples < s.samples {
			if err := c.measureCurve(s); err != nil {
				return err
			}
		}
		counters, err := s.renderer.Counters()
		if err != nil {
			return err
		}
		if s.dropped = counters.NonFinite; s.blocks != nil {
			s.dropped = max(s.dropped, c.team.Dropped(s.blocks.jobs))
		}
		if err := c.reference.MeasureFinally(s.final); err != nil {
			return err
		}
		c.process.Log.Info("side "+s.name, "flags", s.flags, "samples", s.samples, "seconds", job.Short(s.seconds),
			"relMSE", job.Short(s.final.RelMSE), "trimmed", job.Short(s.final.Trimmed), "FLIP", job.Short(s.final.FLIP))
	}
	c.warnOfNoise()
	return nil
}

// takeBias takes a block of samples of both sides when there is one.
func takeBias(bias *diagnose.Bias, sides [2]*side) error {
	samples := [2]int{sides[0].samples, sides[1].samples}
	if !bias.Due(samples[0], samples[1]) {
		return nil
	}
	var pictures [2]*imageio.Image
	for i, s := range sides {
		var err error
		if pictures[i], err = s.renderer.Image().Radiance(); err != nil {
			return err
		}
	}
	return bias.Take(pictures, samples)
}

// turn renders some samples of a side. Errors are measured at powers of two and at the end.
func (c *comparison) turn(ctx context.Context, s *side) error {
	if s.blocks != nil {
		return c.sharedTurn(ctx, s)
	}
	until := min(c.done(s)+1./turns, 1)
	begun, before := time.Now(), s.seconds
	for {
		stats, err := s.renderer.Render(c.View, s.settings, view.Target{})
		if err != nil && !errors.Is(err, view.ErrStopped) {
			return err
		}
		s.samples = stats.Samples
		if s.samples == 0 {
			return nil // the context has ended
		}
		s.seconds = before + time.Since(begun).Seconds()
		if c.done(s) >= until || bits.OnesCount(uint(s.samples)) == 1 || ctx.Err() != nil {
			break
		}
	}
	if err := s.addTimes(); err != nil {
		return err
	}
	s.seconds = before + time.Since(begun).Seconds()
	if c.done(s) < 1 && bits.OnesCount(uint(s.samples)) > 1 {
		return nil
	}
	return c.measureCurve(s)
}

// sharedTurn has all devices render as many samples of a side as it has already, or what time is left for.
func (c *comparison) sharedTurn(ctx context.Context, s *side) error {
	end := max(2*s.samples, film.BlockSamples)
	working, stop := context.WithCancel(ctx)
	if limit := time.Duration(c.command.Time); limit == 0 {
		end = min(end, c.command.SPP)
	} else if s.samples > 0 { // there is at least a block, however long it takes
		stop()
		working, stop = context.WithTimeout(ctx, limit-time.Duration(s.seconds*float64(time.Second)))
	}
	defer stop()
	head, begun := c.team.Members[0], time.Now()
	err := c.team.Sample(working, s.blocks.sums, end, s.blocks.jobs, func(int) error { return nil })
	if err != nil && working.Err() == nil {
		return err
	}
	if len(c.team.Members) == 0 || c.team.Members[0] != head {
		return fmt.Errorf("%s has failed, which compares the sides: leave it out of --devices", head.Name)
	}
	s.seconds += time.Since(begun).Seconds()
	if s.blocks.sums.End == s.samples {
		if ctx.Err() == nil { // no time was left for another block: the picture is what all of the time has given
			s.final.Seconds, s.curve[len(s.curve)-1].Seconds = s.seconds, s.seconds
		}
		return nil
	}
	s.samples = s.blocks.sums.End
	if err := s.renderer.Image().SetSums(s.blocks.sums); err != nil {
		return err
	}
	if err := s.addTimes(); err != nil {
		return err
	}
	return c.measureCurve(s)
}

// measureCurve measures what a side has accumulated.
func (c *comparison) measureCurve(s *side) (err error) {
	if s.final, err = c.measure(s, c.View, s.samples, s.seconds); err != nil {
		return err
	}
	s.curve = append(s.curve, s.final.Measurement)
	return nil
}

// measure measures what a side shows now.
func (c *comparison) measure(s *side, v schedule.Request, samples int, seconds float64) (*measure.Result, error) {
	img, err := job.Linear(s.renderer, v, s.settings) // denoising counts as render time in live frames only
	if err != nil {
		return nil, err
	}
	e, err := c.reference.Measure(img)
	if err != nil {
		return nil, err
	}
	e.Samples, e.Seconds = samples, seconds
	return e, nil
}

// measureLive measures live frames: each by itself, of one sample per pixel and what is reused from earlier frames.
func (c *comparison) measureLive(ctx context.Context) error {
	if c.command.Live == 0 {
		return nil
	}
	if err := c.warmUp(ctx); err != nil {
		return err
	}
	bar := terminal.NewBar(c.process.Stderr, c.command.Live, "live frames")
	defer bar.Finish()
	for frame := 1; frame <= c.command.Live && ctx.Err() == nil; frame++ {
		for _, s := range c.sides {
			if err := c.liveFrame(s, frame); err != nil && !errors.Is(err, view.ErrStopped) {
				return err
			}
		}
		bar.Set(frame)
	}
	for _, s := range c.sides {
		if s.last == nil {
			continue // the context ended before the first frame
		}
		if err := c.reference.MeasureFinally(s.last); err != nil {
			return err
		}
	}
	return nil
}

// liveFrame renders and measures one live frame of a side.
func (c *comparison) liveFrame(s *side, number int) error {
	v := c.View
	v.Live, v.Frame = true, number
	begun := time.Now()
	if _, err := s.renderer.Render(v, s.settings, view.Target{}); err != nil {
		return err
	}
	if err := s.renderer.Finish(); err != nil {
		return err
	}
	seconds := time.Since(begun).Seconds()
	var err error
	if s.last, err = c.measure(s, v, number, seconds); err != nil {
		return err
	}
	s.live = append(s.live, s.last.Measurement)
	return nil
}

// addTimes waits for the device and adds up the times of its kernels.
func (s *side) addTimes() error {
	statistics, err := s.renderer.Statistics()
	if err != nil {
		return err
	}
	s.timed += statistics.Timed
	for _, k := range statistics.Kernels {
		s.kernels[k.Name] += k.Ms.Sum
	}
	return nil
}
