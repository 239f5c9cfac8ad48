package scene

import (
	"math"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"
)

// Bounds is an axis-aligned box.
type Bounds struct{ Min, Max mgl32.Vec3 }

// Radius is half of the box's diagonal, m.
func (b Bounds) Radius() float32 { return b.Max.Sub(b.Min).Len() / 2 }

// Center is the middle of the box.
func (b Bounds) Center() mgl32.Vec3 { return b.Min.Add(b.Max).Mul(0.5) }

// NoBounds is the box around nothing.
func NoBounds() Bounds {
	inf := float32(math.Inf(1))
	return Bounds{mgl32.Vec3{inf, inf, inf}, mgl32.Vec3{-inf, -inf, -inf}}
}

// Empty tells whether nothing is in the box.
func (b Bounds) Empty() bool { return b.Min[0] > b.Max[0] }

// Add widens the box to hold a point.
func (b *Bounds) Add(p mgl32.Vec3) {
	for a := range 3 { // by hand, which costs a third of min and max
		if p[a] < b.Min[a] {
			b.Min[a] = p[a]
		}
		if p[a] > b.Max[a] {
			b.Max[a] = p[a]
		}
	}
}

// corners are those of the box, moved.
func (b Bounds) corners(by mgl32.Mat4) (out [8]mgl32.Vec3) {
	for corner := range out {
		p := b.Min
		for a := range 3 {
			if corner>>a&1 != 0 {
				p[a] = b.Max[a]
			}
		}
		out[corner] = mgl32.TransformCoordinate(p, by)
	}
	return out
}

// Moved is a box around the moved box.
func (b Bounds) Moved(by mgl32.Mat4) Bounds {
	out := NoBounds()
	for _, p := range b.corners(by) {
		out.Add(p)
	}
	return out
}

// moved is the box at another place.
func (b *Bounds) moved(by mgl64.Vec3) *Bounds {
	if b == nil {
		return nil
	}
	return &Bounds{Single(Wide(b.Min).Add(by)), Single(Wide(b.Max).Add(by))}
}

// join widens the box to hold another.
func (b *Bounds) join(other Bounds) {
	if !other.Empty() {
		b.Add(other.Min)
		b.Add(other.Max)
	}
}

// holds tells whether another box is inside.
func (b Bounds) holds(other Bounds) bool {
	for a := range 3 {
		if other.Min[a] < b.Min[a] || other.Max[a] > b.Max[a] {
			return false
		}
	}
	return true
}

// area is that of the box's six sides, m².
func (b Bounds) area() float64 {
	if b.Empty() {
		return 0
	}
	d := b.Max.Sub(b.Min)
	x, y, z := float64(d[0]), float64(d[1]), float64(d[2])
	return 2 * (x*y + y*z + z*x)
}

// around is the box around boxes.
func around(parts []Bounds) Bounds {
	b := NoBounds()
	for _, part := range parts {
		b.join(part)
	}
	return b
}

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
