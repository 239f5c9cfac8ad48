package schedule

import "time"

// When a view has come to rest, and when it is done.
const (
	EnoughSamples = 1 << 16                // in every pixel: more make no visible difference
	StillAfter    = 150 * time.Millisecond // without a change the view counts as still
)

// Goals of a frame, and what bounds them.
const (
	RestFrameTime = 200 * time.Millisecond // goal of a frame at rest on a GPU: there is as little between frames as may be
	SliceTime     = 40 * time.Millisecond  // the same on the CPU: input is answered within 50 ms
	LookOutEvery  = 8 * time.Millisecond   // for events in a frame
	TouchedFor    = time.Second            // after input, a resting window keeps up with the display
	UsualRefresh  = 60                     // of a display that does not say, Hz
	maxShare      = 0.75                   // of the goal, for rendering
	minRenderTime = time.Millisecond       // for rendering on a GPU
	otherWeight   = 0.1                    // of the newest frame in the running mean
)

// MovingOnCPU is the goal of a frame of a moving view on so many cores: as fluid as leaves them time for a picture that is worth
// looking at.
func MovingOnCPU(cores int) time.Duration {
	return min(max(120*time.Millisecond/time.Duration(cores), 30*time.Millisecond), 60*time.Millisecond)
}

// FrameTime is how long a frame may take at a frame rate; 0 where none is set.
func FrameTime(fps float64) time.Duration {
	if fps == 0 {
		return 0
	}
	return time.Duration(float64(time.Second) / fps)
}

// FrameBudget divides a frame's time between rendering and the rest: the copy to the window, the present pass, the panel. The
// zero value has measured nothing yet.
type FrameBudget struct {
	Given time.Duration // to rendering, in the last frame
	Other time.Duration // what the rest of the frame takes, a running mean
}

// ForSlice is the time that the next slice of rendering may take: what the rest leaves of the goal, but at least half of the
// rest, so that the image gets on.
func (b *FrameBudget) ForSlice(goal time.Duration) time.Duration {
	b.Given = min(max(goal-b.Other, b.Other/2), time.Duration(maxShare*float64(goal)))
	return b.Given
}

// Left is what the rest leaves of the goal, for rendering that cannot be cut into slices.
func (b *FrameBudget) Left(goal time.Duration) time.Duration { return max(goal-b.Other, minRenderTime) }

// Account tells how long a whole frame was.
func (b *FrameBudget) Account(frame time.Duration) {
	b.Other += time.Duration(otherWeight * float64(max(frame-b.Given, 0)-b.Other))
}
