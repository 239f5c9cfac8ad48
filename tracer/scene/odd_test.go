package scene

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"image"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// oddScene has every kind of object of the schema table, and one triangle that uses none of the rest.
func oddScene() *builder {
	b := changing(plainMaterial(false))
	b.extension(materialVariants, gpuInstancing, "KHR_node_visibility", "EXT_texture_webp", imageLights)
	material := b.doc["materials"].([]any)[0].(jsonObject)
	material["pbrMetallicRoughness"].(jsonObject)["roughnessFactor"] = 0.5
	texture := b.image(encodePNG(image.NewNRGBA(image.Rect(0, 0, 2, 2))))
	sampler := b.add("samplers", jsonObject{"magFilter": 9729, "minFilter": 9729, "wrapS": 10497, "wrapT": 33071})
	put(b.doc["textures"].([]any)[texture].(jsonObject), "sampler", sampler)
	put(b.doc["textures"].([]any)[texture].(jsonObject), "extensions/EXT_texture_webp/source", 0)
	b.doc["extensions"].(jsonObject)[materialVariants] = jsonObject{"variants": []any{jsonObject{"name": "red"}}}
	b.doc["extensions"].(jsonObject)[imageLights] = jsonObject{"lights": []any{jsonObject{"intensity": 2, "rotation": []any{0, 0, 0, 1}, "specularImages": []any{[]any{0, 0, 0, 0, 0, 0}}}}}
	p := b.triangle(nil)
	attributes := p["attributes"].(jsonObject)
	attributes["NORMAL"] = b.accessor(f32, "VEC3", 3, []float32{0, 0, 1, 0, 0, 1, 0, 0, 1})
	attributes["TEXCOORD_0"] = b.accessor(f32, "VEC2", 3, make([]float32, 6))
	attributes["COLOR_0"] = b.accessor(f32, "VEC4", 3, make([]float32, 12))
	attributes["JOINTS_0"] = b.accessor(u8, "VEC4", 3, make([]uint8, 12))
	attributes["WEIGHTS_0"] = b.accessor(f32, "VEC4", 3, []float32{1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0})
	sparse := b.add("accessors", jsonObject{"componentType": f32, "type": "VEC3", "count": 3, "max": []any{1, 1, 1}, "sparse": jsonObject{"count": 1,
		"indices": jsonObject{"bufferView": b.view([]uint16{1}), "componentType": u16}, "values": jsonObject{"bufferView": b.view([]float32{0, 0, 1})}}})
	p["indices"] = b.accessor(u16, "SCALAR", 3, []uint16{0, 1, 2})
	p["targets"] = []any{jsonObject{"POSITION": sparse}}
	p["mode"], p["material"] = 4, 0
	p["extensions"] = jsonObject{materialVariants: jsonObject{"mappings": []any{jsonObject{"material": 0, "variants": []any{0}}}}}
	node := b.mesh(p)
	b.doc["meshes"].([]any)[node["mesh"].(int)].(jsonObject)["weights"] = []any{0.5}
	node["skin"] = b.add("skins", jsonObject{"joints": []any{0}, "inverseBindMatrices": b.accessor(f32, "MAT4", 1, []float32{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1})})
	node["name"], node["weights"] = "odd", []any{0.5}
	node["translation"], node["rotation"], node["scale"] = []any{0, 1, 0}, []any{0, 0, 0, 1}, []any{1, 1, 1}
	node["extensions"] = jsonObject{"KHR_node_visibility": jsonObject{"visible": true},
		gpuInstancing: jsonObject{"attributes": jsonObject{"TRANSLATION": b.accessor(f32, "VEC3", 2, make([]float32, 6))}}}
	b.add("nodes", jsonObject{"matrix": []any{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}, "children": []any{3}})
	b.animates("/materials/0/emissiveFactor", "LINEAR", make([]float32, 3), make([]float32, 3))
	b.mesh(b.triangle(nil))
	scene := b.doc["scenes"].([]any)[0].(jsonObject)
	scene["nodes"], scene["name"] = []any{0, 1, 2, 4, 5}, "main"
	scene["extensions"] = jsonObject{imageLights: jsonObject{"light": 0}}
	b.doc["scene"] = 0
	return b
}

