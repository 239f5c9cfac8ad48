package scene

import (
	"fmt"
	"math"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"
)

// farOff is how many times its size a scene lies from the origin where it is moved there: it would lose six of the 24 bits
// that single precision has.
const farOff = 64

// recentre moves what lies far from the origin there, by its node transforms, which are in double precision. Scenes in
// coordinates of a country do.
func (l *loader) recentre(shapes map[meshKey][]*shape) error {
	bounds, err := l.bounds(shapes)
	if err != nil {
		return err
	}
	l.out.Origin = bounds.origin()
	if l.out.Origin == (mgl64.Vec3{}) {
		return nil
	}
	for i := range l.world {
		l.move(&l.world[i])
	}
	for i := range l.instances {
		l.move(&l.instances[i].world)
	}
	for _, joints := range l.joints {
		for i := range joints {
			l.move(&joints[i])
		}
	}
	return nil
}

// move takes the origin off a transform into the world of the file.
func (l *loader) move(world *mgl64.Mat4) {
	for axis, by := range l.out.Origin {
		world[12+axis] -= by
	}
}

// skinnedPoints is how many vertices of a skinned shape stand for all: its size need not be known well.
const skinnedPoints = 64

// bounds is the box around what is drawn, in the file's coordinates, in a time that grows with the meshes and with the
// instances, not with what these draw. One skinned shape of a mesh stands for all.
func (l *loader) bounds(shapes map[meshKey][]*shape) (bounds64, error) {
	boxes, skinned := map[meshKey]Bounds{}, map[meshKey]*shape{}
	for key, list := range shapes {
		box := NoBounds()
		for _, s := range list {
			if finite(s.box.Min[:]) && finite(s.box.Max[:]) {
				box.Add(s.box.Min)
				box.Add(s.box.Max)
			}
			if s.binding != nil {
				skinned[key] = s
			}
		}
		boxes[key] = box
	}
	out := noBounds64()
	for _, in := range l.instances {
		if err := l.ctx.Err(); err != nil {
			return out, err
		}
		key := l.key(in)
		s := skinned[key]
		if in.skin < 0 || s == nil {
			for _, p := range boxes[key].corners(mgl32.Ident4()) {
				out.add(in.world, p)
			}
			continue
		}
		joints, err := l.pose(in, s)
		if err != nil {
			return out, fmt.Errorf("%s: %w", label("node", in.node, l.doc.Nodes[in.node].Name), err)
		}
		for v := 0; v < len(s.vertices); v += (len(s.vertices) + skinnedPoints - 1) / skinnedPoints {
			out.add(s.binding.matrix(v, joints), s.vertices[v].Position)
		}
	}
	return out, nil
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
