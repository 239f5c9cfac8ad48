package tracer

import (
	"errors"
	"fmt"
	"math"

	"glint/cuda"
	"glint/tracer/imageio"
	"glint/tracer/settings"
	"glint/tracer/view"
)

// A live view may be rendered at a fraction of its size: a small renderer makes one image a frame, each for itself, and
// kernels bring it to full size by guides of the full size and by the frames before (cuda/kernels/upscale). Once the view rests,
// the renderer goes on at full size, as if nothing had been upscaled, and that image fades in.

// settledFrames are upscaled once a view rests, before it is rendered at full size.
const settledFrames = 8

// fadedSamples of the full size replace what was upscaled.
const fadedSamples = 32

// UpscaleHistory is how many frames an upscaled image is made of at most.
const UpscaleHistory = int(cuda.UpscaleFrames)

// upscaler is what one image needs to be upscaled. The zero value does not.
type upscaler struct {
	small   *Renderer // nil: nothing is upscaled
	buffers upscaleBuffers
	key     accumulationKey // of the history, camera and number of the picture apart
	camera  cuda.Camera     // of the frame before
	frames  int             // that history has seen
	views   int             // that differ, so far: each has noise of its own
	settled int             // frames of this view
	gathers bool            // the small image has samples that are to be denoised with those of later calls
	shown   uint64          // address of the image that film shows; 0: that of full size
	governor
}

// scale is the share of the view's sides at which the next frame is rendered; 1 where nothing is upscaled.
func (r *Renderer) scale(v view.View, s settings.Settings) float64 {
	switch {
	case !v.Live || v.Layers || s.AOVView != "off" || s.ReuseView != "off":
		return 1 // what is asked for is of the full size
	case v.Budget > 0 && r.device.backend().Kind == "cpu":
		return 1 // it shows small images anyway
	case v.Goal > 0:
		return r.upscaler.governor.scale()
	}
	return s.RenderScale
}

// expose renders the next frame of a view, upscaled or not.
func (r *Renderer) expose(v view.View, s settings.Settings) (view.Stats, error) {
	scale := r.scale(v, s)
	if scale == 1 {
		err := r.stopUpscaling()
		if err != nil {
			return view.Stats{}, err
		}
		return r.exposeFull(v, s)
	}
	restarted, err := r.beginUpscaled(v, s)
	if err != nil {
		return view.Stats{}, err
	}
	u, full := &r.upscaler, r.progress.samples > 0
	var stats view.Stats
	switch {
	case full && u.frames == 0 && !v.Undenoised:
		stats, err = r.resume(v, s, scale)
	case v.Moving || !full && u.settled < settledFrames:
		stats, err = r.exposeSmall(v, s, scale)
	default:
		stats, err = r.exposeFull(v, s)
	}
	if err == nil && r.progress.samples > 0 {
		err = r.fadeIn(v, s)
	}
	stats.Restarted = restarted
	return stats, err
}

// resume begins to upscale a view of which there is an image at full size already, say after one of AOVs: that image stays
// on the screen, and becomes the history of the motion that follows.
func (r *Renderer) resume(v view.View, s settings.Settings, scale float64) (view.Stats, error) {
	stats, err := r.exposeSmall(v, s, scale)
	if u := &r.upscaler; err == nil && u.frames > 0 {
		err = r.fade(v, s, u.buffers.history[u.buffers.turn], 1)
	}
	return stats, err
}

// exposeFull renders a frame as large as the view.
func (r *Renderer) exposeFull(v view.View, s settings.Settings) (view.Stats, error) {
	stats, err := r.sample(v, s)
	if err == nil && s.Denoise != "off" && v.Live && !v.Undenoised {
		stats.Undenoised = r.denoiseFrame(v, s)
	}
	if err == nil && trustWanted(v, s) && v.Live && !v.Undenoised {
		stats.Undenoised = errors.Join(stats.Undenoised, r.trustFrame(v, s))
	}
	if s.Denoise != "off" {
		stats.Denoised, stats.Denoiser = r.denoise.samples, r.denoise.by.denoiser
	}
	stats.Width, stats.Height = v.Width, v.Height
	return stats, err
}

// beginUpscaled makes everything ready for a frame of a view that is upscaled. It tells whether the view is new.
func (r *Renderer) beginUpscaled(v view.View, s settings.Settings) (restarted bool, err error) {
	u := &r.upscaler
	key := r.key(v, s)
	light := key
	light.camera, light.frame = cuda.Camera{}, 0
	if light != u.key {
		u.key, u.frames, u.shown = light, 0, 0
	} else if key != r.progress.key {
		if err := r.rememberFull(v, s); err != nil {
			return false, err
		}
	}
	if err := u.buffers.fit(r.device, v.Width*v.Height); err != nil {
		return false, err
	}
	if u.small == nil {
		if u.small, err = newRenderer(r.stage, Watch{}); err != nil {
			return false, err
		}
		u.small.guided = true
	}
	restarted, err = r.restartIfChanged(v, s)
	if restarted {
		u.views++
		u.settled = 0
	}
	return restarted, err
}

// exposeSmall renders a small image and brings it to full size.
func (r *Renderer) exposeSmall(v view.View, s settings.Settings, scale float64) (view.Stats, error) {
	u := &r.upscaler
	small, own := u.smallView(v, scale), s
	own.FirstHitCache = false
	unseen := v.Undenoised && s.Denoise != "off"
	u.small.single = !unseen && !u.gathers
	if u.small.single {
		own.RestirSettle = math.MaxInt // every frame shares history
	}
	u.gathers = unseen
	if s.Denoise == "off" {
		u.small.stopDenoising()
	}
	u.small.Watch(r.watch.Watch)
	stats, err := u.small.exposeFull(small, own)
	if err == nil && !u.gathers {
		err = r.upscale(v, s, small, own)
	}
	stats.Samples = r.progress.samples
	u.settled++
	return stats, err
}

// smallView sees through the same lens.
func (u *upscaler) smallView(v view.View, scale float64) view.View {
	side := func(full int) int { return max(int(math.Round(float64(full)*scale)), 1) }
	v.Aspect = float32(v.Width) / float32(v.Height)
	v.Width, v.Height = side(v.Width), side(v.Height)
	v.Frame = u.views
	return v
}

// restart forgets every frame. Memory stays, and what the governor has learnt.
func (u *upscaler) restart() {
	if u.small != nil {
		u.small.Restart()
	}
	*u = upscaler{small: u.small, buffers: u.buffers, governor: u.governor}
}

// stopUpscaling gives back what upscaling took.
func (r *Renderer) stopUpscaling() error {
	u := &r.upscaler
	if u.small == nil {
		return nil
	}
	u.buffers.free(r.device)
	err := u.small.Close()
	*u = upscaler{views: u.views, governor: u.governor}
	return err
}

// Upscaled is the upscaled image that film shows (linear, nits).
func (r *Renderer) Upscaled() (*imageio.Image, error) {
	if r.upscaler.shown == 0 {
		return nil, errors.New("read the upscaled image: nothing is upscaled")
	}
	img, err := r.upscaler.buffers.read(r.device, r.upscaler.shown, r.film.width, r.film.height)
	if err != nil {
		return nil, fmt.Errorf("read the upscaled image: %w", err)
	}
	return img, nil
}
