package scene

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"glint/tracer/guard"
)

// tuft adds a mesh of the given number of triangles with smooth normals, and returns its primitive.
func (b *builder) tuft(triangles int) jsonObject {
	var points, normals []float32
	for i := range triangles {
		for k := range 3 {
			s, c := math.Sincos(float64(i) + 2*float64(k))
			n := mgl64.Vec3{c, s, 0.5}.Normalize()
			points = append(points, float32(c), float32(s), float32(i)/float32(triangles))
			normals = append(normals, float32(n[0]), float32(n[1]), float32(n[2]))
		}
	}
	p := b.points(points)
	p["attributes"].(jsonObject)["NORMAL"] = b.accessor(f32, "VEC3", 3*triangles, normals)
	return p
}

// repeated is a file that draws a mesh of 40 triangles six times: in nested turns, stretched, mirrored; and others that must
// stay as they are: once, glowing, small, flat.
func repeated() *builder {
	b := newBuilder()
	often := b.add("meshes", jsonObject{"primitives": []any{b.tuft(40)}})
	glowing := b.tuft(40)
	glowing["material"] = b.add("materials", jsonObject{"emissiveFactor": []any{1, 1, 1}})
	h := math.Sqrt2 / 2
	b.add("nodes", jsonObject{"mesh": often, "translation": []any{3, 0, 0}})
	b.add("nodes", jsonObject{"mesh": often, "scale": []any{0.5, 2, 1}, "rotation": []any{0, h, 0, h}, "children": []any{2}})
	b.add("nodes", jsonObject{"mesh": often, "rotation": []any{h, 0, 0, h}, "translation": []any{0, 4, 0}})
	b.add("nodes", jsonObject{"mesh": often, "scale": []any{-1, 1, 1}, "translation": []any{0, 0, 9}})
	b.add("nodes", jsonObject{"mesh": often, "scale": []any{1, 1, -3}, "translation": []any{0, 9, 9}})
	b.add("nodes", jsonObject{"mesh": often, "scale": []any{1, 1, 0}, "translation": []any{7, 7, 7}}) // flat
	for _, p := range []jsonObject{glowing, b.tuft(fewestFaces - 1)} {
		mesh := b.add("meshes", jsonObject{"primitives": []any{p}})
		b.add("nodes", jsonObject{"mesh": mesh})
		b.add("nodes", jsonObject{"mesh": mesh, "translation": []any{1, 1, 1}})
	}
	b.add("nodes", jsonObject{"mesh": b.add("meshes", jsonObject{"primitives": []any{b.tuft(50)}})})
	b.add("scenes", jsonObject{"nodes": []any{0, 1, 3, 4, 5, 6, 7, 8, 9, 10}})
	return b
}

