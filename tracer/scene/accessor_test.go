package scene

import (
	"fmt"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
)

// loadColors loads a triangle whose colours come from accessor a.
func loadColors(t *testing.T, b *builder, a int) []mgl32.Vec4 {
	t.Helper()
	p := b.triangle(nil)
	p["attributes"].(jsonObject)["COLOR_0"] = a
	b.mesh(p)
	s := b.load(t)
	var out []mgl32.Vec4
	for _, v := range s.Faces[0].V {
		out = append(out, s.Vertices[v].Color)
	}
	return out
}

func TestColorForms(t *testing.T) {
	tests := []struct {
		name   string
		kind   int
		shape  string
		values any
		want   mgl32.Vec4 // of the second vertex
	}{
		{"float", f32, "VEC4", []float32{0, 0, 0, 0, .25, .5, .75, .5, 0, 0, 0, 0}, mgl32.Vec4{.25, .5, .75, .5}},
		{"float rgb", f32, "VEC3", []float32{0, 0, 0, .25, .5, .75, 0, 0, 0}, mgl32.Vec4{.25, .5, .75, 1}},
		{"float clamped", f32, "VEC3", []float32{0, 0, 0, -1, 2, .75, 0, 0, 0}, mgl32.Vec4{0, 1, .75, 1}},
		{"unorm8", u8, "VEC4", []uint8{0, 0, 0, 0, 255, 51, 102, 153, 0, 0, 0, 0}, mgl32.Vec4{1, .2, .4, .6}},
		{"unorm16", u16, "VEC3", []uint16{0, 0, 0, 65535, 13107, 0, 0, 0, 0}, mgl32.Vec4{1, .2, 0, 1}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			b := newBuilder()
			got := loadColors(t, b, b.accessor(test.kind, test.shape, 3, test.values))[1]
			if !near(got[:], test.want[:], 1e-6) {
				t.Errorf("got %v, want %v", got, test.want)
			}
		})
	}
}

func TestQuantizedPositions(t *testing.T) {
	tests := []struct {
		name       string
		kind       int
		normalized bool
		values     any
		want       float32 // x of the second corner
	}{
		{"int8", i8, false, []int8{0, 0, 0, 127, 0, 0, 0, 127, 0}, 127},
		{"snorm8", i8, true, []int8{0, 0, 0, -128, 0, 0, 0, 127, 0}, -1},
		{"uint8", u8, false, []uint8{0, 0, 0, 200, 0, 0, 0, 200, 0}, 200},
		{"int16", i16, false, []int16{0, 0, 0, -300, 0, 0, 0, 300, 0}, -300},
		{"snorm16", i16, true, []int16{0, 0, 0, 32767, 0, 0, 0, 32767, 0}, 1},
		{"unorm16", u16, true, []uint16{0, 0, 0, 65535, 0, 0, 0, 65535, 0}, 1},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			b := newBuilder()
			b.extension("KHR_mesh_quantization")
			at := b.accessor(test.kind, "VEC3", 3, test.values)
			b.doc["accessors"].([]any)[at].(jsonObject)["normalized"] = test.normalized
			b.mesh(jsonObject{"attributes": jsonObject{"POSITION": at}})
			if got := corners(b.load(t), 0)[1][0]; got != test.want {
				t.Errorf("got %v, want %v", got, test.want)
			}
		})
	}
}

func TestStridedAndOffset(t *testing.T) {
	b := newBuilder()
	// Position and colour interleaved after 8 bytes of something else.
	view := b.view([]float32{
		9, 9,
		0, 0, 0, 1, 0, 0,
		2, 0, 0, 0, 1, 0,
		0, 3, 0, 0, 0, 1,
	})
	b.doc["bufferViews"].([]any)[view].(jsonObject)["byteStride"] = 24
	form := func(offset int) int {
		return b.add("accessors", jsonObject{
			"bufferView": view, "byteOffset": offset, "componentType": f32, "type": "VEC3", "count": 3,
		})
	}
	b.mesh(jsonObject{"attributes": jsonObject{"POSITION": form(8), "COLOR_0": form(20)}})
	s := b.load(t)
	if got := corners(s, 0); got != [3]mgl32.Vec3{{0, 0, 0}, {2, 0, 0}, {0, 3, 0}} {
		t.Errorf("positions %v", got)
	}
	if got := s.Vertices[s.Faces[0].V[2]].Color; got != (mgl32.Vec4{0, 0, 1, 1}) {
		t.Errorf("colour %v", got)
	}
}

func TestSparse(t *testing.T) {
	for _, withBase := range []bool{true, false} {
		t.Run(fmt.Sprintf("base %v", withBase), func(t *testing.T) {
			b := newBuilder()
			a := jsonObject{"componentType": f32, "type": "VEC3", "count": 3, "sparse": jsonObject{
				"count":   2,
				"indices": jsonObject{"bufferView": b.view([]uint16{1, 2}), "componentType": u16},
				"values":  jsonObject{"bufferView": b.view([]float32{5, 0, 0, 0, 6, 0})},
			}}
			want := [3]mgl32.Vec3{{0, 0, 0}, {5, 0, 0}, {0, 6, 0}}
			if withBase {
				a["bufferView"] = b.view([]float32{7, 7, 7, 1, 1, 1, 2, 2, 2})
				want[0] = mgl32.Vec3{7, 7, 7}
			}
			b.mesh(jsonObject{"attributes": jsonObject{"POSITION": b.add("accessors", a)}})
			if got := corners(b.load(t), 0); got != want {
				t.Errorf("got %v, want %v", got, want)
			}
		})
	}
}

func TestBadAccessors(t *testing.T) {
	tests := []struct {
		name   string
		change func(accessor jsonObject)
		word   string
	}{
		{"count too large", func(a jsonObject) { a["count"] = 4 }, "do not fit"},
		{"count enormous", func(a jsonObject) { a["count"] = 1 << 52 }, "is more than"},
		{"count enormous without data", func(a jsonObject) { a["count"] = 1 << 31; delete(a, "bufferView") }, "at most"},
		{"offset beyond", func(a jsonObject) { a["byteOffset"] = 1 << 40 }, "do not fit"},
		{"component type", func(a jsonObject) { a["componentType"] = 5124 }, "componentType"},
		{"type", func(a jsonObject) { a["type"] = "VEC5" }, "type"},
		{"shape", func(a jsonObject) { a["type"] = "VEC2" }, "components"},
		{"buffer view", func(a jsonObject) { a["bufferView"] = 7 }, "out of range"},
		{"negative", func(a jsonObject) { a["byteOffset"] = -4 }, "out of range"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			b := newBuilder()
			b.mesh(b.triangle(nil))
			test.change(b.doc["accessors"].([]any)[0].(jsonObject))
			b.fails(t, test.word)
		})
	}
}
