package scene

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
)

// TestRoomsEnteredLater: what a camera is in, as flags place it or when a clip has moved it, is a room.
func TestRoomsEnteredLater(t *testing.T) {
	inside := []float32{0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0}
	turned := func(far float64, options Options, moves bool) bool {
		f := newBuilder()
		f.mesh(f.points(inside))["translation"] = []any{far, 0, 0}
		f.add("cameras", jsonObject{"type": "perspective", "perspective": jsonObject{"yfov": 1, "znear": 0.1}})
		camera := f.add("nodes", jsonObject{"camera": 0, "translation": []any{far, 0, 9}})
		f.extension(animationPointer)
		if moves {
			x := float32(far)
			f.animates(fmt.Sprintf("/nodes/%d/translation", camera), "LINEAR", []float32{x, 0, 9}, []float32{x + 0.25, 0.25, 0.25})
		}
		options.Scene, options.Animated = -1, moves
		s, err := load(t.Context(), f.glb(), noFiles, options)
		if err != nil {
			t.Fatal(err)
		}
		return warned(s, "turned outward")
	}
	for _, far := range []float64{0, 1024} {
		if !turned(far, Options{}, false) || !turned(far, Options{Eyes: []mgl64.Vec3{{far + 5, 0, 0}}}, false) {
			t.Error("what nobody enters stays inside out")
		}
		if turned(far, Options{Eyes: []mgl64.Vec3{{far + 0.25, 0.25, 0.25}}}, false) || turned(far, Options{}, true) {
			t.Error("a room is turned over")
		}
	}
}

// TestInsideOut: a closed shape that is inside out is turned over, with its normals. What is right, open, double-sided, shining, or around
// something stays as it is, and so does what is of two pieces, as a room with its furniture; a directional light has no place.
func TestInsideOut(t *testing.T) {
	a, b, c, d := []float32{0, 0, 0}, []float32{1, 0, 0}, []float32{0, 1, 0}, []float32{0, 0, 1}
	list := func(corners ...[]float32) (xyz []float32) {
		for _, c := range corners {
			xyz = append(xyz, c...)
		}
		return xyz
	}
	inside := list(a, b, c, a, d, b, b, d, c, c, d, a)
	light := func(f *builder, kind string) {
		f.extension("KHR_lights_punctual")
		f.doc["extensions"] = jsonObject{"KHR_lights_punctual": jsonObject{"lights": []any{jsonObject{"type": kind}}}}
		f.add("nodes", jsonObject{"translation": []any{0.25, 0.25, 0.25}, "extensions": jsonObject{"KHR_lights_punctual": jsonObject{"light": 0}}})
	}
	for _, row := range []struct {
		name   string
		xyz    []float32
		change func(f *builder, p jsonObject)
		turned bool
	}{
		{"inside out", inside, nil, true},
		{"inside out, below the sun", inside, func(f *builder, _ jsonObject) { light(f, "directional") }, true},
		{"right", list(a, c, b, a, b, d, b, c, d, c, a, d), nil, false},
		{"open", inside[:27], nil, false},
		{"of two pieces", append(slices.Clone(inside), list([]float32{2, 0, 0}, []float32{3, 0, 0}, []float32{2, 1, 0}, []float32{2, 0, 0}, []float32{2, 0, 1}, []float32{3, 0, 0},
			[]float32{3, 0, 0}, []float32{2, 0, 1}, []float32{2, 1, 0}, []float32{2, 1, 0}, []float32{2, 0, 1}, []float32{2, 0, 0})...), nil, false},
		{"around a lamp", inside, func(f *builder, _ jsonObject) { light(f, "point") }, false},
		{"around a triangle", inside, func(f *builder, _ jsonObject) {
			f.mesh(f.points([]float32{0.2, 0.2, 0.2, 0.3, 0.2, 0.2, 0.2, 0.3, 0.2}))
		}, false},
		{"double-sided", inside, func(f *builder, p jsonObject) {
			p["material"] = f.add("materials", jsonObject{"doubleSided": true})
		}, false},
		{"unlit", inside, func(f *builder, p jsonObject) {
			f.extension("KHR_materials_unlit")
			p["material"] = f.add("materials", jsonObject{"extensions": jsonObject{"KHR_materials_unlit": jsonObject{}}})
		}, false},
		{"shining", inside, func(f *builder, p jsonObject) {
			p["material"] = f.add("materials", jsonObject{"emissiveFactor": []any{1, 1, 1}})
		}, false},
	} {
		f := newBuilder()
		p := f.points(row.xyz)
		f.mesh(p)
		if row.change != nil {
			row.change(f, p)
		}
		s := f.load(t)
		face := s.Faces[0]
		corner := func(i int) Vertex { return s.Vertices[face.V[i]] }
		across := corner(1).Position.Sub(corner(0).Position).Cross(corner(2).Position.Sub(corner(0).Position))
		if across.Dot(corner(0).Normal) <= 0 {
			t.Errorf("%s: the normal is %v, and the face's %v", row.name, corner(0).Normal, across)
		}
		if turned := corner(1).Position != [3]float32(row.xyz[3:6]); turned != row.turned {
			t.Errorf("%s: turned is %v", row.name, turned)
		}
		aboutIt := func(n Note) bool { return strings.Contains(n.Text, "look inward") }
		if noted := slices.ContainsFunc(s.Report.Notes, aboutIt); noted != row.turned {
			t.Errorf("%s: notes %v", row.name, s.Report.Notes)
		}
	}
}
