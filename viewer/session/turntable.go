package session

import (
	"math"

	"glint/tracer/scene"
)

// tableTime is how long the turntable takes for a whole turn, s.
const tableTime = 20

// Turntable turns the view about its pivot until the user touches the view.
type Turntable struct {
	On  bool
	set scene.Camera // by the turntable: another one is the user's
}

func newTurntable(c *Camera) Turntable { return Turntable{On: true, set: c.Camera} }

// Stop tells whether the view turned.
func (t *Turntable) Stop() bool {
	was := t.On
	t.On = false
	return was
}

// turn goes on for so many seconds.
func (t *Turntable) turn(c *Camera, dt float64) {
	if t.On = t.On && c.Camera == t.set; !t.On {
		return
	}
	c.Orbit(2*math.Pi/tableTime*dt, 0)
	t.set = c.Camera
}
