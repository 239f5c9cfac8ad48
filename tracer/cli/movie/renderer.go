package movie

import (
	"context"
	"image"
	"math"

	"glint/tracer/cli/job"
	"glint/tracer/denoise"
	"glint/tracer/integrator"
	"glint/tracer/schedule"
	"glint/tracer/settings"
	"glint/tracer/upscale"
	"glint/tracer/view"
)

// Renderer renders the frames of a film.
type Renderer struct {
	*job.Job
	motion Motion
	Moment func(frame int) float64 // of the animation, s; nil: it is not played
	fps    float64
	spp    int
	warmUp int // frames to render before one that follows none, so that it has a full history
	last   int // frame rendered
	run    int // as many frames share a history where each depends on its number alone
	inRun  int // number of the run of the last frame
}

// NewRenderer decides what auto stands for, so that the pictures can say so.
func NewRenderer(j *job.Job, m Motion, fps float64, spp int) *Renderer {
	j.View.Live, j.View.Moving = true, true
	plan := j.Renderer.Engine().Plan(j.View, j.Settings)
	j.Settings.Integrator = plan.Settings.Integrator
	r := &Renderer{Job: j, motion: m, fps: fps, spp: spp, last: math.MinInt, inRun: -1}
	if integrator.Reuses(j.Settings.Integrator) && plan.Settings.RestirTemporal {
		// A history of as many samples as the cap is full.
		r.warmUp = (j.Settings.RestirCap + spp - 1) / spp
	}
	pictures := (upscale.History + spp - 1) / spp
	if j.Settings.Denoise != "off" {
		pictures = upscale.History // a picture is upscaled once, when it has been denoised
		if j.Settings.DenoiseHistory {
			r.warmUp = max(r.warmUp, (denoise.Memory+spp-1)/spp)
		}
	}
	if j.Settings.RenderScale < 1 {
		r.warmUp = max(r.warmUp, pictures)
	}
	if j.Settings.AOVView == "motion" {
		r.warmUp = max(r.warmUp, 1)
	}
	r.run = min(max(4*r.warmUp, 1), longestRun)
	return r
}

// longestRun bounds how many frames share a history: the longer, the less is rendered twice; the shorter, the more processes may
// render a film, and the less is lost when one is stopped.
const longestRun = 16

// frame renders a frame, with the history of those before where it follows the last one.
func (r *Renderer) frame(ctx context.Context, frame int) (*image.NRGBA, error) {
	return r.renderFrom(ctx, max(frame-r.warmUp, r.last+1), frame)
}

// frameAlone renders a frame so that it depends on its number alone, whoever renders which others: history begins anew with each
// run of frames, and some frames before a run are rendered for it.
func (r *Renderer) frameAlone(ctx context.Context, frame int) (*image.NRGBA, error) {
	if run := frame / r.run; run != r.inRun || frame <= r.last {
		r.Renderer.Restart()
		r.inRun, r.last = run, run*r.run-r.warmUp-1
	}
	return r.renderFrom(ctx, r.last+1, frame)
}

// renderFrom renders some frames, of which the last is seen. Before frame 0 the camera rests.
func (r *Renderer) renderFrom(ctx context.Context, first, frame int) (*image.NRGBA, error) {
	for f := first; f <= frame; f++ {
		if err := r.renderFrame(ctx, f); err != nil {
			return nil, err
		}
	}
	v, s := r.viewOf(frame)
	return r.Renderer.Image().Picture(v, s)
}

func (r *Renderer) renderFrame(ctx context.Context, frame int) error {
	v, s := r.viewOf(frame)
	if r.Moment != nil {
		pose := r.PoseAt(r.Prepared.Scene, r.Moment(max(frame, 0)))
		if err := r.Renderer.Engine().Pose(pose); err != nil {
			return err
		}
	}
	for sample := range r.spp {
		v.Unseen = sample < r.spp-1
		if err := ctx.Err(); err != nil {
			return err
		}
		stats, err := r.Renderer.Render(v, s, view.Target{})
		if err != nil {
			return err
		}
		if stats.DenoiseError != nil {
			return stats.DenoiseError
		}
	}
	r.last = frame
	return nil
}

// viewOf is the view of a frame.
func (r *Renderer) viewOf(frame int) (schedule.Request, settings.Settings) {
	v, s := r.View, r.Settings
	p := r.motion.At(max(frame, 0))
	v.Camera, v.Frame = p.Camera, frame
	if p.focus > 0 {
		s.Focus = p.focus
	}
	return v, s
}
