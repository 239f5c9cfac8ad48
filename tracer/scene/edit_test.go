package scene

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
)

// edited loads a file for edits, without its clips.
func (b *builder) edited(t *testing.T, edits Edits) *Scene {
	t.Helper()
	s, err := load(t.Context(), b.glb(), noFiles, Options{Scene: -1, Edits: edits})
	if err != nil {
		t.Fatal(err)
	}
	checkSound(t, s)
	return s
}

// list is where a test document has the objects of a kind.
func (b *builder) list(of *animated) []any {
	switch of {
	case &animatedLight:
		return b.doc["extensions"].(jsonObject)["KHR_lights_punctual"].(jsonObject)["lights"].([]any)
	case &animatedMaterial:
		return b.doc["materials"].([]any)
	case &animatedCamera:
		return b.doc["cameras"].([]any)
	}
	return b.doc["nodes"].([]any)
}

// bareMaterial is one that says nothing, so that edits have to bring the extensions along.
func bareMaterial(bool) jsonObject { return jsonObject{} }

// An edited file without any clip is, property by property and to the bit, the file that says so itself; and what it was read for is
// enough for that.
func TestEditsAreThoseOfStillFiles(t *testing.T) {
	seen := map[bool]int{}
	for name, material := range map[string]func(bool) jsonObject{"with extensions": plainMaterial, "bare": bareMaterial} {
		for p, glossy := range lookRows(&animatedMaterial, &animatedLight, &animatedCamera) {
			value := []float64{0.25, 0.5, 0.75, 0.125}[:p.width]
			if strings.HasSuffix(strings.ToLower(p.path), "ior") {
				value = []float64{1.25}
			}
			edit := Edit{pointerTo(p), value}
			still, all := changing(material(glossy)), changing(material(glossy)).loadAnimated(t).Editable
			if _, err := all.Check(edit); err != nil {
				if seen[false]++; name != "bare" && !p.draft && p.path != "extensions/KHR_materials_ior/ior" && !strings.HasPrefix(p.path, "pbrMetallicRoughness") {
					t.Errorf("%s: %v", name, err)
				}
				continue
			}
			seen[true]++
			at := 0
			if strings.HasPrefix(p.path, "orthographic") {
				at = 1
			}
			var v any = value
			if len(value) == 1 {
				v = value[0]
			}
			put(still.list(p.of)[at].(jsonObject), p.path, v)
			got, want := changing(material(glossy)).edited(t, Edits{edit}), still.load(t)
			if got.Motion == nil {
				t.Errorf("%s: nothing changes", edit)
				continue
			}
			pose := got.Motion.Pose(-1, 0, edit)
			if p.of == &animatedMaterial {
				if pose.Materials[0] != want.Materials[0] {
					t.Errorf("%s, %s: %+v, want %+v", name, edit, pose.Materials[0], want.Materials[0])
				}
				if lacks := want.Features(0) &^ got.Features(0); lacks != 0 || want.Glows(0) && !got.Glows(0) {
					t.Errorf("%s, %s: kernels lack %d; it is known to glow: %t", name, edit, lacks, got.Glows(0))
				}
			} else if !slices.Equal(pose.Lights, want.Lights) || !maps.Equal(lenses(pose.Cameras), lenses(want.Cameras)) {
				t.Errorf("%s: %+v %+v, want %+v %+v", edit, pose.Lights, pose.Cameras, want.Lights, want.Cameras)
			}
			if now := valueOf(t, got.Editable, edit.Pointer, nil); slices.Equal(now, value) {
				t.Errorf("%s is so without the edit", edit)
			}
			if now := valueOf(t, got.Editable, edit.Pointer, Edits{edit}); !slices.Equal(now, value) {
				t.Errorf("%s is now %v", edit, now)
			}
		}
	}
	if seen[true] < 100 || seen[false] < 50 {
		t.Errorf("properties that can be edited, and that cannot: %v", seen)
	}
}

// valueOf is what a property is now.
func valueOf(t *testing.T, e *Editable, pointer string, edits Edits) []float64 {
	t.Helper()
	for _, object := range e.Objects() {
		for _, p := range e.Properties(object, edits) {
			if p.Pointer == pointer {
				return p.Value
			}
		}
	}
	t.Errorf("%s is not listed", pointer)
	return nil
}

