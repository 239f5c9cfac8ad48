package scene

import (
	"math"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"
)

// bounds64 is a box in double precision.
type bounds64 struct{ min, max mgl64.Vec3 }

func noBounds64() bounds64 {
	inf := math.Inf(1)
	return bounds64{min: mgl64.Vec3{inf, inf, inf}, max: mgl64.Vec3{-inf, -inf, -inf}}
}

// add widens the box to hold a point of a space; not one that is left out for being too far away.
func (b *bounds64) add(world mgl64.Mat4, p mgl32.Vec3) {
	at := world.Mul4x1(mgl64.Vec4{float64(p[0]), float64(p[1]), float64(p[2]), 1})
	for _, x := range at[:3] {
		if !(math.Abs(x) < largest) {
			return
		}
	}
	for axis := range 3 {
		b.min[axis], b.max[axis] = min(b.min[axis], at[axis]), max(b.max[axis], at[axis])
	}
}

// join widens the box to hold another.
func (b *bounds64) join(other bounds64) {
	for axis := range 3 {
		b.min[axis], b.max[axis] = min(b.min[axis], other.min[axis]), max(b.max[axis], other.max[axis])
	}
}

// holds tells whether a point is inside the box.
func (b *bounds64) holds(p mgl64.Vec3) bool {
	for axis := range 3 {
		if !(b.min[axis] < p[axis] && p[axis] < b.max[axis]) {
			return false
		}
	}
	return true
}

func (b *bounds64) empty() bool { return b.min[0] > b.max[0] }

// farOff is how many times its size a scene lies from the origin where it is moved there: it would lose six of the 24 bits
// that single precision has.
const farOff = 64

// origin is the point of the file's coordinates about which the box is drawn: 0 unless it is far off. It is a multiple of a
// power of two, so that taking it off rounds little, and a round number where that is as good.
func (b *bounds64) origin() (origin mgl64.Vec3) {
	size, distance := 0.0, 0.0
	for axis := range 3 {
		size = max(size, b.max[axis]-b.min[axis])
		distance = max(distance, math.Abs(b.min[axis]+b.max[axis])/2)
	}
	if !(size > 0 && distance > farOff*size && distance < largest) {
		return origin
	}
	step := math.Exp2(math.Ceil(math.Log2(size)))
	for axis := range 3 {
		if steps := math.Round((b.min[axis] + b.max[axis]) / 2 / step); steps != 0 { // no −0
			origin[axis] = steps * step
		}
	}
	return origin
}
