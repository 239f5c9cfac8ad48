package profile

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
