package scene

import (
	"github.com/go-gl/mathgl/mgl32"

	"glint/tracer/guard"
)

// flatten gives every face its own three vertices with the face's normal, as glTF asks where normals are missing
// (§3.7.2.1).
func (s *shape) flatten() {
	vertices := guard.MakeLarge[Vertex](3 * len(s.faces))
	from := guard.MakeLarge[uint32](3 * len(s.faces))
	guard.All(len(s.faces), func(i int) {
		n := faceNormal(s.vertices, s.faces[i])
		for c, v := range s.faces[i] {
			at := 3*i + c
			s.faces[i][c] = uint32(at)
			vertices[at], from[at] = s.vertices[v], v
			vertices[at].Normal = n
		}
	})
	s.vertices = vertices
	s.rearrange(from)
}

// repairNormals replaces normals without direction by the normal of a face that uses the vertex.
func (s *shape) repairNormals() {
	for _, f := range s.faces {
		for _, v := range f {
			if s.vertices[v].Normal == (mgl32.Vec3{}) {
				s.vertices[v].Normal = faceNormal(s.vertices, f)
			}
		}
	}
}
