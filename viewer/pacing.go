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

// mostCalls bounds the calls of Render that a side gets in one frame.
const mostCalls = 8

// plan says how often each side renders in this frame. Slices means that a call is a slice of time, not a sample: then only
// the side that lags gets one, so that a frame costs no more than with a single side.
func (p pacing) plan(m [2]meter, slices bool) [2]int {
	switch {
	case slices:
		return one(p.lagging(m))
	case m[0].samples == 0 || m[1].samples == 0:
		return [2]int{1, 1}
	case p == equalTime:
		return catchUp(m)
	case m[0].samples != m[1].samples:
		return one(p.lagging(m))
	}
	return [2]int{1, 1}
}

func one(side int) (calls [2]int) {
	calls[side] = 1
	return calls
}

// lagging is the side that has got less.
func (p pacing) lagging(m [2]meter) int {
	behind := m[1].spent < m[0].spent
	if p == equalSamples && m[0].samples != m[1].samples {
		behind = m[1].samples < m[0].samples
	}
	if behind {
		return 1
	}
	return 0
}

// catchUp lets the side that has spent less render until both have rendered, or one has had its most. So the totals stay
// within one sample of the slower side.
func catchUp(m [2]meter) (calls [2]int) {
	spent := [2]time.Duration{m[0].spent, m[1].spent}
	for calls[0] == 0 || calls[1] == 0 {
		side := equalTime.lagging([2]meter{{spent: spent[0]}, {spent: spent[1]}})
		if calls[side] == mostCalls {
			break
		}
		calls[side]++
		spent[side] += m[side].each()
	}
	return calls
}

// pace divides a frame's time between rendering and all the rest: film, the present pass, the panel. The zero value knows
// nothing yet.
type pace struct {
	given time.Duration // to rendering, in the last frame
	rest  time.Duration // running mean
}

// budget is the time that the next call of Render may take: what the rest leaves of the goal, but never so little beside
// the rest that the image would not get on.
func (p *pace) budget(goal time.Duration) time.Duration {
	p.given = min(max(goal-p.rest, p.rest/2), time.Duration(mostShare*float64(goal)))
	return p.given
}

// left is what the rest leaves of a goal for rendering that takes the time it takes.
func (p *pace) left(goal time.Duration) time.Duration { return max(goal-p.rest, leastTime) }

// took tells how long a whole frame was.
func (p *pace) took(frame time.Duration) {
	p.rest += time.Duration(paceWeight * float64(max(frame-p.given, 0)-p.rest))
}

// goalOf is how long a frame may take where so many a second are wanted; 0 where that is not said.
func goalOf(fps float64) time.Duration {
	if fps == 0 {
		return 0
	}
	return time.Duration(float64(time.Second) / fps)
}

const (
	frameGoal  = 40 * time.Millisecond // of a frame on the CPU backend, so that input is answered in 50 ms
	mostShare  = 0.75                  // of the goal, for rendering
	leastTime  = time.Millisecond      // for rendering on a GPU
	paceWeight = 0.1                   // of the newest frame in the running mean
)
