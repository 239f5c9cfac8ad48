package scene

import (
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
)

func TestTopology(t *testing.T) {
	// Five points of a strip in the plane z = 0 whose triangles all face +Z.
	strip := []float32{0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0, 0, 2, 0}
	fan := []float32{0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, -1, 1, 0}
	tests := []struct {
		name    string
		mode    int
		points  []float32
		kind    int
		indices any
		count   int // of indices
		faces   int
	}{
		{"list", 4, []float32{0, 0, 0, 1, 0, 0, 0, 1, 0}, 0, nil, 0, 1},
		{"list with a rest", 4, strip[:12], 0, nil, 0, 1},
		{"strip", 5, strip, 0, nil, 0, 3},
		{"fan", 6, fan, 0, nil, 0, 3},
		{"list, 8-bit indices", 4, strip, u8, []uint8{0, 1, 2, 2, 1, 3}, 6, 2},
		{"strip, 16-bit indices", 5, strip, u16, []uint16{0, 1, 2, 3, 4}, 5, 3},
		{"fan, 32-bit indices", 6, fan, u32, []uint32{0, 1, 2, 3, 4}, 5, 3},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			b := newBuilder()
			p := b.points(test.points)
			p["mode"] = test.mode
			if test.indices != nil {
				p["indices"] = b.accessor(test.kind, "SCALAR", test.count, test.indices)
			}
			b.mesh(p)
			s := b.load(t)
			if len(s.Faces) != test.faces {
				t.Fatalf("%d faces, want %d", len(s.Faces), test.faces)
			}
			allFaceZ(t, s)
		})
	}
}

// allFaceZ asserts that every face's front looks along +Z.
func allFaceZ(t *testing.T, s *Scene) {
	t.Helper()
	for i := range s.Faces {
		if n := geometricNormal(s, i); n[2] < 0.99 {
			t.Errorf("face %d looks along %v", i, n)
		}
	}
}

func TestBadIndices(t *testing.T) {
	tests := []struct {
		name   string
		kind   int
		values any
		word   string
	}{
		{"out of range", u16, []uint16{0, 1, 3}, "out of range"},
		{"restart 8", u8, []uint8{0, 1, 0xff}, "restart"},
		{"restart 16", u16, []uint16{0, 1, 0xffff}, "restart"},
		{"restart 32", u32, []uint32{0, 1, 0xffffffff}, "restart"},
		{"floats", f32, []float32{0, 1, 2}, "unsigned integer"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			b := newBuilder()
			p := b.triangle(nil)
			p["indices"] = b.accessor(test.kind, "SCALAR", 3, test.values)
			b.mesh(p)
			b.fails(t, "mesh 0, primitive 0", test.word)
		})
	}
}

func TestLinesAndPointsAreReported(t *testing.T) {
	b := newBuilder()
	for _, mode := range []int{0, 1, 2, 3} {
		p := b.triangle(nil)
		p["mode"] = mode
		b.mesh(p)
	}
	b.mesh(b.triangle(nil))
	s := b.load(t)
	if len(s.Faces) != 1 {
		t.Errorf("%d faces, want 1", len(s.Faces))
	}
	for _, word := range []string{"POINTS", "LINES", "LINE_LOOP", "LINE_STRIP"} {
		warns(t, s, word)
	}
}

func TestFacesThatAreDropped(t *testing.T) {
	b := newBuilder()
	nan := float32(math.NaN())
	at := b.accessor(f32, "VEC3", 9, []float32{
		0, 0, 0, 1, 0, 0, 0, 1, 0,
		0, 0, 0, 1, 1, 1, 2, 2, 2,
		0, 0, 0, 1, nan, 0, 0, 1, 0,
	})
	b.mesh(jsonObject{"attributes": jsonObject{"POSITION": at}})
	s := b.load(t)
	if len(s.Faces) != 1 {
		t.Errorf("%d faces, want 1", len(s.Faces))
	}
	warns(t, s, "1 triangles without area")
	warns(t, s, "1 triangles with corners that are not finite")
}

func TestTinyTriangleIsKept(t *testing.T) {
	b := newBuilder()
	b.mesh(b.points([]float32{0, 0, 0, 1e-12, 0, 0, 0, 1e-12, 0}))
	if s := b.load(t); len(s.Faces) != 1 || s.Vertices[0].Normal != (mgl32.Vec3{0, 0, 1}) {
		t.Errorf("faces %v with normals %v", s.Faces, s.Vertices)
	}
}

func TestNormalsFollowTheTransform(t *testing.T) {
	b := newBuilder()
	// A slope of 45° about X, stretched twice along Y: the normal must stay at right angles to the surface.
	at := b.accessor(f32, "VEC3", 3, []float32{0, 0, 0, 1, 0, 0, 0, 1, -1})
	r := float32(math.Sqrt2 / 2)
	normals := b.accessor(f32, "VEC3", 3, []float32{0, r, r, 0, r, r, 0, r, r})
	tests := []struct {
		name  string
		scale []any
	}{
		{"stretched", []any{1, 2, 1}}, {"mirrored", []any{-1, 2, 1}}, {"mirrored twice", []any{-1, -2, 1}},
		{"tiny", []any{1e-18, 2e-18, 1e-18}}, {"huge", []any{1e12, 2e12, 1e12}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			b.doc["nodes"] = nil
			b.mesh(jsonObject{"attributes": jsonObject{"POSITION": at, "NORMAL": normals}})["scale"] = test.scale
			s := b.load(t)
			c := corners(s, 0)
			e1, e2 := unitOr(c[1].Sub(c[0]), mgl32.Vec3{}), unitOr(c[2].Sub(c[0]), mgl32.Vec3{})
			front := e1.Cross(e2).Normalize()
			if got := s.Vertices[s.Faces[0].V[0]].Normal; got.Dot(front) < 0.9999 {
				t.Errorf("shading normal %v, front %v", got, front)
			}
		})
	}
}

