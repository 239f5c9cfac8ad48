package schedule

import (
	"slices"
	"time"
)

// Situation is what a frame of a window begins with.
type Situation struct {
	Now       time.Time
	Touched   time.Time // when the user last did something
	ChangedAt time.Time // when the view or a setting that restarts images last changed
	Busy      bool      // the user is changing the view, or an animation plays
	Changed   bool      // images must be rendered or shown again
	Cores     int       // of the processor
	TargetFPS float64   // that the user has set; 0: none
	Refresh   int       // of the display, Hz
	Timers    []SampleTimer
	Paces     []Pace // of the same sides
	Sliced    []bool // of the same sides: a call is a slice of time, as on a processor, where a sample takes several
	Active    int    // the side that the user acts on
	Pacing    Pacing // of two sides
	Reference *Pace  // of an image that two sides are measured against, which may have more samples; nil: none
	Baseline  *Pace  // of the settings before a change, in a frame that measures them; nil: none
}

// FramePlan is what a frame renders, and how long that may take.
type FramePlan struct {
	Moving     bool
	Calls      [2]int        // of each side: samples, or one slice
	Reference  int           // calls of the reference
	Baseline   int           // calls with the settings before a change: then no side renders
	DeferReuse bool          // calls but the last leave sharing to the last
	Slice      time.Duration // that a call takes; 0: calls render samples
	Goal       time.Duration // of a call while the view moves; 0: none is set
}

// Nothing tells whether there are enough samples.
func (f *FramePlan) Nothing() bool { return f.Calls == [2]int{} && f.Reference == 0 && f.Baseline == 0 }

// Live decides what each frame of a window renders.
type Live struct {
	Split FrameBudget // of a frame's time
	last  int         // the side that rendered last while images change
}

// Moving tells whether a view or its settings are changing, or did so a moment ago.
func (s *Situation) Moving() bool { return s.Busy || s.Now.Sub(s.ChangedAt) < StillAfter }

// sliced tells whether some side renders in slices of time, by which the frame then goes.
func (s *Situation) sliced() bool { return slices.Contains(s.Sliced, true) }

// Next decides what a frame renders.
func (l *Live) Next(s Situation) FramePlan {
	f := FramePlan{Moving: s.Moving()}
	withReference := s.Reference != nil && !f.Moving
	images := time.Duration(len(s.Timers))
	if withReference {
		images++
	}
	goal := l.goal(&s, f.Moving)
	room := l.Split.Left(goal) / images // for each image
	if s.Baseline != nil {
		f.Baseline = s.Baseline.Fill(room)
	} else {
		f.Calls = l.calls(&s, s.Changed || f.Moving, room*time.Duration(len(s.Timers)))
	}
	if withReference {
		f.Reference = s.Reference.Fill(room)
	}
	f.DeferReuse = !f.Moving || s.Paces[s.Active].DeferReuse(room)
	switch {
	case f.Nothing():
	case s.sliced():
		f.Slice = l.Split.ForSlice(goal)
		if withReference {
			f.Slice /= 2
		}
	case s.TargetFPS > 0:
		f.Goal = room
	}
	return f
}

// goal is how long a frame may take: as long as the display shows it, unless the user sets a frame rate. A resting view that nobody touches
// changes little from frame to frame, and takes longer ones, of which less is lost; input ends them.
func (l *Live) goal(s *Situation, moving bool) time.Duration {
	switch goal := FrameTime(s.TargetFPS); {
	case goal > 0:
		return goal
	case s.sliced() && moving:
		return MovingOnCPU(s.Cores)
	case s.sliced():
		return SliceTime
	case !moving && s.Now.Sub(s.Touched) > TouchedFor:
		return RestFrameTime
	}
	return FrameTime(float64(s.Refresh))
}

// calls is how often each side renders in a frame, which has so much room for all of them. After a change both must. Where a
// call is a slice of time, they take turns instead, so that two sides answer input as fast as one.
func (l *Live) calls(s *Situation, changed bool, room time.Duration) (calls [2]int) {
	if changed && s.sliced() {
		l.last = (l.last + 1) % len(s.Timers)
		return Only(l.last)
	}
	enough := false
	for _, t := range s.Timers {
		enough = enough || t.Samples >= EnoughSamples
	}
	switch {
	case enough:
	case len(s.Timers) == 2:
		calls = s.Pacing.Plan([2]SampleTimer(s.Timers), room, [2]bool(s.Sliced))
	default:
		calls[0] = s.Paces[0].Fill(room)
	}
	if changed {
		for i := range s.Timers {
			calls[i] = max(calls[i], 1)
		}
	}
	return calls
}
