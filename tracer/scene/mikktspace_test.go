package scene

import (
	"context"
	"math"
	"path/filepath"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
)

// cornerUV is a shape in the plane z = 0 of corners x, y, u, v.
func cornerUV(faces [][3]uint32, corners ...[4]float32) *shape {
	s := &shape{faces: faces}
	for _, c := range corners {
		s.vertices = append(s.vertices, Vertex{Position: mgl32.Vec3{c[0], c[1], 0}, Normal: mgl32.Vec3{0, 0, 1}, UV: [2]mgl32.Vec2{{c[2], c[3]}}})
	}
	return s
}

func (s *shape) wantTangent(t *testing.T, face, corner int, want mgl32.Vec4) {
	t.Helper()
	if got := s.vertices[s.faces[face][corner]].Tangent; !near(got[:], want[:], 1e-5) {
		t.Errorf("face %d, corner %d: %v, want %v", face, corner, got, want)
	}
}

// Two islands of the texture meet in one point: no edge joins their faces, and each keeps its own tangent there.
func TestTangentsOfTwoIslands(t *testing.T) {
	s := cornerUV([][3]uint32{{0, 1, 2}, {0, 3, 4}},
		[4]float32{0, 0, 0, 0}, [4]float32{1, 0, 1, 0}, [4]float32{0, 1, 0, -1}, [4]float32{-1, 0, 0, 1}, [4]float32{0, -1, 1, 0})
	s.computeTangents(useUV0())
	s.wantTangent(t, 0, 0, mgl32.Vec4{1, 0, 0, 1})
	s.wantTangent(t, 1, 0, mgl32.Vec4{0, -1, 0, 1})
	if len(s.vertices) != 6 {
		t.Errorf("%d vertices, want the shared one twice", len(s.vertices))
	}
}

// Vertices that differ in nothing but their index are one: across them the mean is taken, weighed by the angles of 90° each.
func TestTangentsAcrossEqualVertices(t *testing.T) {
	s := cornerUV([][3]uint32{{0, 1, 2}, {3, 4, 5}},
		[4]float32{0, 0, 0, 0}, [4]float32{1, 0, 1, 0}, [4]float32{0, 1, 0, -1}, [4]float32{0, 0, 0, 0}, [4]float32{0, 1, 0, -1}, [4]float32{-1, 0, -1, -1})
	s.computeTangents(useUV0())
	// In the first face u = x and v = −y, in the second u = x and v = x − y: there u alone grows along X + Y.
	h := float32(math.Sqrt2 / 2)
	want := mgl32.Vec3{1 + h, h, 0}.Normalize()
	s.wantTangent(t, 0, 0, want.Vec4(1))
	s.wantTangent(t, 1, 0, want.Vec4(1))
}

// A face whose texture coordinates span no area goes with the group that reaches it first, in the order of faces, whatever the order
// of vertices. The tangent there is that of the others alone.
func TestTangentsOfFacesWithoutTexture(t *testing.T) {
	// Face 0 has one handedness, face 2 the other; face 1 between them has none. Vertex 0 belongs to faces 1 and 2.
	s := cornerUV([][3]uint32{{1, 2, 3}, {3, 2, 0}, {3, 0, 4}},
		[4]float32{1, 1, -1, -2}, [4]float32{0, 0, 0, 0}, [4]float32{1, 0, 1, 0}, [4]float32{0, 1, 0, -1}, [4]float32{0, 2, 0, -2})
	s.computeTangents(useUV0())
	h := float32(math.Sqrt2 / 2)
	for corner := range 3 {
		s.wantTangent(t, 0, corner, mgl32.Vec4{1, 0, 0, 1})
		s.wantTangent(t, 2, corner, mgl32.Vec4{-h, h, 0, -1})
	}
	s.wantTangent(t, 1, 0, mgl32.Vec4{1, 0, 0, 1})
	s.wantTangent(t, 1, 1, mgl32.Vec4{1, 0, 0, 1})
}

// A face without area whose corners are apart counts, by its angle of 180°, though it is not drawn.
func TestTangentsBesideASliver(t *testing.T) {
	s := cornerUV([][3]uint32{{0, 1, 2}, {1, 3, 2}},
		[4]float32{0, 0, 1, 0}, [4]float32{1, 0, 0, 0}, [4]float32{2, 0, 0, 1}, [4]float32{1, -1, -1, 0})
	s.computeTangents(useUV0())
	s.wantTangent(t, 1, 0, mgl32.Vec3{-2, 1, 0}.Normalize().Vec4(1)) // π along −X, π/2 along Y
	s.wantTangent(t, 1, 1, mgl32.Vec4{0, 1, 0, 1})
}

// Corners of a face that has two in one place take no part, and get the tangent of a vertex that equals theirs.
func TestTangentsOfCollapsedFaces(t *testing.T) {
	s := cornerUV([][3]uint32{{0, 1, 2}, {3, 3, 4}},
		[4]float32{0, 0, 0, 0}, [4]float32{0, 1, 1, 0}, [4]float32{-1, 0, 0, -1}, [4]float32{0, 0, 0, 0}, [4]float32{5, 5, 9, 9})
	s.computeTangents(useUV0())
	s.wantTangent(t, 0, 0, mgl32.Vec4{0, 1, 0, 1})
	s.wantTangent(t, 1, 0, mgl32.Vec4{0, 1, 0, 1})
	for i, v := range s.vertices {
		if l := v.Tangent.Vec3().Len(); math.Abs(float64(l)-1) > 1e-5 {
			t.Errorf("vertex %d: %v", i, v.Tangent)
		}
	}
}

// NormalTangentTest has no tangents, NormalTangentMirrorTest has: on spheres of one kind both must say the same of u.
func TestTangentsAreThoseOfTheTwin(t *testing.T) {
	for name, given := range map[string]bool{"NormalTangentTest": false, "NormalTangentMirrorTest": true} {
		s, err := Load(context.Background(), filepath.Join(sharedScenes(t), name, name+".glb"), Options{Scene: -1})
		if err != nil {
			t.Fatal(err)
		}
		mirrored, off := 0, 0
		for _, f := range s.Faces {
			p, uv := s.Vertices[f.V[0]], [2]mgl32.Vec2{}
			var d [2]mgl32.Vec3
			for k := range 2 {
				q := s.Vertices[f.V[k+1]]
				d[k], uv[k] = q.Position.Sub(p.Position), q.UV[0].Sub(p.UV[0])
			}
			area := uv[0][0]*uv[1][1] - uv[1][0]*uv[0][1]
			if math.Abs(float64(area)) < 1e-12 {
				continue
			}
			along := d[0].Mul(uv[1][1]).Sub(d[1].Mul(uv[0][1])).Mul(1 / area)
			for _, v := range f.V {
				tangent := s.Vertices[v].Tangent
				if (tangent[3] < 0) != (area > 0) || tangent.Vec3().Dot(along.Normalize()) < 0.7 {
					off++
				}
				if tangent[3] < 0 {
					mirrored++
				}
			}
		}
		t.Logf("%s (tangents given: %v): %d of %d corners off, %d mirrored", name, given, off, 3*len(s.Faces), mirrored)
		if off > 3*len(s.Faces)/100 {
			t.Errorf("%s: %d of %d corners do not lie along their face's u", name, off, 3*len(s.Faces))
		}
	}
}