func TestFlattenedNode(t *testing.T) {
	b := newBuilder()
	b.mesh(b.triangle(nil))["scale"] = []any{1, 1, 0}
	if s := b.load(t); len(s.Faces) != 1 || s.Vertices[0].Normal != (mgl32.Vec3{0, 0, 1}) {
		t.Errorf("a node flattened along Z shows %+v", s.Vertices)
	}
}

// TestMorphedLooks: morph targets change colours and texture coordinates, too; clips do not, which is said.
func TestMorphedLooks(t *testing.T) {
	b := newBuilder()
	p := b.triangle(nil)
	attributes := p["attributes"].(jsonObject)
	attributes["COLOR_0"] = b.accessor(f32, "VEC3", 3, []float32{0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5})
	attributes["TEXCOORD_0"] = b.accessor(f32, "VEC2", 3, make([]float32, 6))
	p["targets"] = []any{jsonObject{
		"COLOR_0":    b.accessor(f32, "VEC3", 3, []float32{0.5, -2, 0.25, 0, 0, 0, 0, 0, 0}),
		"TEXCOORD_0": b.accessor(f32, "VEC2", 3, []float32{2, 4, 0, 0, 0, 0}),
	}}
	b.mesh(p)["weights"] = []any{0.5}
	check := func(v Vertex) {
		t.Helper()
		if v.Color != (mgl32.Vec4{0.75, 0, 0.625, 1}) || v.UV[0] != (mgl32.Vec2{1, 2}) {
			t.Errorf("colour %v, coordinates %v", v.Color, v.UV)
		}
	}
	s := b.load(t)
	check(s.Vertices[s.Faces[0].V[0]])
	if len(s.Report.Notes) != 1 { // that nothing shines
		t.Errorf("%q", s.Report.Notes)
	}
	b.add("animations", jsonObject{
		"channels": []any{jsonObject{"sampler": 0, "target": jsonObject{"node": 0, "path": "weights"}}},
		"samplers": []any{jsonObject{"input": b.accessor(f32, "SCALAR", 2, []float32{0, 1}), "output": b.accessor(f32, "SCALAR", 2, []float32{0, 1})}},
	})
	s = b.loadAnimated(t)
	check(s.Meshes[0].Vertices[s.Meshes[0].Faces[0].V[0]])
	warns(t, s, "the clips do not change COLOR_0 of its morph targets")
}

func TestMorphWeights(t *testing.T) {
	b := newBuilder()
	p := b.triangle(nil)
	p["targets"] = []any{jsonObject{"POSITION": b.accessor(f32, "VEC3", 3, []float32{0, 0, 1, 0, 0, 1, 0, 0, 1})}}
	mesh := b.add("meshes", jsonObject{"primitives": []any{p}, "weights": []any{2}})
	b.add("nodes", jsonObject{"mesh": mesh})
	b.add("nodes", jsonObject{"mesh": mesh, "weights": []any{0.5}})
	s := b.load(t)
	if a, c := corners(s, 0)[0][2], corners(s, 1)[0][2]; a != 2 || c != 0.5 {
		t.Errorf("the mesh's weight moves to %v, want 2; the node's to %v, want 0.5", a, c)
	}
}

func TestSkinAtRest(t *testing.T) {
	b := newBuilder()
	p := b.triangle(nil)
	attributes := p["attributes"].(jsonObject)
	attributes["JOINTS_0"] = b.accessor(u8, "VEC4", 3, []uint8{0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0})
	// The first vertex hangs half on each joint, with weights that do not sum to one.
	attributes["WEIGHTS_0"] = b.accessor(f32, "VEC4", 3, []float32{1, 1, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0})
	node := b.mesh(p)
	node["translation"] = []any{100, 0, 0} // a skinned mesh ignores its node
	identity := []float32{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}
	lowered := append(append([]float32(nil), identity[:13]...), -1, 0, 1)
	node["skin"] = b.add("skins", jsonObject{
		"joints":              []any{1, 2},
		"inverseBindMatrices": b.accessor(f32, "MAT4", 2, append(append([]float32(nil), identity...), lowered...)),
	})
	b.add("nodes", jsonObject{"name": "a"})
	b.add("nodes", jsonObject{"name": "b", "translation": []any{0, 3, 4}})
	got := corners(b.load(t), 0)
	if want := [3]mgl32.Vec3{{0, 1, 2}, {1, 2, 4}, {0, 1, 0}}; got != want {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestBadJoint(t *testing.T) {
	b := newBuilder()
	p := b.triangle(nil)
	attributes := p["attributes"].(jsonObject)
	attributes["JOINTS_0"] = b.accessor(u8, "VEC4", 3, []uint8{9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0})
	attributes["WEIGHTS_0"] = b.accessor(f32, "VEC4", 3, []float32{1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0})
	b.mesh(p)["skin"] = b.add("skins", jsonObject{"joints": []any{0}})
	b.degrades(t, "vertex 0 uses joint 9, the skin has 1")
}
