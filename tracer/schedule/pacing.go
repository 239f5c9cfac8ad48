package schedule

import "time"

// Pacing is what two sides get equal amounts of.
type Pacing int

// What sides get equal amounts of.
const (
	EqualSamples Pacing = iota
	EqualTime
	Pacings
)

// String is the name in the panel.
func (p Pacing) String() string { return [...]string{"equal samples", "equal time"}[p] }

// maxCalls bounds the calls of Render that a side gets in one frame.
const maxCalls = 2048

// maxLag bounds the calls by which a side catches up with the other where there is no room for them.
const maxLag = 8

// Pace is how often an image was rendered in the last frame, and what calls cost; 0: not known for what is rendered now.
type Pace struct {
	Calls int
	Cost  time.Duration // mean of the last frame's calls
	full  time.Duration // of a call that shares what it finds by itself
	more  time.Duration // of one more that only gathers; see Request.DeferReuse
}

// worthTrying is how much room a call must leave, as a share of its cost, to find out what it costs to gather another.
const worthTrying = 0.5

// Fill is how often to render in a frame so that the calls take up the room, at what the last ones have cost. The number at most
// doubles from frame to frame, since the first calls tell little of later ones.
func (p Pace) Fill(room time.Duration) int {
	switch left := room - p.full; {
	case p.Cost == 0:
		return 1
	case p.DeferReuse(room) && (p.more == 0 && float64(left) >= worthTrying*float64(p.full) || p.more > 0 && left >= p.more):
		return 2
	case p.DeferReuse(room):
		return 1
	}
	return min(max(int(room/p.Cost), 1), 2*max(p.Calls, 1), maxCalls)
}

// DeferReuse tells whether a second call of a frame had better gather: there is no room for one that shares by itself.
func (p Pace) DeferReuse(room time.Duration) bool { return p.full > 0 && room < 2*p.full }

// PaceAfter is the pace of so many calls that have taken so long.
func PaceAfter(calls int, spent time.Duration) Pace {
	cost := spent / time.Duration(calls)
	return Pace{Calls: calls, Cost: cost, full: cost}
}

// Deferred is the pace after a frame whose calls gathered, but the last. What a call costs that does not gather is kept from before.
func (p Pace) Deferred(before Pace) Pace {
	if p.Calls == 1 {
		return Pace{p.Calls, p.Cost, p.full, before.more}
	}
	p.full, p.more = before.full, before.more
	if p.Calls == 2 && p.full > 0 {
		p.more = min(max(2*p.Cost-p.full, p.full/leastOfFull), p.full)
	}
	return p
}

// leastOfFull bounds what gathering costs by a part of a full call: frames differ, too.
const leastOfFull = 3

// Plan says how often each of two sides renders in a frame that has room for so much of it. Where a call of Render is a slice of
// time and not a sample, only the side that lags gets one, so that a frame costs no more than with a single side.
func (p Pacing) Plan(t [2]SampleTimer, room time.Duration, sliced [2]bool) [2]int {
	switch {
	case sliced[0] && sliced[1]:
		return Only(p.lagging(t))
	case sliced[0]:
		return p.takeTurns(t, 0, room)
	case sliced[1]:
		return p.takeTurns(t, 1, room)
	case t[0].Samples == 0 || t[1].Samples == 0:
		return [2]int{1, 1}
	case p == EqualTime:
		return catchUp(t, room)
	case t[0].Samples != t[1].Samples:
		return Only(p.lagging(t))
	}
	// The number at most doubles, as with a single side.
	n := min(max(int(room/max(t[0].Mean()+t[1].Mean(), 1)), 1), max(t[0].Samples, 1), maxCalls)
	return [2]int{n, n}
}

// takeTurns is for a side of which a call is a slice of time, and one that renders whole samples, as a processor and a GPU. The second
// waits for the first, and then catches up in one frame, so that both rest at the same sample.
func (p Pacing) takeTurns(t [2]SampleTimer, sliced int, room time.Duration) (calls [2]int) {
	whole := 1 - sliced
	cost := max(t[whole].Mean(), 1)
	behind := t[sliced].Samples - t[whole].Samples
	switch {
	case t[whole].timed() == 0: // there is nothing to be seen yet
		return Only(whole)
	case p == EqualTime:
		behind = int((t[sliced].Spent - t[whole].Spent) / cost)
	}
	if behind <= 0 {
		return Only(sliced)
	}
	calls[whole] = min(behind, max(int(room/cost), 1), maxCalls)
	return calls
}

// Only is one call for one side.
func Only(side int) (calls [2]int) {
	calls[side] = 1
	return calls
}

// lagging is the side that has got less.
func (p Pacing) lagging(t [2]SampleTimer) int {
	behind := t[1].Spent < t[0].Spent
	if p == EqualSamples && t[0].Samples != t[1].Samples {
		behind = t[1].Samples < t[0].Samples
	}
	if behind {
		return 1
	}
	return 0
}

// catchUp lets the side that has spent less render, until the room is taken up and both have rendered, or one has had maxLag
// calls beyond that. So the totals stay within one sample of the slower side.
func catchUp(t [2]SampleTimer, room time.Duration) (calls [2]int) {
	spent := [2]time.Duration{t[0].Spent, t[1].Spent}
	end := spent[0] + spent[1] + min(room, spent[0]+spent[1]) // more than a doubling would rest on too few samples
	for {
		side := EqualTime.lagging([2]SampleTimer{{Spent: spent[0]}, {Spent: spent[1]}})
		mean := t[side].Mean()
		full, both := spent[0]+spent[1]+mean > end, calls[0] > 0 && calls[1] > 0
		if full && (both || calls[side] >= maxLag) || calls[side] == maxCalls {
			return calls
		}
		calls[side]++
		spent[side] += mean
	}
}
