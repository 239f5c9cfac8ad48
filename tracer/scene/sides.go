package scene

import "github.com/go-gl/mathgl/mgl32"

// OpenSingleSided counts the triangles of single-sided materials that have an edge which no other triangle shares. From behind
// such a surface is not seen (setting cull), which may surprise where a file forgot to say doubleSided.
func (s *Scene) OpenSingleSided() int {
	n := s.openSingleSided(s.Vertices, s.Faces)
	for _, m := range s.Meshes {
		n += s.openSingleSided(m.Vertices, m.Faces)
	}
	return n
}

func (s *Scene) openSingleSided(vertices []Vertex, faces []Face) int {
	n := 0
	for i, open := range openFaces(vertices, len(faces), func(i int) [3]uint32 { return faces[i].V }) {
		if open && !s.Materials[faces[i].Material].DoubleSided {
			n++
		}
	}
	return n
}

// pointsOf gives each vertex the first one at its place: vertices are split where normals or texture coordinates differ, so edges are those
// of positions.
func pointsOf(vertices []Vertex) []uint32 {
	at := make(map[mgl32.Vec3]uint32, len(vertices))
	point := make([]uint32, len(vertices))
	for i, v := range vertices {
		first, seen := at[v.Position]
		if !seen {
			first = uint32(i)
			at[v.Position] = first
		}
		point[i] = first
	}
	return point
}

// openFaces tells of each face whether it has an edge that no other face shares. Faces with two corners in one place close nothing, and
// are not open.
func openFaces(vertices []Vertex, count int, corners func(i int) [3]uint32) []bool {
	point := pointsOf(vertices)
	edges := func(i int) (e [3][2]uint32, ok bool) {
		f := corners(i)
		a, b, c := point[f[0]], point[f[1]], point[f[2]]
		return [3][2]uint32{{min(a, b), max(a, b)}, {min(b, c), max(b, c)}, {min(c, a), max(c, a)}}, a != b && b != c && c != a
	}
	uses := make(map[[2]uint32]int, 3*count/2)
	for i := range count {
		if list, ok := edges(i); ok {
			for _, e := range list {
				uses[e]++
			}
		}
	}
	open := make([]bool, count)
	for i := range count {
		if list, ok := edges(i); ok {
			open[i] = uses[list[0]] == 1 || uses[list[1]] == 1 || uses[list[2]] == 1
		}
	}
	return open
}