// movable is a file without clips: two triangles under a node that has a matrix, one of them hidden, one with a morph target.
func movable() *builder {
	b := newBuilder()
	b.extension("KHR_node_visibility")
	b.mesh(b.triangle(jsonObject{}))
	b.doc["nodes"].([]any)[0].(jsonObject)["translation"] = []any{1, 0, 0}
	shape := b.triangle(jsonObject{})
	shape["targets"] = []any{jsonObject{"POSITION": b.accessor(f32, "VEC3", 3, []float32{0, 0, 1, 0, 0, 1, 0, 0, 1})}}
	b.mesh(shape)
	put(b.doc["nodes"].([]any)[1].(jsonObject), "extensions/KHR_node_visibility/visible", false)
	b.add("nodes", jsonObject{"children": []any{0, 1}, "matrix": []any{0, 0, -2, 0, 0, 2, 0, 0, 2, 0, 0, 0, 5, 6, 7, 1}})
	b.add("scenes", jsonObject{"nodes": []any{2}})
	return b
}

// secondCorners are the second corners of what is drawn in a pose, or in a scene that has none.
func secondCorners(s *Scene, p *Pose) (out []mgl32.Vec3) {
	for _, f := range s.Faces {
		out = append(out, s.Vertices[f.V[1]].Position)
	}
	if p == nil {
		return out
	}
	deformed := 0
	for i, in := range p.Instances {
		m := &s.Meshes[in.Mesh]
		at := m.Vertices[m.Faces[0].V[1]].Position
		if m.deforms {
			of := s.Motion.Deforming()[deformed]
			at = of.Vertices[m.Faces[0].V[1]].Position
			for k, target := range of.Targets {
				at = at.Add(target.Positions[1].Mul(float32(p.Deformed[deformed].Weights[k])))
			}
			at = newTransform(p.Deformed[deformed].Joints[0]).matrix().Mul4x1(at.Vec4(1)).Vec3()
			deformed++
		} else {
			at = in.World.Mul4x1(at.Vec4(1)).Vec3()
		}
		if !p.Hidden[i] {
			out = append(out, at)
		}
	}
	return out
}

// What is moved, turned, shown, hidden or morphed stands where the file would put it that says so.
func TestEditsMoveNodes(t *testing.T) {
	for _, text := range []string{
		"/nodes/0/translation=3,4,5", "/nodes/0/rotation=0,0,1,0", "/nodes/0/scale=2,3,4", "/nodes/2/translation=-1,2,-3", "/nodes/2/scale=1,1,1",
		"/nodes/1/extensions/KHR_node_visibility/visible=true", "/nodes/0/extensions/KHR_node_visibility/visible=false",
		"/nodes/2/extensions/KHR_node_visibility/visible=0",
	} {
		edit, err := ParseEdit(text)
		if err != nil {
			t.Fatal(err)
		}
		file := movable()
		_, p := followPointer(edit.Pointer)
		var v any = edit.Value
		if p.effect == Blinks {
			v = edit.Value[0] != 0
		}
		at := int(edit.Pointer[len("/nodes/")] - '0')
		node := file.list(&animatedNode)[at].(jsonObject)
		if at == 2 && p.effect != Blinks { // what the matrix says otherwise
			delete(node, "matrix")
			node["translation"], node["rotation"], node["scale"] = []any{5, 6, 7}, []any{0, 0.7071067811865476, 0, 0.7071067811865476}, []any{2, 2, 2}
		}
		put(node, p.path, v)
		s, still := movable().edited(t, Edits{edit}), file.loadAnimated(t)
		got, want := secondCorners(s, s.Motion.Pose(-1, 0, edit)), secondCorners(still, nil)
		if len(got) != len(want) {
			t.Errorf("%s: %d triangles, want %d", text, len(got), len(want))
			continue
		}
		for i := range got {
			if got[i].Sub(want[i]).Len() > 1e-5 {
				t.Errorf("%s: %v, want %v", text, got, want)
				break
			}
		}
		if before := secondCorners(movable().load(t), nil); slices.Equal(before, want) {
			t.Errorf("%s changes nothing", text)
		}
	}
	morphed := Edits{{"/nodes/1/extensions/KHR_node_visibility/visible", []float64{1}}, {"/nodes/1/weights", []float64{0.5}}}
	s := movable().edited(t, morphed)
	got := secondCorners(s, s.Motion.Pose(-1, 0, morphed...))
	if want := (mgl32.Vec3{6, 6, 5}); !slices.ContainsFunc(got, func(p mgl32.Vec3) bool { return p.Sub(want).Len() < 1e-5 }) {
		t.Errorf("morphed: %v, want one at %v", got, want)
	}
}

