package viewer

import "time"

// frameLog keeps the times of the last frames, for the plot and for rates. The zero value is empty.
type frameLog struct {
	ms    [180]float32 // wall time of a frame
	paths [180]uint64  // camera paths traced in it
	next  int          // where the next frame goes: the oldest, once the log is full
	count int
}

func (l *frameLog) add(took time.Duration, paths uint64) {
	l.ms[l.next] = float32(took.Seconds() * 1e3)
	l.paths[l.next] = paths
	l.next = (l.next + 1) % len(l.ms)
	l.count = min(l.count+1, len(l.ms))
}

const (
	recentFrames = 500 * time.Millisecond // for the frame time
	recentPaths  = 2 * time.Second        // for the rate: a slice of time may complete none
)

// recent is the mean frame time of about the last half second, ms.
func (l *frameLog) recent() float64 {
	ms, _, frames := l.last(recentFrames)
	if frames == 0 {
		return 0
	}
	return ms / float64(frames)
}

// pathRate is how many camera paths the window traces in a second of its time: about the last two. It is the one rate that
// the window shows.
func (l *frameLog) pathRate() float64 {
	ms, paths, _ := l.last(recentPaths)
	if ms == 0 {
		return 0
	}
	return float64(paths) / ms * 1e3
}

// last sums up the frames of about so long.
func (l *frameLog) last(window time.Duration) (ms float64, paths uint64, frames int) {
	for ; frames < l.count && ms < window.Seconds()*1e3; frames++ {
		i := (l.next - 1 - frames + len(l.ms)) % len(l.ms)
		ms += float64(l.ms[i])
		paths += l.paths[i]
	}
	return ms, paths, frames
}

// slowest is the longest frame in the log, ms.
func (l *frameLog) slowest() float32 {
	var most float32
	for _, ms := range l.ms {
		most = max(most, ms)
	}
	return most
}
