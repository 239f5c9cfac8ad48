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
	// Vertices are split where normals or texture coordinates differ, so edges are those of positions.
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
	edge := func(f Face, i int) [2]uint32 {
		a, b := point[f.V[i]], point[f.V[(i+1)%3]]
		return [2]uint32{min(a, b), max(a, b)}
	}
	uses := make(map[[2]uint32]int, 3*len(faces)/2)
	for _, f := range faces {
		for i := range f.V {
			uses[edge(f, i)]++
		}
	}
	n := 0
	for _, f := range faces {
		if s.Materials[f.Material].DoubleSided {
			continue
		}
		for i := range f.V {
			if uses[edge(f, i)] == 1 {
				n++
				break
			}
		}
	}
	return n
}
