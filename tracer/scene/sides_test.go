package scene

import (
	"testing"

	"github.com/go-gl/mathgl/mgl32"
)

// TestOpenSingleSided: a quad has a rim, a tetrahedron none even if no two of its faces share a vertex.
func TestOpenSingleSided(t *testing.T) {
	mesh := func(corners ...mgl32.Vec3) Mesh {
		var m Mesh
		for i, c := range corners {
			m.Vertices = append(m.Vertices, Vertex{Position: c})
			if i%3 == 2 {
				m.Faces = append(m.Faces, Face{V: [3]uint32{uint32(i - 2), uint32(i - 1), uint32(i)}})
			}
		}
		return m
	}
	a, b, c, d := mgl32.Vec3{}, mgl32.Vec3{1, 0, 0}, mgl32.Vec3{0, 1, 0}, mgl32.Vec3{0, 0, 1}
	quad, closed := mesh(a, b, c, b, c, d), mesh(a, b, c, a, d, b, b, d, c, c, d, a)
	for _, row := range []struct {
		scene Scene
		want  int
	}{
		{Scene{Vertices: quad.Vertices, Faces: quad.Faces, Materials: []Material{{}}}, 2},
		{Scene{Vertices: quad.Vertices, Faces: quad.Faces, Materials: []Material{{DoubleSided: true}}}, 0},
		{Scene{Vertices: closed.Vertices, Faces: closed.Faces, Materials: []Material{{}}}, 0},
		{Scene{Meshes: []Mesh{quad, closed}, Materials: []Material{{}}}, 2},
	} {
		if got := row.scene.OpenSingleSided(); got != row.want {
			t.Errorf("%d open triangles, want %d: %+v", got, row.want, row.scene)
		}
	}
}
