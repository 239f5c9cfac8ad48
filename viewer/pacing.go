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
const maxCalls = 2048

// maxLag bounds the calls by which a side catches up with the other where there is no room for them.
const maxLag = 8

// pace is how often an image was rendered in the last frame, and what calls cost; 0: not known for what is rendered now.
type pace struct {
	calls int
	cost  time.Duration // mean of the last frame's calls
	full  time.Duration // of a call that shares what it finds by itself
	more  time.Duration // of another beside it that only gathers; see view.View.Gathers
}

// worthTrying is how much room there must be beside a call, as a share of its cost, to find out what it costs to gather another.
const worthTrying = 0.5

// fill is how often to render in a frame so that the calls take up the room, at what the last ones have cost. The number at most
// doubles from frame to frame, since the first calls tell little of later ones.
func (p pace) fill(room time.Duration) int {
	switch left := room - p.full; {
	case p.cost == 0:
		return 1
	case p.gathers(room) && (p.more == 0 && float64(left) >= worthTrying*float64(p.full) || p.more > 0 && left >= p.more):
		return 2
	case p.gathers(room):
		return 1
	}
	return min(max(int(room/p.cost), 1), 2*max(p.calls, 1), maxCalls)
}

// gathers tells whether a second call of a frame had better gather: there is no room for one that shares by itself.
func (p pace) gathers(room time.Duration) bool { return p.full > 0 && room < 2*p.full }

// after is the pace of so many calls that have taken so long.
func after(calls int, spent time.Duration) pace {
	cost := spent / time.Duration(calls)
	return pace{calls: calls, cost: cost, full: cost}
}

// gathered is the pace after a frame whose calls gathered, but the last: what a call costs that does not is known from before.
func (p pace) gathered(before pace) pace {
	if p.calls == 1 {
		return pace{p.calls, p.cost, p.full, before.more}
	}
	p.full, p.more = before.full, before.more
	if p.calls == 2 && p.full > 0 {
		p.more = min(max(2*p.cost-p.full, p.full/leastOfFull), p.full)
	}
	return p
}

// leastOfFull bounds what gathering costs by a part of a full call: frames differ, too.
const leastOfFull = 3

// plan says how often each of two sides renders in a frame that has room for so much of it. Where a call of Render is a slice of
// time and not a sample, only the side that lags gets one, so that a frame costs no more than with a single side.
func (p pacing) plan(t [2]sampleTimer, room time.Duration, timeSliced bool) [2]int {
	switch {
	case timeSliced:
		return only(p.lagging(t))
	case t[0].samples == 0 || t[1].samples == 0:
		return [2]int{1, 1}
	case p == equalTime:
		return catchUp(t, room)
	case t[0].samples != t[1].samples:
		return only(p.lagging(t))
	}
	// The number at most doubles, as with a single side.
	n := min(max(int(room/max(t[0].mean()+t[1].mean(), 1)), 1), max(t[0].samples, 1), maxCalls)
	return [2]int{n, n}
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

// catchUp lets the side that has spent less render, until the room is taken up and both have rendered, or one has had maxLag
// calls beyond that. So the totals stay within one sample of the slower side.
func catchUp(t [2]sampleTimer, room time.Duration) (calls [2]int) {
	spent := [2]time.Duration{t[0].spent, t[1].spent}
	end := spent[0] + spent[1] + min(room, spent[0]+spent[1]) // more than a doubling would rest on too few samples
	for {
		side := equalTime.lagging([2]sampleTimer{{spent: spent[0]}, {spent: spent[1]}})
		mean := t[side].mean()
		full, both := spent[0]+spent[1]+mean > end, calls[0] > 0 && calls[1] > 0
		if full && (both || calls[side] >= maxLag) || calls[side] == maxCalls {
			return calls
		}
		calls[side]++
		spent[side] += mean
	}
}

const (
	restFrameTime = 200 * time.Millisecond // goal of a frame at rest on a GPU: there is as little between frames as may be
	sliceTime     = 40 * time.Millisecond  // the same on the CPU: input is answered within 50 ms
	lookOutEvery  = 8 * time.Millisecond   // for events in a frame
	touchedFor    = time.Second            // after input, a resting window keeps up with the display
	usualRefresh  = 60                     // of a display that does not say, Hz
	maxShare      = 0.75                   // of the goal, for rendering
	minRenderTime = time.Millisecond       // for rendering on a GPU
	restWeight    = 0.1                    // of the newest frame in the running mean
)

// movingOnCPU is the goal of a frame of a moving view on so many cores: as fluid as leaves them time for a picture that is worth
// looking at.
func movingOnCPU(cores int) time.Duration {
	return min(max(120*time.Millisecond/time.Duration(cores), 30*time.Millisecond), 60*time.Millisecond)
}

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
