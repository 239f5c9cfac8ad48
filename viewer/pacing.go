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