// The tree has each node once, below its parent, with what hangs on it and the box around all below it.
func TestNodesOfTheTree(t *testing.T) {
	b := changing(jsonObject{"name": "red"})
	b.add("nodes", nil)
	b.doc["nodes"].([]any)[3] = jsonObject{"name": "group", "children": []any{0, 1}, "translation": []any{1, 0, 0}}
	b.doc["scenes"] = []any{jsonObject{"nodes": []any{3, 2}}}
	e := b.loadAnimated(t).Editable
	got := ""
	for _, n := range e.Nodes {
		got += fmt.Sprintf("%d %d %s %v %t\n", n.Parent, n.Depth, n.Label, n.Uses, n.Box != nil)
	}
	want := "-1 0 node 2 [/cameras/1] false\n" +
		"-1 0 node 3 \"group\" [] true\n" +
		"1 1 node 0 [/materials/0] true\n" +
		"1 1 node 1 [/cameras/0 /extensions/KHR_lights_punctual/lights/0] false\n"
	if got != want {
		t.Errorf("the tree is\n%s, want\n%s", got, want)
	}
	if box := e.Nodes[1].Box; *box != *e.Nodes[2].Box || box.Min != (mgl32.Vec3{1, 0, 0}) || box.Max != (mgl32.Vec3{2, 1, 0}) {
		t.Errorf("the box is %v", box)
	}
	if e.Visible("/nodes/1", nil) != true || e.Visible("/nodes/1", Edits{{"/nodes/1" + VisiblePath, []float64{0}}}) || !e.Visible("/nodes/77", nil) {
		t.Error("what is visible")
	}
	if hidden := movable().loadAnimated(t).Editable; hidden.Visible("/nodes/1", nil) || !hidden.Visible("/nodes/0", nil) {
		t.Error("what the file hides")
	}
}

// Edits that cannot be made say why, and what could be.
func TestWrongEdits(t *testing.T) {
	b := changing(plainMaterial(false))
	b.list(&animatedNode)[1].(jsonObject)["matrix"] = []any{1, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}
	all := b.loadAnimated(t).Editable
	for text, words := range map[string]string{
		"/materials/0/doubleSided=1":                                                     "leads to nothing that can be edited",
		"/materials/9/emissiveFactor=1,1,1":                                              "material 9 does not exist: the file has 1",
		"/materials/0/emissiveFactor=1":                                                  "1 numbers: want 3",
		"/materials/0/pbrMetallicRoughness/roughnessFactor=1.5":                          "1.5: want 0 to 1",
		"/materials/0/pbrMetallicRoughness/baseColorFactor=2,0,0,1":                      "2: want 0 to 1",
		"/materials/0/extensions/KHR_materials_ior/ior=0.5":                              "0.5: want at least 1",
		"/nodes/0/rotation=0,0,0,0":                                                      "want a unit quaternion",
		"/nodes/1/translation=0,0,0":                                                     "node 1 has no such property",
		"/cameras/1/perspective/yfov=1":                                                  "camera 1 has no such property",
		"/nodes/-1/translation=0,0,0":                                                    "node -1 does not exist",
		"/materials/0/extensions/KHR_materials_pbrSpecularGlossiness/x=1":                "leads to nothing",
		"/materials/0/extensions/KHR_materials_pbrSpecularGlossiness/glossinessFactor=1": "has no such property",
	} {
		e, err := ParseEdit(text)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := all.Check(e); err == nil || !strings.Contains(err.Error(), words) {
			t.Errorf("%s: %v, want %q", text, err, words)
		}
	}
	for _, text := range []string{"", "roughness=1", "/materials/0/alphaCutoff", "/materials/0/alphaCutoff=", "/materials/0/alphaCutoff=much", "/materials/0/alphaCutoff=NaN"} {
		if e, err := ParseEdit(text); err == nil {
			t.Errorf("%q is read as %v", text, e)
		}
	}
	if _, err := load(t.Context(), b.glb(), noFiles, Options{Scene: -1, Edits: Edits{{"/materials/3/alphaCutoff", []float64{1}}}}); err == nil ||
		!strings.Contains(err.Error(), "material 3 does not exist") {
		t.Errorf("loaded: %v", err)
	}
}

