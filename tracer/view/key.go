package view

import (
	"glint/cuda"
	"glint/tracer/settings"
)

// Key is everything that, when it changes, makes accumulated samples worthless.
type Key struct {
	Scene         any // its identity
	Moves         int // of its instances
	Width, Height int
	Camera        cuda.Camera
	Settings      settings.Settings
	Frame         int
}

// Key is that of a view of a scene.
func (v View) Key(scene any, moves int, s settings.Settings) Key {
	k := Key{Scene: scene, Moves: moves, Width: v.Width, Height: v.Height, Camera: v.Lens(&s), Settings: s.OfImage(), Frame: v.Frame}
	k.Settings.DepthOfField, k.Settings.Aperture, k.Settings.Focus = false, 0, 0 // the camera says what they amount to
	return k
}

// Light is what images have in common that show the same light: all but the camera and the number of the picture.
func (k Key) Light() Key {
	k.Camera, k.Frame = cuda.Camera{}, 0
	return k
}