// oddPlace is a value of a document, by its path.
type oddPlace struct {
	slot
	path string
}

// places lists every value with its path.
func places(v any, path string, out []oddPlace) []oddPlace {
	switch v := v.(type) {
	case jsonObject:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			at := join(path, key)
			out = places(v[key], at, append(out, oddPlace{slot{object: v, key: key}, at}))
		}
	case []any:
		for i := range v {
			at := fmt.Sprintf("%s[%d]", path, i)
			out = places(v[i], at, append(out, oddPlace{slot{list: v, index: i}, at}))
		}
	}
	return out
}

// needed are the properties without which the plain triangle of oddScene cannot be drawn.
var needed = regexp.MustCompile(`^(nodes|meshes|accessors|bufferViews|buffers|scenes)$|^buffers\[0\]$|^nodes\[5\]|^scenes|^scene$`)

// TestOddValues: whatever stands in the place of any value, the triangles that do not need it are drawn, and the report names the place.
func TestOddValues(t *testing.T) {
	text, bin := parsedSeed(t, oddScene())
	load := func(root any) (*Scene, error) {
		t.Helper()
		changed, err := json.Marshal(root)
		if err != nil {
			t.Fatal(err)
		}
		return load(context.Background(), packGLB(changed, bin), noFiles, Options{Scene: -1, Memory: fuzzMemory(), Animated: true})
	}
	read := func() (root any) {
		numbers := json.NewDecoder(bytes.NewReader(text))
		numbers.UseNumber()
		if err := numbers.Decode(&root); err != nil {
			t.Fatal(err)
		}
		return root
	}
	sound, err := load(read())
	if err != nil {
		t.Fatal(err)
	}
	checkSound(t, sound)
	last, seen := regexp.MustCompile(`\[\d+\]$`), map[string]bool{}
	for i, at := range places(read(), "", nil) {
		alike := last.ReplaceAllString(at.path, "")
		transform := strings.Contains(at.path, "KHR_texture_transform") && !strings.Contains(at.path, "baseColorTexture")
		if transform || strings.HasPrefix(at.path, "asset") || strings.HasPrefix(at.path, "extensionsUsed") || alike != at.path && seen[alike] {
			continue
		}
		seen[alike] = true
		for _, odd := range []any{nil, "x", "NaN", json.Number("1e999"), []any{}, jsonObject{}, -1, 1e9, 9.5} {
			root := read()
			at := places(root, "", nil)[i]
			at.set(odd)
			s, err := load(root)
			if err != nil {
				if !needed.MatchString(at.path) || !strings.Contains(err.Error(), "nothing of it can be drawn") {
					t.Errorf("%s = %v: %v", at.path, odd, err)
				}
				continue
			}
			checkSound(t, s)
			checkPoses(t, s)
			_, text := odd.(string)
			_, number := odd.(float64)
			_, object := odd.(jsonObject)
			canBeMeant := number || object || odd == -1 || text && at.key == "name"
			if !canBeMeant && slices.Equal(notes(s), notes(sound)) {
				t.Errorf("%s = %v: no warning", at.path, odd)
			}
		}
	}
}

// notes are the lines of a report.
func notes(s *Scene) (out []string) {
	for _, n := range s.Report.Notes {
		out = append(out, n.String())
	}
	return out
}