// Edits are kept by pointers, each once, and none of them changes another's list.
func TestEdits(t *testing.T) {
	a := Edits(nil).With(Edit{"/b", []float64{1}}).With(Edit{"/a", []float64{1. / 3}})
	b := a.With(Edit{"/b", []float64{2}})
	if fmt.Sprint(a) != "[/a=0.3333333333333333 /b=1]" || fmt.Sprint(b) != "[/a=0.3333333333333333 /b=2]" || fmt.Sprint(b.Without("/a")) != "[/b=2]" {
		t.Errorf("%v %v %v", a, b, b.Without("/a"))
	}
	back, err := ParseEdits(b.Texts())
	if err != nil || !back.Equal(b) || back.Equal(a) || !b.Without("/c").Equal(b) {
		t.Errorf("%v, %v", back, err)
	}
}

// What a scene was read for shows edits of the same kinds at once; others, and what is needed no more, ask for it to be read again.
func TestWhatEditsNeed(t *testing.T) {
	e := changing(plainMaterial(false)).loadAnimated(t).Editable
	edits := func(texts ...string) Edits {
		out, err := ParseEdits(texts)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	rough, metal := "/materials/0/pbrMetallicRoughness/roughnessFactor=0.5", "/materials/0/pbrMetallicRoughness/metallicFactor=0.5"
	glow, moved := "/materials/0/emissiveFactor=1,1,1", "/nodes/2/translation=1,2,3"
	for _, c := range []struct {
		readFor, wanted Edits
		shown           int
		all             bool
	}{
		{nil, nil, 0, true}, {nil, edits(rough), 0, false}, {edits(rough), edits(rough), 1, true}, {edits(rough), edits(metal), 1, true},
		{edits(rough), edits(metal, glow), 1, false}, {edits(rough, glow), edits(metal), 1, false}, {edits(rough, moved), edits(rough, "/nodes/2/rotation=0,0,0,1"), 2, true},
		{edits(moved), edits("/nodes/1/translation=1,2,3"), 0, false}, {edits("/extensions/KHR_lights_punctual/lights/0/intensity=3"), nil, 0, false},
	} {
		if shown, all := e.Shown(c.readFor, c.wanted); len(shown) != c.shown || all != c.all {
			t.Errorf("read for %v, %v: shown %v, all %t", c.readFor, c.wanted, shown, all)
		}
	}
}

// TestConesStaySound: however the angles of a spot light are edited, the inner one is below the outer one, in 32 bits too.
func TestConesStaySound(t *testing.T) {
	const light = "/extensions/KHR_lights_punctual/lights/0/spot/"
	all := changing(plainMaterial(false)).loadAnimated(t).Editable
	for _, c := range []struct {
		edits        string
		inner, outer float64 // 0: below the other
	}{
		{"innerConeAngle=0.5", 0.5, 0.75},
		{"innerConeAngle=0.75", 0, 0.75},
		{"innerConeAngle=1.5", 0, 0.75},
		{"outerConeAngle=0.03", 0, 0.03},
		{"outerConeAngle=0", 0, narrowestCone},
		{"innerConeAngle=1 outerConeAngle=1.25", 1, 1.25},
		{"innerConeAngle=1.5 outerConeAngle=1.25", 0, 1.25},
	} {
		var edits Edits
		for _, text := range strings.Fields(c.edits) {
			e, err := ParseEdit(light + text)
			if err != nil {
				t.Fatal(err)
			}
			edits = edits.With(e)
		}
		got, err := all.CheckAll(edits)
		if err != nil {
			t.Fatal(err)
		}
		angle := map[string]float64{}
		for _, p := range all.Properties(strings.TrimSuffix(light, "/spot/"), got) {
			angle[strings.TrimPrefix(p.Pointer, light)] = p.Value[0]
		}
		inner, outer := angle["innerConeAngle"], angle["outerConeAngle"]
		if outer != c.outer || c.inner > 0 && inner != c.inner || float32(inner) >= float32(outer) || c.inner == 0 && inner < 0.999*outer {
			t.Errorf("%s: inner %v, outer %v", c.edits, inner, outer)
		}
		if again := all.Settle(got); !again.Equal(got) {
			t.Errorf("%s: settled again, %v become %v", c.edits, got, again)
		}
	}
	if edits := (Edits{{Pointer: light + "intensity", Value: []float64{2}}}); !all.Settle(edits).Equal(edits) {
		t.Errorf("what was not edited is changed: %v", all.Settle(edits))
	}
}
