package scene

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"image"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl32"

	"glint/tracer/guard"
)

// packed saves a file that is in memory.
func packed(t *testing.T, data []byte, edits Edits) []byte {
	t.Helper()
	memory := guard.NewMemory(guard.DefaultMemory)
	var out bytes.Buffer
	j := &job{ctx: t.Context(), memory: memory, scratch: memory.Lease(), warn: newWarnings()}
	notes, err := pack(j, &out, data, noFiles, edits)
	if err != nil || len(notes) > 0 {
		t.Fatal(edits, err, notes)
	}
	return out.Bytes()
}

// tree is the JSON of a file, and its chunk.
func tree(t *testing.T, data []byte) (map[string]any, container) {
	t.Helper()
	c, err := openContainer(data, newWarnings())
	if err != nil {
		t.Fatal(err)
	}
	root, err := decodeTree(c.json)
	if err != nil {
		t.Fatal(err)
	}
	return root, c
}

// allProperties are those of all objects of a file.
func allProperties(e *Editable) (out []Property) {
	for _, object := range e.Objects() {
		out = append(out, e.Properties(object, nil)...)
	}
	return out
}

// another is an edit that gives a property another value, which single precision holds.
func another(p Property) Edit {
	e := Edit{p.Pointer, slices.Clone(p.Value)}
	for i := range e.Value {
		if e.Value[i] = 0.75; p.Least > 0.75 {
			e.Value[i] = 1.25
		}
		if e.Value[i] == p.Value[i] {
			e.Value[i] += 0.125
		}
	}
	switch p.Effect {
	case Turns:
		e.Value = []float64{0.5, 0.5, 0.5, 0.5}
		if slices.Equal(e.Value, p.Value) {
			e.Value[0] = -0.5
		}
	case Blinks:
		e.Value = []float64{1 - p.Value[0]}
	}
	return e
}

// hiding is the edit where it hides something: what is hidden is only read for those who may show it.
func hiding(p Property, edit Edit) Edits {
	if p.Effect == Blinks {
		return Edits{edit}
	}
	return nil
}

// checkSaved fails unless a saved file has the properties of the one that was edited, with edits.
func checkSaved(t *testing.T, got, before *Editable, edits Edits) {
	t.Helper()
	values := map[string][]float64{}
	for _, p := range allProperties(got) {
		values[p.Pointer] = p.Value
	}
	for _, object := range before.Objects() {
		for _, p := range before.Properties(object, edits) {
			if !slices.Equal(values[p.Pointer], p.Value) {
				t.Errorf("with %v: %s is %v, want %v", edits, p.Pointer, values[p.Pointer], p.Value)
			}
		}
	}
}

// Whatever property is edited, the saved file has it, with all others as they were: of materials with extensions and without.
func TestSavedEdits(t *testing.T) {
	for name, material := range map[string]jsonObject{"extensions": plainMaterial(false), "glossy": plainMaterial(true), "bare": bareMaterial(false)} {
		b := changing(material)
		put(b.list(&animatedNode)[0].(jsonObject), "matrix", []any{0, 0, -2, 0, 0, 2, 0, 0, 2, 0, 0, 0, 5, 6, 7, 1})
		before, data := b.loadAnimated(t).Editable, b.glb()
		properties := allProperties(before)
		if len(properties) < 30 {
			t.Errorf("%s: only %d properties", name, len(properties))
		}
		for _, p := range properties {
			edit, err := before.Check(another(p))
			if err != nil {
				t.Fatal(err)
			}
			s, err := load(t.Context(), packed(t, data, Edits{edit}), noFiles, Options{Scene: -1, Animated: true, Edits: hiding(p, edit)})
			if err != nil {
				t.Fatal(err)
			}
			checkSaved(t, s.Editable, before, Edits{edit})
			if len(s.Report.Notes) > 0 && strings.Contains(fmt.Sprint(s.Report.Notes), "is used") {
				t.Errorf("%s: %s: %v", name, edit, s.Report.Notes)
			}
		}
	}
}

