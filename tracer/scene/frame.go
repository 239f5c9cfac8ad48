package scene

import (
	"math"

	"github.com/go-gl/mathgl/mgl32"
)

var inf = math.Inf(1)

// defaultVFov is the vertical field of view of a camera that no file chose, degrees.
const defaultVFov = 35

// frameFill is the part of the picture's width or height that a framed scene takes.
const frameFill = 0.86

// DefaultCamera is the file's first camera, or one that frames the whole scene at the given aspect ratio
// (width / height) from slightly above and to the side.
func (s *Scene) DefaultCamera(aspect float32) Camera {
	if len(s.Cameras) > 0 {
		return s.Cameras[0]
	}
	return s.FrameAll(aspect)
}

// FrameAll is a camera outside the scene that sees all of it, as large as the picture allows: with what moves, wherever that comes.
func (s *Scene) FrameAll(aspect float32) Camera {
	b := s.Bounds()
	passed := s.Motion.points(s)
	for _, p := range passed {
		b.Add(p)
	}
	return b.frame(aspect, func(visit func(mgl32.Vec3)) {
		s.outline(visit)
		for _, p := range passed {
			visit(p)
		}
	})
}

// Frame is a camera outside the box that sees all of it, as large as the picture allows.
func (b Bounds) Frame(aspect float32) Camera {
	return b.frame(aspect, func(visit func(mgl32.Vec3)) {
		for _, p := range b.corners(mgl32.Ident4()) {
			visit(p)
		}
	})
}

// frame sees all points of an outline in the box.
func (b Bounds) frame(aspect float32, outline func(visit func(mgl32.Vec3))) Camera {
	up := mgl32.Vec3{0, 1, 0}
	back := viewFrom(b)
	right := up.Cross(back).Normalize()
	top := back.Cross(right)
	tan := float32(math.Tan(float64(mgl32.DegToRad(defaultVFov))/2)) * frameFill
	across := wedge(outline, b.Center(), right, back, tan*aspect)
	along := wedge(outline, b.Center(), top, back, tan)
	distance := max(across.distance, along.distance, 1e-6)
	middle := Wide(b.Center().Add(right.Mul(across.shift)).Add(top.Mul(along.shift)))
	return Camera{
		Name: "framed", Eye: middle.Add(Wide(back.Mul(distance))), Target: middle, Up: up, VFov: defaultVFov,
	}
}

// viewFrom is the unit direction from the middle of a box to a good place to see it: ahead, above and to the side, and
// the more squarely in front of its broad face the flatter the box is.
func viewFrom(b Bounds) mgl32.Vec3 {
	size := b.Max.Sub(b.Min)
	depth := min(1, size[2]/max(size[0], size[1], 1e-30))
	height := min(1, size[1]/max(size[0], size[2], 1e-30))
	solid := min(1, 2*depth)
	return mgl32.Vec3{0.06 + 0.34*solid, 0.04 + 0.28*solid + 0.5*(1-min(1, 2*height))*solid, 1}.Normalize()
}

// fit is where a camera must stand on one axis of the picture: shift along the axis from the middle, and distance, m.
type fit struct{ shift, distance float32 }

// wedge fits the points of an outline between the two planes through the eye that meet the view at the given tangent: each plane has to
// pass outside the point that is farthest out on its side.
func wedge(outline func(visit func(mgl32.Vec3)), center, axis, back mgl32.Vec3, tan float32) fit {
	least := float32(math.Inf(-1))
	high, low := least, least
	outline(func(p mgl32.Vec3) {
		p = p.Sub(center)
		x, z := axis.Dot(p), back.Dot(p)*tan
		high, low = max(high, x+z), max(low, z-x)
	})
	if high == least {
		high, low = 1, 1
	}
	return fit{shift: (high - low) / 2, distance: (high + low) / 2 / tan}
}
