package grid

import (
	"fmt"
	"math"

	"github.com/go-gl/mathgl/mgl32"

	"glint/tracer/cli/measure"
	"glint/tracer/cli/movie"
	"glint/tracer/scene"
)

// How fast things move in `glint grid`.
const (
	orbitStep = 1    // degrees a frame
	walkStep  = 0.01 // of the target's distance a frame
	playFPS   = 60   // frames a second
)

const (
	restMotion = "rest" // the view that rests
	playMotion = "play" // the animation of the scene
)

// moving is a motion of the camera or of the scene, with the references of the frames that are measured.
type moving struct {
	movie.Motion
	name       string
	moment     func(frame int) float64 // s, of the animation; nil where the scene rests
	references []*measure.Reference    // of the frames after those that warm up
	change     float64                 // of a displayed pixel from reference to reference, of 255
}

// motionOf is the motion of that name over some frames, around the camera's own place.
func motionOf(name string, c scene.Camera, frames int) (moving, error) {
	if name == playMotion {
		return moving{name: name, Motion: resting(c)}, nil
	}
	ahead := c.Sight()
	if ahead.Len() == 0 {
		return moving{}, fmt.Errorf("--motion %s: the camera stands on its target: choose another with --target", name)
	}
	if c.Up.Len() == 0 {
		c.Up = mgl32.Vec3{0, 1, 0}
	}
	m := moving{name: name}
	switch name {
	case "orbit":
		turn, err := movie.Orbit(c, c.Up, 360/orbitStep)
		if err != nil {
			return m, err
		}
		// The camera's own place is in the middle, so that it does not turn far from what it was placed to show.
		m.Motion = movie.Motion{Frames: frames, At: func(frame int) movie.Pose { return turn.At(frame - frames/2) }}
	case "walk":
		side := ahead.Cross(c.Up)
		if side.Len() == 0 {
			side = ahead.Cross(mgl32.Vec3{1, 0, 0})
		}
		step := ahead.Normalize().Add(side.Normalize()).Mul(walkStep / math.Sqrt2 * ahead.Len())
		m.Motion = movie.Motion{Frames: frames, At: func(frame int) movie.Pose {
			moved := c
			by := scene.Wide(step).Mul(float64(frame - frames/2))
			moved.Eye, moved.Target = c.Eye.Add(by), c.Target.Add(by)
			return movie.Pose{Camera: moved}
		}}
	default:
		return m, fmt.Errorf("--motion %s: want orbit or walk", name)
	}
	return m, nil
}

// resting leaves a camera where it is.
func resting(c scene.Camera) movie.Motion {
	return movie.Motion{At: func(int) movie.Pose { return movie.Pose{Camera: c} }}
}
