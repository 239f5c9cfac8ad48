package scene

import (
	"github.com/go-gl/mathgl/mgl32"

	"glint/tracer/guard"
)

// Vertex is one corner of a face in world space.
type Vertex struct {
	Position mgl32.Vec3 // m
	Normal   mgl32.Vec3 // unit
	Tangent  mgl32.Vec4 // unit xyz, w is the handedness ±1
	UV       [2]mgl32.Vec2
	Color    mgl32.Vec4 // linear RGBA factor, white when the file has none
}

// Face is one triangle: three vertices in counter-clockwise order seen from the front, and its material.
type Face struct {
	V        [3]uint32
	Material uint32
}

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

const (
	vertexBytes = 72
	faceBytes   = 16
)

// What geometry takes on a device: a face with its triangle and its share of both trees; a vertex; an instance with its share
// of the upper tree.
const (
	deviceFace     = 16 + 88
	deviceVertex   = 64
	deviceInstance = 144 + 112
)
