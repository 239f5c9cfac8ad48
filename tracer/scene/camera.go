package scene

import (
	"fmt"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"
)

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
