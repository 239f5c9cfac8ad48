package cli

import (
	"fmt"
	"math"

	"github.com/go-gl/mathgl/mgl32"

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

// gridMotion is a motion of the camera or of the scene, with the references of the frames that are measured.
type gridMotion struct {
	motion
	name       string
	moment     func(frame int) float64 // s, of the animation; nil where the scene rests
	references []*reference            // of the frames after those that warm up
	change     float64                 // of a displayed pixel from reference to reference, of 255
}

// gridMotionOf is the motion of that name over some frames, around the camera's own place.
func gridMotionOf(name string, c scene.Camera, frames int) (gridMotion, error) {
	if name == playMotion {
		return gridMotion{name: name, motion: resting(c)}, nil
	}
	ahead := c.Sight()
	if ahead.Len() == 0 {
		return gridMotion{}, fmt.Errorf("--motion %s: the camera stands on its target: choose another with --target", name)
	}
	if c.Up.Len() == 0 {
		c.Up = mgl32.Vec3{0, 1, 0}
	}
	m := gridMotion{name: name}
	switch name {
	case "orbit":
		turn, err := orbit(c, c.Up, 360/orbitStep)
		if err != nil {
			return m, err
		}
		// The camera's own place is in the middle, so that it does not turn far from what it was placed to show.
		m.motion = motion{frames: frames, at: func(frame int) pose { return turn.at(frame - frames/2) }}
	case "walk":
		side := ahead.Cross(c.Up)
		if side.Len() == 0 {
			side = ahead.Cross(mgl32.Vec3{1, 0, 0})
		}
		step := ahead.Normalize().Add(side.Normalize()).Mul(walkStep / math.Sqrt2 * ahead.Len())
		m.motion = motion{frames: frames, at: func(frame int) pose {
			moved := c
			by := scene.Wide(step).Mul(float64(frame - frames/2))
			moved.Eye, moved.Target = c.Eye.Add(by), c.Target.Add(by)
			return pose{camera: moved}
		}}
	default:
		return m, fmt.Errorf("--motion %s: want orbit or walk", name)
	}
	return m, nil
}

// resting leaves a camera where it is.
func resting(c scene.Camera) motion { return motion{at: func(int) pose { return pose{camera: c} }} }
