package scene

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
)

// jsonObject is an object of a test document.
type jsonObject = map[string]any

// builder assembles a binary glTF in memory.
type builder struct {
	doc     jsonObject
	bin     bytes.Buffer
	buffers []any // beside that of bin
}

func newBuilder() *builder {
	return &builder{doc: jsonObject{"asset": jsonObject{"version": "2.0"}}}
}

// add appends v to a root array and returns its index.
func (b *builder) add(array string, v any) int {
	list, _ := b.doc[array].([]any)
	b.doc[array] = append(list, v)
	return len(list)
}

// extension lists extensions as used.
func (b *builder) extension(names ...string) {
	for _, name := range names {
		b.add("extensionsUsed", name)
	}
}

// view stores values and returns the index of their buffer view.
func (b *builder) view(values any) int {
	for b.bin.Len()%4 != 0 {
		b.bin.WriteByte(0)
	}
	start := b.bin.Len()
	if err := binary.Write(&b.bin, binary.LittleEndian, values); err != nil {
		panic(err)
	}
	return b.add("bufferViews", jsonObject{"buffer": 0, "byteOffset": start, "byteLength": b.bin.Len() - start})
}

// The component types of accessors.
const (
	i8, u8, i16, u16, u32, f32 = 5120, 5121, 5122, 5123, 5125, 5126
)

// accessor stores tightly packed values as one accessor.
func (b *builder) accessor(kind int, shape string, count int, values any) int {
	a := jsonObject{"componentType": kind, "type": shape, "count": count, "bufferView": b.view(values)}
	return b.add("accessors", a)
}

// mesh adds one primitive as a mesh on a root node and returns the node.
func (b *builder) mesh(primitive jsonObject) jsonObject {
	node := jsonObject{"mesh": b.add("meshes", jsonObject{"primitives": []any{primitive}})}
	b.add("nodes", node)
	return node
}

// points is a primitive of the given coordinates, three to a vertex.
func (b *builder) points(xyz []float32) jsonObject {
	return jsonObject{"attributes": jsonObject{"POSITION": b.accessor(f32, "VEC3", len(xyz)/3, xyz)}}
}

// triangle adds the triangle (0,0,0) (1,0,0) (0,1,0) in the given material and returns its primitive.
func (b *builder) triangle(material jsonObject) jsonObject {
	p := b.points([]float32{0, 0, 0, 1, 0, 0, 0, 1, 0})
	if material != nil {
		p["material"] = b.add("materials", material)
	}
	return p
}

// image adds a texture of the given PNG or JPEG and returns the texture.
func (b *builder) image(data []byte) int {
	source := b.add("images", jsonObject{"bufferView": b.view(data), "mimeType": "image/png"})
	return b.add("textures", jsonObject{"source": source})
}

// glb is the whole file.
func (b *builder) glb() []byte {
	for b.bin.Len()%4 != 0 {
		b.bin.WriteByte(0)
	}
	if b.bin.Len() > 0 {
		b.doc["buffers"] = append([]any{jsonObject{"byteLength": b.bin.Len()}}, b.buffers...)
	}
	text, err := json.Marshal(b.doc)
	if err != nil {
		panic(err)
	}
	return packGLB(text, b.bin.Bytes())
}

// packGLB joins the chunks of a binary glTF.
func packGLB(text, bin []byte) []byte {
	for len(text)%4 != 0 {
		text = append(text, ' ')
	}
	var out bytes.Buffer
	words := func(v ...uint32) { _ = binary.Write(&out, binary.LittleEndian, v) }
	words(glbMagic, 2, uint32(12+8+len(text)+8+len(bin)), uint32(len(text)), chunkJSON)
	out.Write(text)
	words(uint32(len(bin)), chunkBIN)
	out.Write(bin)
	return out.Bytes()
}

func noFiles(string) ([]byte, error) { return nil, errors.New("no such file") }

// load must succeed.
func (b *builder) load(t testing.TB) *Scene {
	t.Helper()
	s, err := load(context.Background(), b.glb(), noFiles, Options{Scene: -1})
	if err != nil {
		t.Fatal(err)
	}
	checkSound(t, s)
	return s
}

// fails must not load; the error must hold each of the words.
func (b *builder) fails(t testing.TB, words ...string) {
	t.Helper()
	_, err := load(context.Background(), b.glb(), noFiles, Options{Scene: -1})
	if err == nil {
		t.Fatal("loads, though it must not")
	}
	for _, w := range words {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("the error %q does not say %q", err, w)
		}
	}
}

// degrades must load with a triangle, and with a warning that holds all words.
func (b *builder) degrades(t testing.TB, words string) *Scene {
	t.Helper()
	s := b.load(t)
	if warns(t, s, words); s.Triangles() == 0 {
		t.Error("no triangle is left")
	}
	return s
}

// warns asserts a warning that holds all words.
func warns(t testing.TB, s *Scene, words string) {
	t.Helper()
	for _, w := range s.Report.Notes {
		if strings.Contains(w.String(), words) {
			return
		}
	}
	t.Errorf("no warning says %q: %q", words, s.Report.Notes)
}

func near(a, b []float32, tolerance float64) bool {
	for i := range a {
		if !(math.Abs(float64(a[i])-float64(b[i])) <= tolerance) {
			return false
		}
	}
	return len(a) == len(b)
}

// corners are the positions of face i.
func corners(s *Scene, i int) [3]mgl32.Vec3 {
	f := s.Faces[i]
	return [3]mgl32.Vec3{s.Vertices[f.V[0]].Position, s.Vertices[f.V[1]].Position, s.Vertices[f.V[2]].Position}
}

// geometricNormal of face i by its winding.
func geometricNormal(s *Scene, i int) mgl32.Vec3 {
	c := corners(s, i)
	return c[1].Sub(c[0]).Cross(c[2].Sub(c[0])).Normalize()
}
