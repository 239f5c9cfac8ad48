package schedule

import "time"

// Denoising decides when an image of a live view is denoised again.
type Denoising struct {
	begun time.Time // when the image began
	pause time.Time // until then no job begins in the background to denoise more samples of it
}

// Jobs in the background take time from rendering.
const (
	firstSamples = 4                       // that the first job waits for,
	firstWait    = 1500 * time.Millisecond // unless they take longer than this
	pauseShare   = 6                       // the next job waits so many times as long as the last one took
)

// Noisy is an image, and what of it is denoised.
type Noisy struct {
	Samples    int
	Denoised   int  // samples of the denoised image that there is; 0: there is none
	Same       bool // it was made as it would be made now
	Grows      bool // somebody watches an image that samples are added to
	Background bool // denoising would take place in the background
}

// Begin says that another image has begun.
func (d *Denoising) Begin(now time.Time) { d.begun = now }

// Took says how long a job in the background took.
func (d *Denoising) Took(now time.Time, spent time.Duration) { d.pause = now.Add(pauseShare * spent) }

// Due tells whether to denoise an image now.
func (d *Denoising) Due(now time.Time, n Noisy) bool {
	switch {
	case n.Same && n.Samples < nextSampleCount(n.Denoised, n.Grows, n.Background):
		return false
	case !n.Background:
		return true
	case n.Denoised == 0:
		return n.Samples >= firstSamples || now.Sub(d.begun) >= firstWait
	}
	return !n.Same || !now.Before(d.pause)
}

// nextSampleCount is the sample count at which to denoise again. A window that rests shows what there is until another picture
// would be visibly better, and renders meanwhile.
func nextSampleCount(samples int, grows, background bool) int {
	switch {
	case background:
		return 2 * samples
	case grows:
		return samples + max(samples/8, 1)
	}
	return samples + 1
}

// ErrorMapDue tells whether to make the error map again: the halves that it is made of have twice as many samples as for the map before.
func ErrorMapDue(kept, before int) bool { return kept >= max(2, 2*before) }
