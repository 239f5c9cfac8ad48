package cli

import (
	"context"
	"image"
	"math"

	"glint/tracer/denoise"
	"glint/tracer/integrator"
	"glint/tracer/settings"
	"glint/tracer/upscale"
	"glint/tracer/view"
)

// frameRenderer renders the frames of a film.
type frameRenderer struct {
	*job
	motion motion
	moment func(frame int) float64 // of the animation, s; nil: it is not played
	fps    float64
	spp    int
	warmUp int // frames to render before one that follows none, so that it has a full history
	last   int // frame rendered
	run    int // as many frames share a history where each depends on its number alone
	inRun  int // number of the run of the last frame
}

// newFrameRenderer decides what auto stands for, so that the pictures can say so.
func newFrameRenderer(j *job, m motion, fps float64, spp int) *frameRenderer {
	j.view.Live, j.view.Moving = true, true
	plan := j.renderer.Engine().Plan(j.view, j.settings)
	j.settings.Integrator = plan.Settings.Integrator
	r := &frameRenderer{job: j, motion: m, fps: fps, spp: spp, last: math.MinInt, inRun: -1}
	if integrator.Reuses(j.settings.Integrator) && plan.Settings.RestirTemporal {
		// A history of as many samples as the cap is full.
		r.warmUp = (j.settings.RestirCap + spp - 1) / spp
	}
	pictures := (upscale.History + spp - 1) / spp
	if j.settings.Denoise != "off" {
		pictures = upscale.History // a picture is upscaled once, when it has been denoised
		if j.settings.DenoiseHistory {
			r.warmUp = max(r.warmUp, (denoise.Memory+spp-1)/spp)
		}
	}
	if j.settings.RenderScale < 1 {
		r.warmUp = max(r.warmUp, pictures)
	}
	if j.settings.AOVView == "motion" {
		r.warmUp = max(r.warmUp, 1)
	}
	r.run = min(max(4*r.warmUp, 1), longestRun)
	return r
}

// longestRun bounds how many frames share a history: the longer, the less is rendered twice; the shorter, the more processes may
// render a film, and the less is lost when one is stopped.
const longestRun = 16

// size of the pictures.
func (r *frameRenderer) size() (width, height int) { return r.view.Width, r.view.Height }

// count of the film's frames.
func (r *frameRenderer) count() int { return r.motion.frames }

// frame renders a frame, with the history of those before where it follows the last one.
func (r *frameRenderer) frame(ctx context.Context, frame int) (*image.NRGBA, error) {
	return r.renderFrom(ctx, max(frame-r.warmUp, r.last+1), frame)
}

// frameAlone renders a frame so that it depends on its number alone, whoever renders which others: history begins anew with each
// run of frames, and some frames before a run are rendered for it.
func (r *frameRenderer) frameAlone(ctx context.Context, frame int) (*image.NRGBA, error) {
	if run := frame / r.run; run != r.inRun || frame <= r.last {
		r.renderer.Restart()
		r.inRun, r.last = run, run*r.run-r.warmUp-1
	}
	return r.renderFrom(ctx, r.last+1, frame)
}

// renderFrom renders some frames, of which the last is seen. Before frame 0 the camera rests.
func (r *frameRenderer) renderFrom(ctx context.Context, first, frame int) (*image.NRGBA, error) {
	for f := first; f <= frame; f++ {
		if err := r.renderFrame(ctx, f); err != nil {
			return nil, err
		}
	}
	v, s := r.viewOf(frame)
	return r.renderer.Image().Picture(v, s)
}

func (r *frameRenderer) renderFrame(ctx context.Context, frame int) error {
	v, s := r.viewOf(frame)
	if r.moment != nil {
		pose := r.prepared.Scene.Motion.Pose(r.clip, r.moment(max(frame, 0)))
		if err := r.renderer.Engine().Pose(pose); err != nil {
			return err
		}
	}
	for sample := range r.spp {
		v.Unseen = sample < r.spp-1
		if err := ctx.Err(); err != nil {
			return err
		}
		stats, err := r.renderer.Render(v, s, view.Target{})
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
func (r *frameRenderer) viewOf(frame int) (view.View, settings.Settings) {
	v, s := r.view, r.settings
	p := r.motion.at(max(frame, 0))
	v.Camera, v.Frame = p.camera, frame
	if p.focus > 0 {
		s.Focus = p.focus
	}
	return v, s
}
