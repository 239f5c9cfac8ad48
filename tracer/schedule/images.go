package schedule

import (
	"time"

	"glint/tracer/settings"
)

// Image is one of the images that a renderer has of a view.
type Image int

// The images.
const (
	Full      Image = iota // of the view's size
	Upscaled               // a small one, brought to full size by guides of that size and by the frames before
	Stretched              // a small one that only stands in: on a processor a sample of full size takes longer than a window may wait
)

// Work is what one call of a renderer does.
type Work struct {
	Image     Image
	Scale     float64       // of the view's sides
	Series    int           // number of the view: small images of each have noise of their own
	Index     int           // small images of this view before
	StopAfter time.Duration // a processor may stop within the sample, and go on with it in the next call; 0: it completes it
	Restart   bool          // the small image begins again
	Alone     bool          // the sample is an image by itself, not one more of the last
	Wait      bool          // the small image is neither denoised nor upscaled before another call has added to it
	Seed      bool          // the image of full size becomes the history of upscaling
	goal      time.Duration // that it should take; 0: none
	measures  bool          // what it takes tells how large images may be
}

// Progress is what there is of a view's images.
type Progress struct {
	Samples  int  // at full size
	UnderWay bool // a sample of that size has been begun
	Denoised int  // samples of the denoised image of full size; 0: there is none
	Upscaled int  // frames in the history of upscaling
}

// Images decides which image of a view the next call renders. A GPU renders whole samples, so that a moving view is rendered smaller where
// time or the user says so, and upscaled. A processor renders in slices: a view that moves is shown by whole small images alone, and one
// that rests by a few of them before the first sample.
type Images struct {
	upscaling, stretching DynamicResolution

	views   int     // so far, of which there were small images
	frames  int     // small images of this view
	waits   bool    // the last small image waits for another call
	scale   float64 // of a stretched image of this view; 0: none yet
	stands  bool    // a stretched image stands in for this view's
	smooth  bool    // it is denoised
	forgets bool    // the next small image begins again
}

const (
	// WarmupFrames are upscaled once a view rests, before it is rendered at full size.
	WarmupFrames = 8
	// stretchedFrames are rendered of a view that rests: together they cost less than a sample of its size.
	stretchedFrames = 8
	// stretchedPatience is for how many samples of full size a stretched image waits for them to be denoised.
	stretchedPatience = 16
	// stretchedOverrun is how many times the budget a stretched image may take before it is given up for a smaller one.
	stretchedOverrun = 8
)

// NewImages knows nothing of costs.
func NewImages() Images {
	return Images{upscaling: NewDynamicResolution(GPUScales), stretching: NewDynamicResolution(CPUScales)}
}

// ShowsData tells whether what is shown is not light, and is of the full size.
func ShowsData(s *settings.Settings) bool { return s.AOVView != "off" || s.ReuseView != "off" }

// UpscaledFrom is the share of the view's sides at which it is rendered while it moves; 1 where nothing is upscaled. Sliced says that calls
// end with their budget.
func (i *Images) UpscaledFrom(v *Request, s *settings.Settings, sliced bool) float64 {
	switch {
	case sliced || !v.Live || v.Layers || ShowsData(s) || s.HidesBackground(): // what the background covers is not known between pixels
		return 1
	case v.Goal > 0:
		return i.upscaling.Scale()
	}
	return s.RenderScale
}

// stretches tells whether small images may stand in for a view.
func stretches(v *Request, s *settings.Settings, sliced bool) bool {
	return sliced && !v.Layers && !v.Unseen && !ShowsData(s)
}

// Begin says that a call is of another view than the last.
func (i *Images) Begin(v *Request, s *settings.Settings, sliced bool) {
	if stretches(v, s, sliced) || i.UpscaledFrom(v, s, sliced) < 1 {
		i.views++
		i.frames, i.scale, i.stands = 0, 0, false
	}
}

// Next decides what a call does for a view of which there is so much.
func (i *Images) Next(v *Request, s *settings.Settings, sliced bool, p Progress) Work {
	w := Work{Scale: 1, Series: i.views, Index: i.frames, Restart: i.forgets}
	scale := i.UpscaledFrom(v, s, sliced)
	w.goal, w.measures = v.Goal, scale == 1
	switch {
	case stretches(v, s, sliced) && i.wantsStretched(v.Moving, p):
		i.forgets = false
		i.scale = max(i.scale, i.stretching.Scale())
		i.smooth = s.Denoise != "off"
		w.Image, w.Scale, w.goal = Stretched, i.scale, v.Budget
		if !i.stretching.Smallest() { // at that, something must be shown
			w.StopAfter = stretchedOverrun * v.Budget
		}
	case sliced:
		w.StopAfter = v.Budget
	case scale < 1 && i.wantsUpscaled(v, p):
		waits := v.Unseen && s.Denoise != "off"
		w.Image, w.Scale, w.measures = Upscaled, scale, true
		w.Alone, w.Wait, w.Seed = !waits && !i.waits, waits, p.Samples > 0 && p.Upscaled == 0 && !v.Unseen
		i.waits = waits
		i.frames++
	}
	return w
}

// wantsStretched: a view that moves on is not worth a sample of full size; one that rests is, once small images are as fine as can be.
func (i *Images) wantsStretched(moving bool, p Progress) bool {
	if p.Samples > 0 || p.UnderWay {
		return false
	}
	return moving || i.frames == 0 || i.frames < stretchedFrames && i.scale < 1
}

// wantsUpscaled: while the view moves, and for some frames after. Where there is an image of full size already, say of AOVs, that stays on
// the screen, and becomes the history of the motion that follows.
func (i *Images) wantsUpscaled(v *Request, p Progress) bool {
	if p.Samples > 0 && p.Upscaled == 0 && !v.Unseen {
		return true
	}
	return v.Moving || p.Samples == 0 && i.frames < WarmupFrames
}

// Learn takes what a call has cost, and that it gave up a stretched image that took too long. Again asks for another call in its place: the
// images of a view never get coarser, except where one takes many times the budget while the view moves, as when a scene has lost its tree.
func (i *Images) Learn(w Work, spent time.Duration, moving, gaveUp bool) (again bool) {
	switch {
	case gaveUp && i.frames > 0 && !moving:
		i.stretching.GiveUp()
		i.frames = stretchedFrames // what there is stays until there is a sample of full size
	case gaveUp:
		i.stretching.GiveUp()
		i.forgets, i.scale = true, 0
		return true
	case w.Image == Stretched:
		i.frames++
		i.stands = true
		i.stretching.Record(w.goal, spent)
	case w.goal > 0 && w.measures:
		i.upscaling.Record(w.goal, spent)
	}
	return false
}

// Stretched tells whether a stretched image is the best that there is to show. A smooth one is better than noise only as long as a smooth
// picture is wanted.
func (i *Images) Stretched(denoises bool, p Progress) bool {
	waits := denoises && i.smooth && p.Denoised == 0
	return i.stands && (p.Samples == 0 || waits && p.Samples < stretchedPatience)
}

// Retire tells once that nobody will see the stretched image any more.
func (i *Images) Retire(denoises bool, p Progress) bool {
	if !i.stands || i.Stretched(denoises, p) {
		return false
	}
	i.stands = false
	return true
}

// Restart forgets all views. What was learnt of costs stays.
func (i *Images) Restart() { *i = Images{upscaling: i.upscaling, stretching: i.stretching} }

// StopUpscaling says that small images are given back.
func (i *Images) StopUpscaling() { i.waits, i.frames = false, 0 }
