package scene

import (
	"math"

	"github.com/go-gl/mathgl/mgl32"

	"glint/tracer/guard"
)

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
	passed := s.Motion.points(s.Meshes)
	for _, p := range passed {
		b.Add(p)
	}
	f := b.framing(aspect)
	for _, part := range guard.OfChunks(len(s.Faces), func(begin, end int) framing {
		part := f
		for _, face := range s.Faces[begin:end] {
			for _, v := range face.V {
				part.add(s.Vertices[v].Position)
			}
		}
		return part
	}) {
		f.join(part)
	}
	s.eachInstance(func(in Instance, mesh Bounds) { // the corners of boxes, whose hull holds all
		for _, p := range mesh.corners(in.World) {
			f.add(p)
		}
	})
	for _, p := range passed {
		f.add(p)
	}
	return f.camera()
}

// Frame is a camera outside the box that sees all of it, as large as the picture allows.
func (b Bounds) Frame(aspect float32) Camera {
	f := b.framing(aspect)
	for _, p := range b.corners(mgl32.Ident4()) {
		f.add(p)
	}
	return f.camera()
}

// framing is a camera that looks at the middle of a box, and is to see points in it.
type framing struct {
	center, right, top, back mgl32.Vec3
	across, along            wedge
}

func (b Bounds) framing(aspect float32) framing {
	back := viewFrom(b)
	right := mgl32.Vec3{0, 1, 0}.Cross(back).Normalize()
	tan := float32(math.Tan(float64(mgl32.DegToRad(defaultVFov))/2)) * frameFill
	return framing{center: b.Center(), right: right, top: back.Cross(right), back: back, across: newWedge(tan * aspect), along: newWedge(tan)}
}

func (f *framing) add(p mgl32.Vec3) {
	p = p.Sub(f.center)
	depth := f.back.Dot(p)
	f.across.add(f.right.Dot(p), depth)
	f.along.add(f.top.Dot(p), depth)
}

func (f *framing) join(other framing) {
	f.across.join(other.across)
	f.along.join(other.along)
}

// camera is where it has to stand.
func (f *framing) camera() Camera {
	across, along := f.across.fit(), f.along.fit()
	distance := max(across.distance, along.distance, 1e-6)
	middle := Wide(f.center.Add(f.right.Mul(across.shift)).Add(f.top.Mul(along.shift)))
	return Camera{
		Name: "framed", Eye: middle.Add(Wide(f.back.Mul(distance))), Target: middle, Up: mgl32.Vec3{0, 1, 0}, VFov: defaultVFov,
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

// wedge is between the two planes through the eye that meet the view at the given tangent, on one axis of the picture. Each has to pass
// outside the point that is farthest out on its side.
type wedge struct{ tan, high, low float32 }

func newWedge(tan float32) wedge {
	least := float32(math.Inf(-1))
	return wedge{tan, least, least}
}

// add takes in a point, by its place on the axis and towards the eye [m].
func (w *wedge) add(x, z float32) {
	z *= w.tan
	w.high, w.low = max(w.high, x+z), max(w.low, z-x)
}

func (w *wedge) join(other wedge) { w.high, w.low = max(w.high, other.high), max(w.low, other.low) }

func (w *wedge) fit() fit {
	if math.IsInf(float64(w.high), -1) {
		return fit{distance: 1 / w.tan}
	}
	return fit{shift: (w.high - w.low) / 2, distance: (w.high + w.low) / 2 / w.tan}
}
