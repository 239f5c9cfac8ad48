package scene

import (
	"context"
	"image/color"
	"math"
	"path/filepath"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
)

// quad is two triangles in the plane z = 0 that share an edge, with texture coordinates mapped by uv.
func quad(uv func(x, y float32) mgl32.Vec2) *shape {
	s := &shape{faces: [][3]uint32{{0, 1, 2}, {2, 1, 3}}}
	for _, p := range []mgl32.Vec2{{0, 0}, {1, 0}, {0, 1}, {1, 1}} {
		s.vertices = append(s.vertices, Vertex{
			Position: p.Vec3(0), Normal: mgl32.Vec3{0, 0, 1}, UV: [2]mgl32.Vec2{uv(p[0], p[1])},
		})
	}
	return s
}

func useUV0() TextureRef { return TextureRef{Transform: IdentityTransform} }

func TestTangentsOfAQuad(t *testing.T) {
	tests := []struct {
		name string
		uv   func(x, y float32) mgl32.Vec2
		want mgl32.Vec4
	}{
		// The bitangent n × t · w must point where v falls: up in the image, where green points.
		{"upright", func(x, y float32) mgl32.Vec2 { return mgl32.Vec2{x, 1 - y} }, mgl32.Vec4{1, 0, 0, 1}},
		{"mirrored in u", func(x, y float32) mgl32.Vec2 { return mgl32.Vec2{-x, 1 - y} }, mgl32.Vec4{-1, 0, 0, -1}},
		{"mirrored in v", func(x, y float32) mgl32.Vec2 { return mgl32.Vec2{x, y} }, mgl32.Vec4{1, 0, 0, -1}},
		{"quarter turn", func(x, y float32) mgl32.Vec2 { return mgl32.Vec2{y, x} }, mgl32.Vec4{0, 1, 0, 1}},
		{"stretched", func(x, y float32) mgl32.Vec2 { return mgl32.Vec2{1e-4 * x, -50 * y} }, mgl32.Vec4{1, 0, 0, 1}},
		{"no area", func(x, _ float32) mgl32.Vec2 { return mgl32.Vec2{x, x} }, mgl32.Vec4{1, 0, 0, 1}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := quad(test.uv)
			s.computeTangents(useUV0())
			if len(s.vertices) != 4 {
				t.Errorf("%d vertices: none needs splitting", len(s.vertices))
			}
			for i, v := range s.vertices {
				if !near(v.Tangent[:], test.want[:], 1e-6) {
					t.Errorf("vertex %d: %v, want %v", i, v.Tangent, test.want)
				}
			}
		})
	}
}

func TestTangentsFollowTheTextureTransform(t *testing.T) {
	s := quad(func(x, y float32) mgl32.Vec2 { return mgl32.Vec2{x, 1 - y} })
	s.computeTangents(TextureRef{Transform: UVTransform{-1, 0, 0, 0, 1, 0}})
	if want := (mgl32.Vec4{-1, 0, 0, -1}); !near(s.vertices[0].Tangent[:], want[:], 1e-6) {
		t.Errorf("%v, want %v", s.vertices[0].Tangent, want)
	}
}

func TestTangentsAtAMirrorSeam(t *testing.T) {
	// u runs towards the shared edge from both sides: its two vertices need one tangent per side.
	s := quad(func(x, y float32) mgl32.Vec2 { return mgl32.Vec2{min(x+y, 2-x-y), y} })
	s.computeTangents(useUV0())
	if len(s.vertices) != 6 {
		t.Fatalf("%d vertices, want the two of the seam twice", len(s.vertices))
	}
	for _, f := range s.faces {
		w := s.vertices[f[0]].Tangent[3]
		for _, v := range f {
			if s.vertices[v].Tangent[3] != w {
				t.Errorf("face %v mixes handedness", f)
			}
		}
	}
	if s.vertices[s.faces[0][0]].Tangent[3] == s.vertices[s.faces[1][0]].Tangent[3] {
		t.Error("both sides of the mirror have one handedness")
	}
}

