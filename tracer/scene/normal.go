package scene

import (
	"math"

	"github.com/go-gl/mathgl/mgl32"

	"glint/tracer/guard"
)

// flatten gives every face its own three vertices with the face's normal, as glTF asks where normals are missing
// (§3.7.2.1).
func (s *shape) flatten() {
	vertices := guard.MakeLarge[Vertex](3 * len(s.faces))
	from := guard.MakeLarge[uint32](3 * len(s.faces))
	guard.InChunks(len(s.faces), func(_, begin, end int) {
		for i := begin; i < end; i++ {
			n := faceNormal(s.vertices, s.faces[i])
			for c, v := range s.faces[i] {
				at := 3*i + c
				s.faces[i][c] = uint32(at)
				vertices[at], from[at] = s.vertices[v], v
				vertices[at].Normal = n
			}
		}
	})
	s.vertices = vertices
	s.rearrange(from)
}

// faceNormal is the unit normal of a face, +Y when it has none.
func faceNormal(vertices []Vertex, f [3]uint32) mgl32.Vec3 {
	n := cross64(vertices[f[0]].Position, vertices[f[1]].Position, vertices[f[2]].Position)
	length := math.Sqrt(n[0]*n[0] + n[1]*n[1] + n[2]*n[2])
	if !(length > 0) || math.IsInf(length, 0) {
		return mgl32.Vec3{0, 1, 0}
	}
	return mgl32.Vec3{float32(n[0] / length), float32(n[1] / length), float32(n[2] / length)}
}

// cross64 is (b − a) × (c − a), m². In float64, where even a micrometre's triangle has a normal.
func cross64(a, b, c mgl32.Vec3) [3]float64 {
	var u, v [3]float64
	for i := range 3 {
		u[i] = float64(b[i]) - float64(a[i])
		v[i] = float64(c[i]) - float64(a[i])
	}
	return [3]float64{u[1]*v[2] - u[2]*v[1], u[2]*v[0] - u[0]*v[2], u[0]*v[1] - u[1]*v[0]}
}

func finite(v []float32) bool {
	for _, x := range v {
		if !(x >= -largest && x <= largest) {
			return false
		}
	}
	return true
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