func (b *builder) loadBy(t *testing.T, o Options) *Scene {
	t.Helper()
	o.Scene = -1
	s, err := load(context.Background(), b.glb(), noFiles, o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// soup is every triangle that is drawn, with its normals: rounded, in a fixed order.
func soup(s *Scene) []string {
	var out []string
	add := func(m *Mesh, world mgl32.Mat4) {
		normals := world.Mat3().Inv().Transpose()
		for _, f := range m.Faces {
			text := ""
			for _, v := range f.V {
				p, n := mgl32.TransformCoordinate(m.Vertices[v].Position, world), normals.Mul3x1(m.Vertices[v].Normal).Normalize()
				text += fmt.Sprintf("%.3f %.2f ", p.Add(mgl32.Vec3{1e-5, 1e-5, 1e-5}), n.Add(mgl32.Vec3{1e-4, 1e-4, 1e-4}))
			}
			out = append(out, text)
		}
	}
	add(&Mesh{Vertices: s.Vertices, Faces: s.Faces}, mgl32.Ident4())
	for _, in := range s.Instances {
		add(&s.Meshes[in.Mesh], in.World)
	}
	slices.Sort(out)
	return out
}

func TestRepeatedMeshesAreKeptOnce(t *testing.T) {
	b := repeated()
	copies, kept := b.loadBy(t, Options{Instancing: InstanceNever}), b.loadBy(t, Options{Instancing: InstanceAlways})
	if len(copies.Instances) != 0 || len(kept.Meshes) != 2 || len(kept.Instances) != 5 {
		t.Fatalf("%d instances when baked, else %d of %d meshes; want 0, 5 of 2", len(copies.Instances), len(kept.Instances), len(kept.Meshes))
	}
	if got := len(copies.Faces) - len(kept.Faces); got != 200 {
		t.Errorf("instances stand for %d faces, want 200", got)
	}
	if a, b := soup(copies), soup(kept); !slices.Equal(a, b) {
		for i := range a {
			if a[i] != b[i] {
				t.Fatalf("triangle %d of %d:\n%s\nof an instance:\n%s", i, len(a), a[i], b[i])
			}
		}
	}
	a, c := copies.Bounds(), kept.Bounds()
	for axis := range 3 {
		if math.Abs(float64(c.Min[axis]-a.Min[axis])) > 1e-5 || math.Abs(float64(c.Max[axis]-a.Max[axis])) > 1e-5 {
			t.Errorf("bounds %v with instances, %v with copies", c, a)
		}
	}
	if kept.Triangles() != len(copies.Faces) {
		t.Errorf("%d triangles with instances, %d with copies", kept.Triangles(), len(copies.Faces))
	}
}

// The handedness of tangents follows their mirrored mesh.
func TestMirroredMeshesHaveMirroredTangents(t *testing.T) {
	kept := repeated().loadBy(t, Options{Instancing: InstanceAlways})
	for _, in := range kept.Instances {
		m := &kept.Meshes[in.Mesh]
		if mirror := in.World.Mat3().Det() < 0; (m.Vertices[0].Tangent[3] < 0) != mirror {
			t.Errorf("mesh %d is mirrored: %v, its tangents' handedness is %v", in.Mesh, mirror, m.Vertices[0].Tangent[3])
		}
	}
}

// Instances are a matter of memory.
func TestInstancesWhereCopiesDoNotFit(t *testing.T) {
	b := repeated()
	r := b.loadBy(t, Options{}).Report.Repeats
	if want := int64(200 * (deviceFace + 3*deviceVertex)); r.Meshes != 2 || r.Instances != 5 || r.Baked < want || r.Instanced >= r.Baked {
		t.Errorf("%+v", r)
	}
	for _, row := range []struct {
		room int64
		want int
	}{{0, 0}, {r.Baked, 0}, {r.Baked - 1, 5}} {
		if got := len(b.loadBy(t, Options{BakedBytes: row.room}).Instances); got != row.want {
			t.Errorf("with room for %d of %d bytes there are %d instances, want %d", row.room, r.Baked, got, row.want)
		}
	}
}

// On a processor they are a matter of what they save, unless rays would have to enter many of them.
func TestInstancesWhereTheySave(t *testing.T) {
	for _, row := range []struct {
		name         string
		faces        int
		apart        float64 // m
		copies, want int
	}{
		{"little", 20_000, 10, 2, 0},
		{"much", 120_000, 10, 2, 2},
		{"a crowd", 30_000, 0.01, 12, 0},
	} {
		b := newBuilder()
		mesh := b.add("meshes", jsonObject{"primitives": []any{b.tuft(row.faces)}})
		for i := range row.copies {
			b.add("nodes", jsonObject{"mesh": mesh, "translation": []any{row.apart * float64(i), 0, 0}})
		}
		if got := len(b.loadBy(t, Options{Instancing: InstanceWhereItSaves}).Instances); got != row.want {
			t.Errorf("%s: %d instances, want %d", row.name, got, row.want)
		}
	}
}

// EXT_mesh_gpu_instancing draws a copy for each element of its attributes, in the node's space.
func TestGPUInstancing(t *testing.T) {
	b := newBuilder()
	b.extension(gpuInstancing)
	node := b.mesh(b.tuft(30))
	node["translation"] = []any{10, 0, 0}
	node["extensions"] = jsonObject{gpuInstancing: jsonObject{"attributes": jsonObject{
		"TRANSLATION": b.accessor(f32, "VEC3", 3, []float32{0, 0, 0, 0, 2, 0, 0, 0, 3}),
		"ROTATION":    b.accessor(i8, "VEC4", 3, []int8{0, 0, 0, 127, 0, 127, 0, 0, 0, 0, 0, 127}),
		"SCALE":       b.accessor(f32, "VEC3", 3, []float32{1, 1, 1, 1, 1, 1, 2, -2, 2}),
	}}}
	copies, kept := b.loadBy(t, Options{}), b.loadBy(t, Options{Instancing: InstanceAlways})
	if len(copies.Faces) != 90 || len(kept.Instances) != 2 || len(kept.Faces) != 30 { // the mirrored one stands alone
		t.Fatalf("%d faces; %d instances and %d faces", len(copies.Faces), len(kept.Instances), len(kept.Faces))
	}
	p := copies.Vertices[0].Position.Sub(mgl32.Vec3{10, 0, 0})
	turned, scaled := copies.Vertices[90].Position, copies.Vertices[180].Position
	if want := (mgl32.Vec3{10 - p[0], p[1] + 2, -p[2]}); !near(turned[:], want[:], 1e-5) {
		t.Errorf("the turned copy's first corner is at %v, want %v", turned, want)
	}
	if want := (mgl32.Vec3{10 + 2*p[0], -2 * p[1], 2*p[2] + 3}); !near(scaled[:], want[:], 1e-5) {
		t.Errorf("the mirrored copy's first corner is at %v, want %v", scaled, want)
	}
}

func TestBadGPUInstancing(t *testing.T) {
	for _, row := range []struct {
		word       string
		attributes func(b *builder) any
	}{
		{"SCALE: 99 is out of range", func(*builder) any { return jsonObject{"SCALE": 99} }},
		{"SCALE: -1: left out", func(*builder) any { return jsonObject{"SCALE": -1} }},
		{gpuInstancing, func(*builder) any { return jsonObject{"SCALE": "big"} }},
		{"components", func(b *builder) any { return jsonObject{"ROTATION": b.accessor(f32, "VEC3", 1, []float32{0, 0, 0})} }},
		{"elements", func(b *builder) any {
			return jsonObject{"TRANSLATION": b.accessor(f32, "VEC3", 1, make([]float32, 3)), "SCALE": b.accessor(f32, "VEC3", 2, make([]float32, 6))}
		}},
		{"elements", func(b *builder) any {
			return jsonObject{"SCALE": b.add("accessors", jsonObject{"componentType": f32, "type": "VEC3", "count": 1 << 30})}
		}},
	} {
		b := newBuilder()
		b.mesh(b.triangle(nil))["extensions"] = jsonObject{gpuInstancing: jsonObject{"attributes": row.attributes(b)}}
		b.degrades(t, row.word)
	}
}

// Where copies would take more memory than a file may, instances help, too.
func TestInstancesWhereLoadingIsBounded(t *testing.T) {
	b := repeated()
	for most := int64(1 << 10); ; most += 1 << 10 {
		s, err := load(context.Background(), b.glb(), noFiles, Options{Scene: -1, Memory: guard.NewMemory(most)})
		if err == nil {
			if len(s.Instances) == 0 {
				t.Errorf("the first to fit, into %d bytes, are copies", most)
			}
			return
		}
		if most > 1<<20 {
			t.Fatal(err)
		}
	}
}