// TestOddValuesAreSaid: values that a reader could pass over, or that no picture shows, are lines of the report, too.
func TestOddValuesAreSaid(t *testing.T) {
	camera := func(kind string, of jsonObject) func(b *builder) {
		return func(b *builder) { b.doc["cameras"] = []any{jsonObject{"type": kind, kind: of}} }
	}
	set := func(path string, value any) func(b *builder) {
		return func(b *builder) { put(b.doc, path, value) }
	}
	of := func(array string, i int, key string, value any) func(b *builder) {
		return func(b *builder) { b.doc[array].([]any)[i].(jsonObject)[key] = value }
	}
	for _, row := range []struct {
		want   string
		change func(b *builder)
	}{
		{"bufferViews[1].byteStride: 0: read as if it were not there", of("bufferViews", 1, "byteStride", 0)},
		{"bufferViews[1].byteStride: 13 is no multiple of 4 up to 252", of("bufferViews", 1, "byteStride", 13)},
		{"bufferViews[1].byteStride: 256 is no multiple", of("bufferViews", 1, "byteStride", 256)},
		{"accessors[0].byteOffset: 1 is no multiple of the 4 bytes", of("accessors", 0, "byteOffset", 1)},
		{"accessors[0].normalized: only integers of 8 and 16 bits", of("accessors", 0, "normalized", true)},
		{"accessors[0].max: has 1 numbers, a VEC3 has 3", of("accessors", 0, "max", []any{1})},
		{"perspective.zfar: 1 is not above znear, 2", camera("perspective", jsonObject{"yfov": 1, "znear": 2, "zfar": 1})},
		{"perspective.znear: 0 is not above 0", camera("perspective", jsonObject{"yfov": 1, "znear": 0})},
		{"perspective.aspectRatio: 0 is not above 0", camera("perspective", jsonObject{"yfov": 1, "znear": 1, "aspectRatio": 0})},
		{"orthographic.zfar: 1 is not above znear, 3", camera("orthographic", jsonObject{"xmag": 1, "ymag": 1, "znear": 3, "zfar": 1})},
		{"orthographic.xmag: is 0", camera("orthographic", jsonObject{"xmag": 0, "ymag": 1, "znear": 0, "zfar": 1})},
		{"orthographic.ymag: -1 is negative: 1 is used", camera("orthographic", jsonObject{"xmag": 1, "ymag": -1, "znear": 0, "zfar": 1})},
		{"materials[0].emissiveFactor: 2 is above 1: used as it is", of("materials", 0, "emissiveFactor", []any{2, 0, 0})},
		{"baseColorFactor: 3 is above 1: used as it is", of("materials", 0, "pbrMetallicRoughness", jsonObject{"baseColorFactor": []any{1, 3, 1, 1}})},
		{"meshes[0].weights: 3 weights for 0 morph targets", of("meshes", 0, "weights", []any{1, 2, 3})},
		{"nodes[3].weights: 2 weights for 1 morph targets", of("nodes", 3, "weights", []any{1, 2})},
		{"nodes[4].skin: the node has no mesh", of("nodes", 4, "skin", 0)},
		{"nodes[4].weights: the node has no mesh", of("nodes", 4, "weights", []any{1})},
		{"images[0].uri: the image has a bufferView, too", of("images", 0, "uri", "a.png")},
		{"extensionsRequired: \"KHR_mesh_quantization\" is not listed in extensionsUsed", set("extensionsRequired", []any{"KHR_mesh_quantization"})},
		{"lights[0].spot: the light is point: ignored", set("extensions/KHR_lights_punctual/lights", []any{jsonObject{"type": "point", "spot": jsonObject{}}})},
		{"lights[0].color: 5 is above 1", set("extensions/KHR_lights_punctual/lights", []any{jsonObject{"type": "point", "color": []any{5, 1, 1}}})},
	} {
		b := oddScene()
		row.change(b)
		text, bin := parsedSeed(t, b)
		s, err := load(context.Background(), packGLB(text, bin), noFiles, Options{Scene: -1, Memory: fuzzMemory(), Animated: true})
		if err != nil {
			t.Errorf("%s: %v", row.want, err)
		} else if !slices.ContainsFunc(notes(s), func(n string) bool { return strings.Contains(n, row.want) }) {
			t.Errorf("%s: not said in\n%s", row.want, strings.Join(notes(s), "\n"))
		}
	}
}
