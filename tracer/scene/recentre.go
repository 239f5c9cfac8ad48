package scene

import (
	"math"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"
)

// farOff is how many times its size a scene lies from the origin where it is moved there: it would lose six of the 24 bits
// that single precision has.
const farOff = 64

// wide is a size beyond which the squared areas of large triangles overflow, m.
const wide = 2e9

// recentre moves what lies far from the origin there, by its node transforms, which are in double precision. Scenes in
// coordinates of a country do.
func recentre(doc *document, where *whereabouts, nodes *placedNodes, r *rig) (origin mgl64.Vec3) {
	if size := where.all.max.Sub(where.all.min); max(size[0], size[1], size[2]) > wide {
		doc.warn.addf("the scene is %.2g m large: of what is larger than %.0e m parts may be missing, so scale it down", max(size[0], size[1], size[2]), wide)
	}
	origin = where.all.origin()
	where.origin = origin
	if origin == (mgl64.Vec3{}) {
		return origin
	}
	move := func(world *mgl64.Mat4) {
		for axis, by := range origin {
			world[12+axis] -= by
		}
	}
	for i := range nodes.world {
		move(&nodes.world[i])
	}
	for i := range nodes.instances {
		move(&nodes.instances[i].world)
	}
	for _, joints := range r.joints {
		for i := range joints {
			move(&joints[i])
		}
	}
	return origin
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

// ToFile is a point of the scene in the coordinates of its file.
func (s *Scene) ToFile(p mgl64.Vec3) mgl64.Vec3 { return p.Add(s.Origin) }

// FromFile is a point of the scene, given in the coordinates of its file.
func (s *Scene) FromFile(p mgl64.Vec3) mgl64.Vec3 { return p.Sub(s.Origin) }

// CameraToFile is a camera of the scene in the coordinates of its file, which records of a picture have.
func (s *Scene) CameraToFile(c Camera) Camera {
	c.Eye, c.Target = s.ToFile(c.Eye), s.ToFile(c.Target)
	return c
}
