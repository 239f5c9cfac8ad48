package scene

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"glint/tracer/guard"
	"glint/tracer/scene/draco"
)

// dracoScene is two copies of a mesh of the Draco package's.
func dracoScene(t testing.TB) *builder {
	t.Helper()
	if !draco.Available {
		t.Skip("this build has no Draco decoder")
	}
	text, err := os.ReadFile(filepath.Join("draco", "testdata", "meshes.json"))
	var meshes []struct {
		Data                []byte
		Vertices, Triangles int
	}
	if err == nil {
		err = json.Unmarshal(text, &meshes)
	}
	if err != nil {
		t.Fatal(err)
	}
	m := meshes[3]
	b := newBuilder()
	b.extension(dracoName)
	b.add("extensionsRequired", dracoName)
	data := b.view(m.Data)
	accessor := func(kind int, shape string, count int) int {
		return b.add("accessors", jsonObject{"componentType": kind, "type": shape, "count": count})
	}
	position, normal := accessor(f32, "VEC3", m.Vertices), accessor(f32, "VEC3", m.Vertices)
	uv, indices := accessor(f32, "VEC2", m.Vertices), accessor(u16, "SCALAR", 3*m.Triangles)
	for range 2 { // which share accessors
		b.mesh(jsonObject{
			"attributes": jsonObject{"POSITION": position, "NORMAL": normal, "TEXCOORD_0": uv}, "indices": indices, "mode": 4,
			"extensions": jsonObject{dracoName: jsonObject{
				"bufferView": data, "attributes": jsonObject{"POSITION": 0, "NORMAL": 1, "TEXCOORD_0": 2, "COLOR_0": 3}}},
		})
	}
	return b
}

func TestDracoMeshes(t *testing.T) {
	s := dracoScene(t).load(t)
	if len(s.Faces) != 2*128 || s.Vertices[80].UV[0] == s.Vertices[0].UV[0] || len(s.Report.Notes) != 1 {
		t.Errorf("%d triangles, %q", len(s.Faces), s.Report.Notes)
	}
	bounds := NoBounds()
	for _, v := range s.Vertices {
		bounds.Add(v.Position)
		if l := v.Normal.Len(); l < 0.99 || l > 1.01 {
			t.Fatalf("a normal of length %v", l)
		}
	}
	if low, high := bounds.Min, bounds.Max; !near(low[:2], []float32{0, 0}, 0.01) || !near(high[:2], []float32{8, 8}, 0.01) {
		t.Errorf("from %v to %v", low, high)
	}
}

// TestBrokenDracoMeshes: each fault leaves out a primitive, and is reported.
func TestBrokenDracoMeshes(t *testing.T) {
	for what, c := range map[string]struct {
		change func(primitive, extension jsonObject, accessors []any)
		says   string
	}{
		"no view":     {func(_, e jsonObject, _ []any) { delete(e, "bufferView") }, "has no buffer view that exists"},
		"view":        {func(_, e jsonObject, _ []any) { e["bufferView"] = 9 }, "has no buffer view that exists"},
		"type":        {func(_, e jsonObject, _ []any) { e["attributes"] = "none" }, `extensions.KHR_draco_mesh_compression: attributes: must be an object, is "none"`},
		"no number":   {func(_, e jsonObject, _ []any) { e["attributes"].(jsonObject)["NORMAL"] = 77 }, "it has no attribute 77"},
		"number":      {func(_, e jsonObject, _ []any) { e["attributes"].(jsonObject)["NORMAL"] = -1 }, "NORMAL: number -1"},
		"another":     {func(_, e jsonObject, _ []any) { e["attributes"].(jsonObject)["NORMAL"] = 2 }, "has 2 components"},
		"no position": {func(p, _ jsonObject, _ []any) { delete(p["attributes"].(jsonObject), "POSITION") }, "has no POSITION"},
		"no indices":  {func(p, _ jsonObject, _ []any) { delete(p, "indices") }, "has no indices"},
		"strip":       {func(p, _ jsonObject, _ []any) { p["mode"] = 5 }, "is no list of triangles"},
		"count":       {func(_, _ jsonObject, a []any) { a[1].(jsonObject)["count"] = 5 }, "accessor 1 has 5 elements"},
		"fewer":       {func(_, _ jsonObject, a []any) { a[3].(jsonObject)["count"] = 381 }, "its accessors say 81 in 127"},
		"part":        {func(_, _ jsonObject, a []any) { a[3].(jsonObject)["count"] = 385 }, "no whole triangles"},
		"matrix":      {func(_, _ jsonObject, a []any) { a[2].(jsonObject)["type"] = "MAT4" }, "16 numbers"},
	} {
		b := dracoScene(t)
		p := b.doc["meshes"].([]any)[0].(jsonObject)["primitives"].([]any)[0].(jsonObject)
		c.change(p, p["extensions"].(jsonObject)[dracoName].(jsonObject), b.doc["accessors"].([]any))
		s, err := load(context.Background(), b.glb(), noFiles, Options{Scene: -1})
		if err == nil && (s.Triangles() != 128 || !warned(s, c.says)) {
			t.Errorf("%s: %d triangles, %q", what, s.Triangles(), s.Report.Notes)
		}
		if err != nil && !strings.Contains(err.Error(), c.says) { // both primitives have the fault
			t.Errorf("%s: %v", what, err)
		}
	}
}

// TestDracoChildren: large meshes are decoded by fewer at a time, so that each has more memory.
func TestDracoChildren(t *testing.T) {
	many := make([]*dracoTask, 50)
	for i := range many {
		many[i] = &dracoTask{request: draco.Request{Vertices: 100, Triangles: 100}}
	}
	if n, want := dracoChildren(many), min(4, runtime.GOMAXPROCS(0)); n != want {
		t.Errorf("%d children for small meshes, want %d", n, want)
	}
	if n := dracoChildren(many[:1]); n != 1 {
		t.Errorf("%d children for one mesh", n)
	}
	many[7].request.Triangles = 30 << 20
	if n := dracoChildren(many); n != 1 {
		t.Errorf("%d children where a mesh is large", n)
	}
}

// TestDracoDecoderCrashes: when the decoder does, the load ends in words that name the primitive, and this process goes on.
func TestDracoDecoderCrashes(t *testing.T) {
	t.Setenv(crashVariable, "1")
	dracoScene(t).fails(t, "mesh 0, primitive 0: decode its Draco data: the Draco decoder broke down")
}

// TestDracoMeshesAreCounted: what a mesh decodes to is counted before a child is asked.
func TestDracoMeshesAreCounted(t *testing.T) {
	b := dracoScene(t)
	for _, a := range b.doc["accessors"].([]any)[:3] {
		a.(jsonObject)["count"] = 1 << 26
	}
	_, err := load(context.Background(), b.glb(), noFiles, Options{Scene: -1, Memory: guard.NewMemory(100 << 20)})
	var refused *guard.MemoryError
	if !errors.As(err, &refused) {
		t.Error(err)
	}
}
