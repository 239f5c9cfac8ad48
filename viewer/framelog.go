package viewer

import "time"

// frameLog remembers the last frames, for the plot and for rates. The zero value is empty.
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

// recent sums up the frames of about the last half second: mean frame time (ms) and camera paths per second.
func (l *frameLog) recent() (ms float64, pathRate float64) {
	const window = 500 // ms
	var time float64
	var paths uint64
	n := 0
	for ; n < l.count && time < window; n++ {
		i := (l.next - 1 - n + len(l.ms)) % len(l.ms)
		time += float64(l.ms[i])
		paths += l.paths[i]
	}
	if n == 0 || time == 0 {
		return 0, 0
	}
	return time / float64(n), float64(paths) / time * 1e3
}

// slowest is the longest frame in the log, ms.
func (l *frameLog) slowest() float32 {
	var most float32
	for _, ms := range l.ms {
		most = max(most, ms)
	}
	return most
}

const (
	frameGoal  = 40 * time.Millisecond // of a frame on the CPU backend, so that input is answered in 50 ms
	mostShare  = 0.75                  // of the goal, for rendering
	leastTime  = time.Millisecond      // for rendering on a GPU
	paceWeight = 0.1                   // of the newest frame in the running mean
)

// pace divides a frame's time between rendering and all the rest: film, the present pass, the panel. The zero value knows
// nothing yet.
type pace struct {
	given time.Duration // to rendering, in the last frame
	rest  time.Duration // running mean
}

// goalOf is how long a frame may take where so many a second are wanted; 0 where that is not said.
func goalOf(fps float64) time.Duration {
	if fps == 0 {
		return 0
	}
	return time.Duration(float64(time.Second) / fps)
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