// A draft's name of a property gives way to the one that is written.
func TestSavedDrafts(t *testing.T) {
	b := changing(jsonObject{"extensions": jsonObject{"KHR_materials_volume_scatter": jsonObject{"multiscatterColorFactor": []any{0.5, 0.5, 0.5}}}})
	edit := Edit{"/materials/0/extensions/KHR_materials_volume_scatter/multiscatterColor", []float64{0.25, 0, 0.5}}
	s, err := load(t.Context(), packed(t, b.glb(), Edits{edit}), noFiles, Options{Scene: -1, Animated: true})
	if err != nil || !slices.Equal(valueOf(t, s.Editable, edit.Pointer, nil), edit.Value) {
		t.Errorf("%v, %v", s, err)
	}
}

// Without edits everything is as it was: the chunk to the byte, chunks and members that glint does not know, and how numbers are written.
// An edit changes what it names, and says which extension it needs.
func TestSavedFilesKeepTheRest(t *testing.T) {
	b := movable()
	b.doc["asset"].(jsonObject)["extras"] = jsonObject{"exact": json.Number("1.00000000000000000001"), "html": "<a & b>"}
	b.doc["extensions"] = jsonObject{"VENDOR_secret": []any{1, jsonObject{"buffer": 7}}}
	b.extension("VENDOR_secret")
	b.doc["materials"].([]any)[0].(jsonObject)["extensions"] = jsonObject{"VENDOR_more": nil}
	data := b.glb()
	data = binary.LittleEndian.AppendUint32(data, 4)
	data = append(data, "MOREabcd"...)
	binary.LittleEndian.PutUint32(data[8:], uint32(len(data)))
	want, before := tree(t, data)
	same := packed(t, data, nil)
	got, after := tree(t, same)
	if !reflect.DeepEqual(got, want) || !bytes.Equal(before.bin, after.bin) || string(after.others[4:]) != "MOREabcd" || binary.LittleEndian.Uint32(same[8:]) != uint32(len(same)) {
		t.Errorf("saved without edits: %v, want %v; after the chunk comes %q", got, want, after.others)
	}
	got, after = tree(t, packed(t, data, Edits{
		{"/materials/0/extensions/KHR_materials_ior/ior", []float64{1.25}}, {"/nodes/1/extensions/KHR_node_visibility/visible", []float64{1}}, {"/nodes/2/scale", []float64{1, 2, 3}},
	}))
	put(want["materials"].([]any)[0].(jsonObject), "extensions/KHR_materials_ior/ior", json.Number("1.25"))
	put(want["nodes"].([]any)[1].(jsonObject), "extensions/KHR_node_visibility/visible", true)
	node := want["nodes"].([]any)[2].(jsonObject)
	delete(node, "matrix")
	put(node, "scale", []any{json.Number("1"), json.Number("2"), json.Number("3")})
	put(node, "translation", []any{json.Number("5"), json.Number("6"), json.Number("7")})
	node["rotation"] = got["nodes"].([]any)[2].(jsonObject)["rotation"]
	want["extensionsUsed"] = append(want["extensionsUsed"].([]any), "KHR_materials_ior")
	if !reflect.DeepEqual(got, want) || !bytes.Equal(before.bin, after.bin) {
		t.Errorf("saved with edits: %v, want %v", got, want)
	}
	if turn := fmt.Sprint(node["rotation"]); !strings.HasPrefix(turn, "[0 0.7071067811865") {
		t.Errorf("turned by %s", turn)
	}
}

