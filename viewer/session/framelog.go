package session

import "time"

// FrameLog keeps the times of the last frames, for the plot and for rates. The zero value is empty.
type FrameLog struct {
	Ms    [180]float32 // wall time of a frame
	paths [180]uint64  // camera paths traced in it
	Next  int          // where the next frame goes: the oldest, once the log is full
	Count int
}

// Add takes a frame into the log.
func (l *FrameLog) Add(took time.Duration, paths uint64) {
	l.Ms[l.Next] = float32(took.Seconds() * 1e3)
	l.paths[l.Next] = paths
	l.Next = (l.Next + 1) % len(l.Ms)
	l.Count = min(l.Count+1, len(l.Ms))
}

const (
	recentFrames = 500 * time.Millisecond // for the frame time
	recentPaths  = 2 * time.Second        // for the rate: a slice of time may complete none
)

// Recent is the mean frame time of about the last half second, ms.
func (l *FrameLog) Recent() float64 {
	ms, _, frames := l.last(recentFrames)
	if frames == 0 {
		return 0
	}
	return ms / float64(frames)
}

// PathRate is how many camera paths the window traces in a second of its time: about the last two. It is the one rate that
// the window shows.
func (l *FrameLog) PathRate() float64 {
	ms, paths, _ := l.last(recentPaths)
	if ms == 0 {
		return 0
	}
	return float64(paths) / ms * 1e3
}

// last sums up the frames of about so long.
func (l *FrameLog) last(window time.Duration) (ms float64, paths uint64, frames int) {
	for ; frames < l.Count && ms < window.Seconds()*1e3; frames++ {
		i := (l.Next - 1 - frames + len(l.Ms)) % len(l.Ms)
		ms += float64(l.Ms[i])
		paths += l.paths[i]
	}
	return ms, paths, frames
}

// Slowest is the longest frame in the log, ms.
func (l *FrameLog) Slowest() float32 {
	var most float32
	for _, ms := range l.Ms {
		most = max(most, ms)
	}
	return most
}
