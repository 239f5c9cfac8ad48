package view_test

import (
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"glint/tracer/scene"
	"glint/tracer/settings"
	"glint/tracer/view"
)

// TestKeyOfNoNumber: a view that is not made of numbers is the same picture in the next frame, and another one than a view that is.
func TestKeyOfNoNumber(t *testing.T) {
	usable := view.View{Width: 4, Height: 4, Camera: scene.Camera{Eye: mgl64.Vec3{0, 0, 1}, Target: mgl64.Vec3{1, 0, 0}, Up: mgl32.Vec3{0, 1, 0}, VFov: 40}}
	key := usable.Key(nil, 0, settings.Defaults())
	for i, spoil := range []func(c *scene.Camera){
		func(c *scene.Camera) { c.Eye[0] = math.NaN() },
		func(c *scene.Camera) { c.Target[1] = math.NaN() },
		func(c *scene.Camera) { c.VFov = float32(math.NaN()) },
		func(c *scene.Camera) { c.Orthographic = float32(math.NaN()) },
		func(c *scene.Camera) { c.Eye[2] = 2 },
		func(c *scene.Camera) { c.Eye[2] = math.Inf(1) },
		func(c *scene.Camera) { c.Up[0] = 1 },
		func(c *scene.Camera) { c.VFov = 41 },
		func(c *scene.Camera) { c.Orthographic = 1 },
	} {
		spoilt := usable
		spoil(&spoilt.Camera)
		first, second := spoilt.Key(nil, 0, settings.Defaults()), spoilt.Key(nil, 0, settings.Defaults())
		if first != second {
			t.Errorf("camera %d is another one in the next frame", i)
		}
		if first == key {
			t.Errorf("camera %d is like the one before it was changed", i)
		}
	}
}

// TestKeyOfTheLens: each number that rays depend on makes another picture, and those of a lens that is not used do not.
func TestKeyOfTheLens(t *testing.T) {
	v := view.View{Width: 4, Height: 4, Camera: scene.Camera{Eye: mgl64.Vec3{0, 0, 1}, Up: mgl32.Vec3{0, 1, 0}, VFov: 40}}
	keyOf := func(v view.View, aperture, focus float64) view.Key {
		s := settings.Defaults()
		s.DepthOfField, s.Aperture, s.Focus = true, aperture, focus
		return v.Key(nil, 0, s)
	}
	wide := v
	wide.Aspect = 2
	if keyOf(v, 0, 1) != keyOf(v, 0, 2) {
		t.Error("the focus of a pinhole makes another picture")
	}
	if keyOf(v, 0.1, 1) == keyOf(v, 0.1, 2) || keyOf(v, 0.1, 1) == keyOf(v, 0.2, 1) || keyOf(v, 0, 1) == keyOf(wide, 0, 1) {
		t.Error("aperture, focus or aspect make no other picture")
	}
}
