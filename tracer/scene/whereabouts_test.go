package scene

import (
	"testing"

	"github.com/go-gl/mathgl/mgl32"
)

// TestNotesSayWhere: the report knows where the objects are that it speaks of, also in a scene that lies far from its origin, and that
// there is nothing to see of what is not drawn.
func TestNotesSayWhere(t *testing.T) {
	for _, far := range []float64{0, 1 << 22} {
		b := newBuilder()
		b.extension("KHR_materials_clearcoat", "ACME_glow")
		occluded := func(name, extension string) jsonObject {
			return b.triangle(jsonObject{
				"name": name, "occlusionTexture": jsonObject{"index": b.image([]byte("no image"))}, "extensions": jsonObject{extension: jsonObject{}},
			})
		}
		plain, coated, glowing := b.triangle(nil), occluded("coated", "KHR_materials_clearcoat"), occluded("glowing", "ACME_glow")
		lines := b.points([]float32{0, 0, 0, 1, 0, 0})
		lines["mode"] = 1
		for i, primitives := range [][]any{{plain}, {coated}, {glowing}, {plain, lines}, {lines}} {
			b.mesh(nil)["translation"] = []float64{far + 2*float64(i), 0, 0}
			b.doc["meshes"].([]any)[i] = jsonObject{"primitives": primitives}
		}
		s := b.load(t)
		// in is where a copy of the triangle is drawn.
		in := func(x float64) Bounds {
			x += far - s.Origin[0]
			return Bounds{mgl32.Vec3{float32(x), 0, 0}, mgl32.Vec3{float32(x) + 1, 1, 0}}
		}
		want := map[string]*Bounds{
			`material 0 "coated"`: ptr(in(2)), `material 1 "glowing"`: ptr(in(4)), "mesh 3": ptr(in(6)), "mesh 4": nil,
		}
		told := 0
		check := func(p Place) {
			at, known := want[p.Name]
			switch {
			case !known:
			case (p.At == nil) != (at == nil) || at != nil && *p.At != *at:
				t.Errorf("far %v: %s is at %v, want %v", far, p.Name, p.At, at)
			default:
				told++
			}
		}
		for _, f := range s.Report.Findings() {
			for _, p := range f.Places {
				check(p)
			}
		}
		for _, e := range s.Report.Extensions {
			if len(e.Places) != 1 {
				t.Errorf("%s has places %v", e.Name, e.Places)
			}
			for _, p := range e.Places {
				check(p)
			}
		}
		if told != 6 {
			t.Errorf("far %v: %d objects are where they should be: %+v", far, told, s.Report)
		}
	}
}

func ptr[T any](v T) *T { return &v }
