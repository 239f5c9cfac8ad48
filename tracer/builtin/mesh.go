package builtin

import (
	"github.com/go-gl/mathgl/mgl32"

	"glint/tracer/scene"
)

// mesh is one part in its own space. Faces are counter-clockwise seen from outside. v of the texture coordinates runs down,
// as glTF has it, so the bitangent of the normal map (up in the image) is −∂P/∂v.
type mesh struct {
	vertices []scene.Vertex
	faces    [][3]uint32
}

// vertex appends a white corner.
func (m *mesh) vertex(p, n mgl32.Vec3, t mgl32.Vec4, uv mgl32.Vec2) {
	m.vertices = append(m.vertices, scene.Vertex{
		Position: p, Normal: n, Tangent: t, UV: [2]mgl32.Vec2{uv, uv}, Color: mgl32.Vec4{1, 1, 1, 1},
	})
}

// triangle appends a face unless two of its corners share a place, as they do at a pole.
func (m *mesh) triangle(a, b, c uint32) {
	p, q, r := m.vertices[a].Position, m.vertices[b].Position, m.vertices[c].Position
	if p == q || q == r || r == p {
		return
	}
	m.faces = append(m.faces, [3]uint32{a, b, c})
}

// lattice appends the faces between rows of cols vertices each that start at index first; rows go up where columns go right.
func (m *mesh) lattice(first, rows, cols int) {
	for i := range rows - 1 {
		for j := range cols - 1 {
			a := uint32(first + i*cols + j)
			b, c, d := a+1, a+uint32(cols)+1, a+uint32(cols)
			m.triangle(a, b, c)
			m.triangle(a, c, d)
		}
	}
}

// append joins o to m, moved by the transform (rotation, translation, even scale).
func (m *mesh) append(o mesh, at mgl32.Mat4) {
	b := builder{s: &scene.Scene{}}
	b.add(o, at, 0)
	base := uint32(len(m.vertices))
	m.vertices = append(m.vertices, b.s.Vertices...)
	for _, f := range o.faces {
		m.faces = append(m.faces, [3]uint32{f[0] + base, f[1] + base, f[2] + base})
	}
}
