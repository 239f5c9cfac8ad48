package view

import (
	"math"

	"glint/cuda"
	"glint/tracer/settings"
)

// Key is everything that, when it changes, makes accumulated samples worthless.
type Key struct {
	Scene         any // its identity
	Moves         int // poses that it has had
	Width, Height int
	Camera        lensBits
	Settings      settings.Settings
	Frame         int
	FirstSample   int
}

// Key is that of a view of a scene.
func (v View) Key(scene any, moves int, s settings.Settings) Key {
	k := Key{Scene: scene, Moves: moves, Width: v.Width, Height: v.Height, Camera: bitsOf(v.Lens(&s)), Settings: s.OfImage(), Frame: v.Frame, FirstSample: v.FirstSample}
	k.Settings.DepthOfField, k.Settings.Aperture, k.Settings.Blades, k.Settings.Focus = false, 0, 0, 0 // the camera says what they amount to
	return k
}

// Light is what images have in common that show the same light: all but the camera, the number of the picture, and where things
// have moved to. Who goes by it must look at Moves as well.
func (k Key) Light() Key {
	k.Camera, k.Frame, k.FirstSample, k.Moves = lensBits{}, 0, 0, 0
	return k
}

// Follows tells whether an image shows what one did before, or what that has become by one move: then it is known how everything
// has moved in between.
func (k Key) Follows(moves int) bool { return k.Moves == moves || k.Moves == moves+1 }

// lensBits are the numbers of a camera, bit by bit: one that is NaN equals itself, and a picture of it does not begin anew with
// each frame.
type lensBits [18]uint32

func bitsOf(c cuda.Camera) (bits lensBits) {
	i := 0
	for _, numbers := range [][]float32{
		c.Eye[:], c.Right[:], c.Up[:], c.Forward[:],
		{c.ApertureRadius, c.FocusDistance, c.TanHalfFovY, c.Aspect, c.OrthoHalfHeight},
	} {
		for _, x := range numbers {
			bits[i] = math.Float32bits(x + 0) // −0 is 0
			i++
		}
	}
	bits[i] = c.Blades
	return bits
}