func TestTangentsWeighByAngle(t *testing.T) {
	// Two faces share an edge at the origin: one has 90° there and its tangent along X, the other 45° and along X + Y.
	s := &shape{faces: [][3]uint32{{0, 1, 2}, {0, 2, 3}}}
	for _, c := range [][4]float32{{0, 0, 0, 0}, {1, 0, 1, 0}, {0, 1, 0, -1}, {-1, 1, -1, -2}} {
		s.vertices = append(s.vertices, Vertex{
			Position: mgl32.Vec3{c[0], c[1], 0}, Normal: mgl32.Vec3{0, 0, 1}, UV: [2]mgl32.Vec2{{c[2], c[3]}},
		})
	}
	s.computeTangents(useUV0())
	h := float32(math.Sqrt2 / 2)
	want := mgl32.Vec3{2 + h, h, 0}.Normalize().Vec4(1)
	if got := s.vertices[0].Tangent; !near(got[:], want[:], 1e-5) {
		t.Errorf("%v, want %v", got, want)
	}
}

// TestTangentsAsBaked recomputes the tangents of models that bring those of the tool that baked their normal maps.
func TestTangentsAsBaked(t *testing.T) {
	for _, name := range []string{"NormalTangentMirrorTest/NormalTangentMirrorTest.glb", "WaterBottle/WaterBottle.gltf", "AnisotropyDiscTest/AnisotropyDiscTest.glb"} {
		s, err := Load(context.Background(), filepath.Join(sharedScenes(t), name), Options{Scene: -1})
		if err != nil {
			t.Fatal(err)
		}
		var corners, same int
		baked := make([]mgl32.Vec4, 0, 3*len(s.Faces))
		faces := make([][3]uint32, len(s.Faces))
		for i, f := range s.Faces {
			faces[i] = f.V
			for _, v := range f.V {
				baked = append(baked, s.Vertices[v].Tangent)
			}
		}
		sh := &shape{vertices: s.Vertices, faces: faces}
		sh.computeTangents(useUV0())
		for i, f := range sh.faces {
			for c, v := range f {
				corners++
				got, want := sh.vertices[v].Tangent, baked[3*i+c]
				if got[3] == want[3] && got.Vec3().Dot(want.Vec3()) > float32(math.Cos(2*math.Pi/180)) {
					same++
				}
			}
		}
		t.Logf("%s: %d of %d corners within 2°", name, same, corners)
		if float64(same) < 0.98*float64(corners) {
			t.Errorf("%s: only %d of %d corners agree within 2°", name, same, corners)
		}
	}
}

func TestNormalMapsGetTangents(t *testing.T) {
	b := newBuilder()
	b.textured(jsonObject{"normalTexture": jsonObject{"index": b.image(encodePNG(flat(1, color.White)))}})
	if got := b.load(t).Vertices[0].Tangent; got != (mgl32.Vec4{1, 0, 0, 1}) {
		t.Errorf("%v, want it along u", got)
	}
}

// TestManyFacesOnOneEdge must not take quadratic time.
func TestManyFacesOnOneEdge(t *testing.T) {
	const n = 50000
	s := &shape{vertices: make([]Vertex, 3)}
	for i, p := range []mgl32.Vec2{{0, 0}, {1, 0}, {0, 1}} {
		s.vertices[i] = Vertex{Position: p.Vec3(0), Normal: mgl32.Vec3{0, 0, 1}, UV: [2]mgl32.Vec2{p}}
	}
	for range n {
		s.faces = append(s.faces, [3]uint32{0, 1, 2}, [3]uint32{1, 0, 2})
	}
	s.computeTangents(useUV0())
	if len(s.vertices) > 6*n {
		t.Errorf("%d vertices", len(s.vertices))
	}
}
