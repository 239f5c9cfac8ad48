package viewer

import "time"

// pacing is what two sides get equal amounts of.
type pacing int

const (
	equalSamples pacing = iota
	equalTime
	pacings
)

// String is the name in the panel.
func (p pacing) String() string { return [...]string{"equal samples", "equal time"}[p] }

// maxCalls bounds the calls of Render that a side gets in one frame.
const maxCalls = 8

// plan says how often each side renders in this frame. Where a call of Render is a slice of time and not a sample, only the
// side that lags gets one, so that a frame costs no more than with a single side.
func (p pacing) plan(t [2]sampleTimer, timeSliced bool) [2]int {
	switch {
	case timeSliced:
		return only(p.lagging(t))
	case t[0].samples == 0 || t[1].samples == 0:
		return [2]int{1, 1}
	case p == equalTime:
		return catchUp(t)
	case t[0].samples != t[1].samples:
		return only(p.lagging(t))
	}
	return [2]int{1, 1}
}

// only is one call for one side.
func only(side int) (calls [2]int) {
	calls[side] = 1
	return calls
}

// lagging is the side that has got less.
func (p pacing) lagging(t [2]sampleTimer) int {
	behind := t[1].spent < t[0].spent
	if p == equalSamples && t[0].samples != t[1].samples {
		behind = t[1].samples < t[0].samples
	}
	if behind {
		return 1
	}
	return 0
}

// catchUp lets the side that has spent less render until both have rendered, or one has had maxCalls. So the totals stay
// within one sample of the slower side.
func catchUp(t [2]sampleTimer) (calls [2]int) {
	spent := [2]time.Duration{t[0].spent, t[1].spent}
	for calls[0] == 0 || calls[1] == 0 {
		side := equalTime.lagging([2]sampleTimer{{spent: spent[0]}, {spent: spent[1]}})
		if calls[side] == maxCalls {
			break
		}
		calls[side]++
		spent[side] += t[side].mean()
	}
	return calls
}

const (
	cpuFrameTime  = 40 * time.Millisecond // goal of a frame on the CPU, so that input is answered within 50 ms
	maxShare      = 0.75                  // of the goal, for rendering
	minRenderTime = time.Millisecond      // for rendering on a GPU
	restWeight    = 0.1                   // of the newest frame in the running mean
)

// frameTime is how long a frame may take at a frame rate; 0 where none is asked for.
func frameTime(fps float64) time.Duration {
	if fps == 0 {
		return 0
	}
	return time.Duration(float64(time.Second) / fps)
}

// frameBudget divides a frame's time between rendering and the rest: the copy to the window, the present pass, the panel. The
// zero value has measured nothing yet.
type frameBudget struct {
	given time.Duration // to rendering, in the last frame
	rest  time.Duration // running mean
}

// forSlice is the time that the next slice of rendering may take: what the rest leaves of the goal, but at least half of the
// rest, so that the image gets on.
func (b *frameBudget) forSlice(goal time.Duration) time.Duration {
	b.given = min(max(goal-b.rest, b.rest/2), time.Duration(maxShare*float64(goal)))
	return b.given
}

// left is what the rest leaves of the goal, for rendering that cannot be cut into slices.
func (b *frameBudget) left(goal time.Duration) time.Duration { return max(goal-b.rest, minRenderTime) }

// took tells how long a whole frame was.
func (b *frameBudget) took(frame time.Duration) {
	b.rest += time.Duration(restWeight * float64(max(frame-b.given, 0)-b.rest))
}
