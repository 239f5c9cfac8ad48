package scene

import (
	"fmt"
	"math"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"
	"github.com/qmuntal/gltf"
)

// Camera is a camera of the file, or one chosen to frame the scene.
type Camera struct {
	Name         string
	Eye          mgl64.Vec3 // m
	Target       mgl64.Vec3 // m: a point straight ahead
	Up           mgl32.Vec3
	VFov         float32 // vertical field of view, degrees; 0 when orthographic
	Orthographic float32 // half of the height of the view, m; 0 when perspective
}

// Sight leads from the eye to the target, m. Eye and target are in double precision, since the difference of two points far from
// the origin has no direction left in single precision.
func (c Camera) Sight() mgl32.Vec3 { return Single(c.Target.Sub(c.Eye)) }

// Check refuses a camera that cannot be used: one that is not made of numbers, or lies too far away to compute with. Every
// door by which cameras come in asks it: files, flags, paths of films, and the window's own movement.
func (c Camera) Check() error {
	for _, row := range []struct {
		name string
		v    mgl64.Vec3
	}{{"eye", c.Eye}, {"target", c.Target}, {"up", Wide(c.Up)}} {
		for _, x := range row.v {
			if !(x >= -largest && x <= largest) { // NaN, too
				return fmt.Errorf("camera %q: %s %v: each coordinate must be a number from -%g to %g", c.Name, row.name, row.v, float64(largest), float64(largest))
			}
		}
	}
	if c.Orthographic != 0 {
		if !(c.Orthographic > 0 && c.Orthographic <= largest) {
			return fmt.Errorf("camera %q: half height %v m: it must be above 0 and at most %g", c.Name, c.Orthographic, float64(largest))
		}
		return nil
	}
	if !(c.VFov > 0 && c.VFov < 180) {
		return fmt.Errorf("camera %q: a field of view of %v°: it must lie between 0 and 180", c.Name, c.VFov)
	}
	return nil
}

// stand places a camera in the world, and keeps how far its target is.
func (c *Camera) stand(world mgl64.Mat4) {
	if !placeable(world) {
		return
	}
	distance := c.Target.Sub(c.Eye).Len()
	c.Eye = world.Col(3).Vec3()
	forward := unitOr(narrow(world.Col(2).Vec3().Mul(-1)), mgl32.Vec3{0, 0, -1})
	c.Up = unitOr(narrow(world.Col(1).Vec3()), mgl32.Vec3{0, 1, 0})
	c.Target = c.Eye.Add(Wide(forward).Mul(max(distance, nearestTarget(c.Eye))))
}

// placeable tells whether something can stand at a place in the world: its transform is finite, and within largest.
func placeable(world mgl64.Mat4) bool {
	for _, v := range world {
		if !(math.Abs(v) < largest) {
			return false
		}
	}
	return true
}

// nearestTarget is how far ahead of an eye a target must be for double precision to keep the direction, m: at least 1.
func nearestTarget(eye mgl64.Vec3) float64 {
	return max(1, 1e-9*max(math.Abs(eye[0]), math.Abs(eye[1]), math.Abs(eye[2])))
}

// lens is the projection of a camera of the file; both 0 for one that cannot be used.
type lens struct {
	yfov float64 // radians, of a perspective
	ymag float64 // m: half of the height of an orthographic view
}

func lensOf(src *gltf.Camera) (c lens) {
	switch {
	case src.Perspective != nil && src.Perspective.Yfov > 0 && src.Perspective.Yfov < math.Pi:
		c.yfov = src.Perspective.Yfov
	case src.Orthographic != nil:
		c.ymag = math.Abs(src.Orthographic.Ymag)
	}
	return c
}

// fit gives a camera the lens.
func (l *lens) fit(c *Camera) {
	if l.yfov > 0 {
		c.VFov = float32(l.yfov * 180 / math.Pi)
	} else {
		c.Orthographic = finite32(l.ymag)
	}
}
