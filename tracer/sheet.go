package tracer

// sheet takes the times of one frame's launches, or of the frame as a whole.
type sheet struct {
	whole    bool    // launches are not timed by themselves, so that the frame runs as if nobody looked
	frame    float64 // ms, where it is timed as a whole; without those kernels that show the picture
	ms       [entryCount]float64
	launches [entryCount]int
	pending  int    // launches whose time is not known yet
	paths    uint64 // of the frame
}

// wholeFrame stands for all launches of a frame, where one measurement is of all.
const wholeFrame = entryCount

// add notes a launch, or a whole frame, that took so many milliseconds.
func (s *sheet) add(e entry, ms float64) {
	if s.whole {
		if e == wholeFrame || e.kind() != Output {
			s.frame += ms
		}
		return
	}
	s.ms[e] += ms
	s.launches[e]++
}

// Spread sums up a figure over frames.
type Spread struct {
	Frames        int // in which it occurred
	Sum, Min, Max float64
}

func (s *Spread) add(x float64) {
	if s.Frames == 0 || x < s.Min {
		s.Min = x
	}
	s.Max = max(s.Max, x)
	s.Sum += x
	s.Frames++
}

// join adds the figures of other frames.
func (s *Spread) join(o Spread) {
	if o.Frames == 0 {
		return
	}
	if s.Frames == 0 {
		*s = o
		return
	}
	s.Min, s.Max = min(s.Min, o.Min), max(s.Max, o.Max)
	s.Sum += o.Sum
	s.Frames += o.Frames
}

// Mean is that of the frames in which the figure occurred; 0 where there is none.
func (s Spread) Mean() float64 { return s.Sum / float64(max(s.Frames, 1)) }