// The files of a .gltf are packed, byte for byte: buffers, images once each, and what is written in the JSON itself. What is missing stays
// outside, and is said.
func TestSavedFilesStandAlone(t *testing.T) {
	b := newBuilder()
	picture := encodePNG(image.NewNRGBA(image.Rect(0, 0, 2, 2)))
	b.mesh(b.triangle(jsonObject{"pbrMetallicRoughness": jsonObject{"baseColorTexture": jsonObject{"index": 0}, "metallicRoughnessTexture": jsonObject{"index": 1}},
		"emissiveTexture": jsonObject{"index": 2}, "normalTexture": jsonObject{"index": 3}}))
	for i, uri := range []string{"a%20b.png", "a%20b.png", "data:image/png;base64," + base64.StdEncoding.EncodeToString(picture), "gone.png"} {
		b.add("images", jsonObject{"uri": uri})
		b.add("textures", jsonObject{"source": i})
	}
	index := b.add("bufferViews", jsonObject{"buffer": 1, "byteLength": 3})
	b.add("accessors", jsonObject{"componentType": u8, "type": "SCALAR", "count": 3, "bufferView": index})
	b.doc["meshes"].([]any)[0].(jsonObject)["primitives"].([]any)[0].(jsonObject)["indices"] = len(b.doc["accessors"].([]any)) - 1
	b.doc["buffers"] = []any{jsonObject{"uri": "points.bin", "byteLength": b.bin.Len()}, jsonObject{"uri": "data:,%02%01%00", "byteLength": 3}}
	text, err := json.Marshal(b.doc)
	if err != nil {
		t.Fatal(err)
	}
	dir, away := t.TempDir(), t.TempDir()
	for name, data := range map[string][]byte{"scene.gltf": text, "points.bin": b.bin.Bytes(), "a b.png": picture} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var out bytes.Buffer
	notes, err := WriteEdited(t.Context(), &out, filepath.Join(dir, "scene.gltf"), nil, nil)
	if err != nil || len(notes) != 1 || !strings.Contains(notes[0], "image 3 stays outside") {
		t.Fatal(notes, err)
	}
	path := filepath.Join(away, "scene.glb")
	if err := os.WriteFile(path, out.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	want, got := loadFileAt(t, filepath.Join(dir, "scene.gltf")), loadFileAt(t, path)
	want.Name, got.Name, want.Images[2].Name = "", "", "" // a data URI is no name for what is no data URI any more
	if !got.Same(want) || len(got.Images) != 3 || got.Vertices[0].Position != (mgl32.Vec3{0, 1, 0}) {
		t.Errorf("it is another scene: %+v, want %+v", got, want)
	}
	root, c := tree(t, out.Bytes())
	if views := root["bufferViews"].([]any); len(root["buffers"].([]any)) != 1 || len(views) != index+1+2 || bytes.Count(c.bin, picture) != 2 {
		t.Errorf("views %v; the picture is there %d times", views, bytes.Count(c.bin, picture))
	}
}

func loadFileAt(t *testing.T, path string) *Scene {
	t.Helper()
	s, err := Load(t.Context(), path, Options{Scene: -1, Animated: true})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// All models are the same once they have been saved: drawn from what is one file now, with every property; and edited, with that edit.
func TestSaveSharedScenes(t *testing.T) {
	dir := sharedScenes(t)
	saved := 0
	for _, m := range readModels(t, dir) {
		before, err := Load(t.Context(), filepath.Join(dir, m.path), Options{Scene: -1, Animated: true})
		if err != nil {
			continue
		}
		saved++
		t.Run(m.path, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "saved.glb")
			properties := allProperties(before.Editable)
			changed := properties[saved*7%len(properties)]
			edit := another(changed)
			for _, row := range [][2]Edits{{}, {{edit}, hiding(changed, edit)}} {
				edits, shown := row[0], row[1]
				var out bytes.Buffer
				notes, err := WriteEdited(t.Context(), &out, filepath.Join(dir, m.path), edits, nil)
				if err != nil || len(notes) > 0 {
					t.Fatal(notes, err)
				}
				if edits != nil && out.Len() > 1<<20 {
					continue // the same in more time
				}
				if err := os.WriteFile(path, out.Bytes(), 0o644); err != nil {
					t.Fatal(err)
				}
				after, err := Load(t.Context(), path, Options{Scene: -1, Animated: true, Edits: shown})
				if err != nil {
					t.Fatal(err)
				}
				checkSaved(t, after.Editable, before.Editable, edits)
				if after.Name = before.Name; edits == nil && !after.Same(before) {
					t.Error("it is another scene")
				}
				if len(after.Report.Files) != 1 {
					t.Errorf("it names %v", after.Report.Files[1:])
				}
			}
		})
	}
	if saved < 70 {
		t.Errorf("only %d models", saved)
	}
}
