package scene

import (
	"math"

	"github.com/go-gl/mathgl/mgl32"

	"glint/tracer/guard"
)

// Mesh is geometry in a space of its own, which Instances place in the world. It emits no light. One whose instances mirror it
// has the corners of its faces in the opposite order, so that in the world fronts are fronts. One that deforms stands in the
// world, and may emit light.
type Mesh struct {
	Vertices []Vertex
	Faces    []Face
	objects  []uint32 // the first face of each thing that was placed in it
	deforms  bool     // all faces are kept, since those without area may have some in another pose
}

// Instance is a mesh placed in the world.
type Instance struct {
	Mesh  int        // index into Scene.Meshes
	World mgl32.Mat4 // affine, with an inverse: the mesh's space to the world
}

// Deforms tells whether the mesh's vertices change: it stands in the world, and has one instance.
func (m *Mesh) Deforms() bool { return m.deforms }

// Instancing says when meshes that are drawn more than once are kept once, with Instances.
type Instancing int

// On a GPU copies are faster to render, so instances are for scenes whose copies would take too much memory. A processor, whose caches
// hold more of what is there once, renders large meshes as fast by instances, and is ready sooner.
const (
	InstanceWhereNeeded  Instancing = iota // beyond Options.BakedBytes
	InstanceWhereItSaves                   // as well where copies would take much more memory, and instances are not crowded
	InstanceAlways
	InstanceNever
)

// DefaultBakedBytes is what geometry may take on a device before repeated meshes are instanced: a quarter of 8 GiB, which
// common GPUs have.
const DefaultBakedBytes = 2 << 30

// Repeats tells what a file repeats, and the memory that it takes on a device (bytes, estimated).
type Repeats struct {
	Meshes    int   // that can be instanced: drawn at least twice, large enough, without emission and skin
	Instances int   // of them
	Baked     int64 // all geometry, every copy by itself
	Instanced int64 // all geometry, each such mesh once
}

// What geometry takes on a device: a face with its triangle and its share of both trees; a vertex; an instance with its share
// of the upper tree.
const (
	deviceFace     = 16 + 88
	deviceVertex   = 64
	deviceInstance = 144 + 112
)

// Triangles is how many are drawn, those of every instance by themselves.
func (s *Scene) Triangles() int {
	n := len(s.Faces)
	for _, in := range s.Instances {
		n += len(s.Meshes[in.Mesh].Faces)
	}
	return n
}

// StoredVertices is how many there are, those of each mesh once.
func (s *Scene) StoredVertices() int {
	n := len(s.Vertices)
	for i := range s.Meshes {
		n += len(s.Meshes[i].Vertices)
	}
	return n
}

// instanced is the number of triangles that instances draw.
func (s *Scene) instanced() int { return s.Triangles() - len(s.Faces) }

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

// Bounds is the box around every vertex that a face uses; Empty when there is none.
func (m *Mesh) Bounds() Bounds { return m.boundsIn(nil) }

// boundsIn is that box where the mesh has been moved; nil leaves it where it is.
func (m *Mesh) boundsIn(world *mgl32.Mat4) Bounds {
	return around(guard.OfChunks(len(m.Faces), func(begin, end int) Bounds {
		part := NoBounds()
		for _, f := range m.Faces[begin:end] {
			for _, v := range f.V {
				p := m.Vertices[v].Position
				if world != nil {
					p = mgl32.TransformCoordinate(p, *world)
				}
				part.Add(p)
			}
		}
		return part
	}))
}

// boundsOf is the box around all vertices.
func boundsOf(vertices []Vertex) Bounds {
	return around(guard.OfChunks(len(vertices), func(begin, end int) Bounds {
		part := NoBounds()
		for i := begin; i < end; i++ {
			part.Add(vertices[i].Position)
		}
		return part
	}))
}

// around is the box around boxes.
func around(parts []Bounds) Bounds {
	b := NoBounds()
	for _, part := range parts {
		b.join(part)
	}
	return b
}

// outlineInstances visits points whose hull holds all instances: the corners of the boxes around them.
func (s *Scene) outlineInstances(visit func(mgl32.Vec3)) {
	s.eachInstance(func(in Instance, mesh Bounds) {
		for _, p := range mesh.corners(in.World) {
			visit(p)
		}
	})
}

// eachInstance visits the instances that are drawn, with the boxes of their meshes.
func (s *Scene) eachInstance(visit func(in Instance, mesh Bounds)) {
	boxes := make([]Bounds, len(s.Meshes))
	for i := range s.Meshes {
		boxes[i] = s.Meshes[i].Bounds()
	}
	for i, in := range s.Instances {
		if s.Hidden == nil || !s.Hidden[i] {
			visit(in, boxes[in.Mesh])
		}
	}
}

// addInstances widens a box to hold all instances that are drawn: as tightly as copies, unless looking at each of their vertices took
// long. Then it holds the boxes around their meshes, moved.
func (s *Scene) addInstances(b *Bounds) {
	const quick = 1 << 22 // triangles, a tenth of a second
	seen := 0
	s.eachInstance(func(in Instance, mesh Bounds) {
		box, m := mesh.Moved(in.World), &s.Meshes[in.Mesh]
		if b.holds(box) {
			return
		}
		if seen += len(m.Faces); seen <= quick {
			box = m.boundsIn(&in.World)
		}
		b.join(box)
	})
}
