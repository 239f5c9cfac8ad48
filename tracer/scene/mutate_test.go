package scene

import (
	"context"
	"encoding/json"
	"image/color"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"
	"unicode"

	"glint/tracer/scene/draco"
)

// mutator changes the JSON of a sound glTF file as bytes tell it: random bytes alone hardly ever get past the JSON.
type mutator struct {
	code []byte
	root any
}

// next is a number below n.
func (m *mutator) next(n int) int {
	if len(m.code) == 0 || n <= 1 {
		return 0
	}
	v := int(m.code[0])
	m.code = m.code[1:]
	if n > 256 && len(m.code) > 0 {
		v = v<<8 | int(m.code[0])
		m.code = m.code[1:]
	}
	return v % n
}

// slot is where a value stands.
type slot struct {
	object jsonObject
	list   []any
	key    string
	index  int
}

func (s slot) get() any {
	if s.object != nil {
		return s.object[s.key]
	}
	return s.list[s.index]
}

func (s slot) set(v any) {
	if s.object != nil {
		s.object[s.key] = v
	} else {
		s.list[s.index] = v
	}
}

// slots lists every value below v, in an order that depends on the values alone.
func slots(v any, out []slot) []slot {
	switch v := v.(type) {
	case jsonObject:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			out = slots(v[key], append(out, slot{object: v, key: key}))
		}
	case []any:
		for i := range v {
			out = slots(v[i], append(out, slot{list: v, index: i}))
		}
	}
	return out
}

func oddNumbers() []any {
	return []any{0, 1, 2, 3, 4, 5, 6, 7, 99, -1, -12, 0.5, 255, 256, 65535, 65536, 1 << 20, 1<<31 - 1, 1 << 31, 1<<32 - 1, 1 << 32,
		1 << 53, -(1 << 53), 1e15, 1e38, 3.5e38, -1e308, 1e308, 5e-324, math.Pi, 5120, 5121, 5122, 5123, 5125, 5126, 33071, 34962}
}

func oddValues() []any {
	return []any{nil, true, false, "", "data:,", "data:;base64,AAAA", "DATA:;BASE64,AAAA", "../x", "\x1b[31m", "SCALAR", "VEC2", "VEC3", "VEC4", "MAT4",
		"MASK", "BLEND", "image/png", "2.0", "KHR_lights_punctual", []any{}, []any{0}, []any{0, 0, 0}, []any{1e308, 1e308, 1e308},
		jsonObject{}, jsonObject{"index": 0}, jsonObject{"count": 1, "indices": jsonObject{"bufferView": 0, "componentType": 5121}, "values": jsonObject{"bufferView": 0}}}
}

// words are names that the schema and the extensions know.
func words() []string {
	found := map[string]bool{"extensions": true, "extras": true}
	for _, rules := range schemaTable {
		for _, r := range rules {
			found[r.name] = true
		}
	}
	for _, row := range extensionTable {
		found[row.name] = true
	}
	for _, row := range materialExtensions {
		found[row.name] = true
	}
	for name := range attributeTable {
		found[name] = true
	}
	for _, name := range []string{"JOINTS_0", "WEIGHTS_0", "JOINTS_1", "WEIGHTS_1", "attributes", "TRANSLATION", "ROTATION", "SCALE", "visible", "source",
		"lights", "light", "spot", "innerConeAngle", "outerConeAngle", "color", "intensity", "range", "offset", "rotation", "scale", "texCoord",
		"filter", "fallback", "pointer", "translation", "weights", "LINEAR", "STEP", "CUBICSPLINE", "ATTRIBUTES", "TRIANGLES", "INDICES"} {
		found[name] = true
	}
	return slices.Sorted(maps.Keys(found))
}

// step makes one change.
func (m *mutator) step() {
	all := slots(m.root, nil)
	if len(all) == 0 {
		return
	}
	at := all[m.next(len(all))]
	switch m.next(10) {
	case 0, 1: // another number
		if list, isList := at.get().([]any); isList && len(list) > 0 {
			at = slot{list: list, index: m.next(len(list))}
		}
		at.set(oddNumbers()[m.next(len(oddNumbers()))])
	case 2: // another type
		at.set(copyOf(oddValues()[m.next(len(oddValues()))]))
	case 3: // left out
		if at.object != nil {
			delete(at.object, at.key)
		} else {
			at.set(nil)
		}
	case 4: // another case
		if at.object != nil {
			key := []rune(at.key)
			i := m.next(len(key))
			if unicode.IsUpper(key[i]) {
				key[i] = unicode.ToLower(key[i])
			} else {
				key[i] = unicode.ToUpper(key[i])
			}
			at.object[string(key)] = copyOf(at.object[at.key])
			if m.next(2) == 0 {
				delete(at.object, at.key)
			}
		}
	case 5: // the value of another place
		at.set(copyOf(all[m.next(len(all))].get()))
	case 6: // more of them
		if list, isList := at.get().([]any); isList && len(list) > 0 && len(list) < 300 {
			for range m.next(4) * m.next(20) {
				list = append(list, copyOf(list[m.next(len(list))]))
			}
			at.set(list)
		}
	case 7: // a property that may or may not belong there
		if object, isObject := at.get().(jsonObject); isObject {
			names := words()
			object[names[m.next(len(names))]] = copyOf(all[m.next(len(all))].get())
		}
	case 8: // an extension
		if object, isObject := at.get().(jsonObject); isObject {
			names := words()
			extensions, _ := object["extensions"].(jsonObject)
			if extensions == nil {
				extensions = jsonObject{}
				object["extensions"] = extensions
			}
			extensions[names[m.next(len(names))]] = jsonObject{names[m.next(len(names))]: copyOf(all[m.next(len(all))].get()),
				names[m.next(len(names))]: oddNumbers()[m.next(len(oddNumbers()))]}
		}
	case 9: // a reference to something else
		if _, isNumber := at.get().(float64); isNumber {
			at.set(m.next(8))
		}
	}
}

func copyOf(v any) any {
	switch v := v.(type) {
	case jsonObject:
		out := jsonObject{}
		for key, value := range v {
			out[key] = copyOf(value)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = copyOf(v[i])
		}
		return out
	}
	return v
}

// instancedScene is one whose mesh repeats, by nodes and by EXT_mesh_gpu_instancing.
func instancedScene() *builder {
	b := repeated()
	b.extension(gpuInstancing, "EXT_texture_webp", "KHR_node_visibility")
	offsets := b.accessor(f32, "VEC3", 2, []float32{0, 0, 0, 3, 0, 0})
	turns := b.accessor(i8, "VEC4", 2, []int8{0, 0, 0, 127, 0, 127, 0, 0})
	b.add("nodes", jsonObject{"mesh": 0, "extensions": jsonObject{
		gpuInstancing:         jsonObject{"attributes": jsonObject{"TRANSLATION": offsets, "ROTATION": turns}},
		"KHR_node_visibility": jsonObject{"visible": true},
	}})
	texture := b.image(encodeJPEG(flat(8, color.White)))
	b.add("materials", jsonObject{"name": "lamp", "emissiveFactor": []any{1, 1, 1}, "emissiveTexture": jsonObject{"index": texture}})
	return b
}

// parsedSeed is a scene's JSON with its binary chunk.
func parsedSeed(t testing.TB, b *builder) (text, bin []byte) {
	t.Helper()
	c, err := openContainer(b.glb(), newWarnings())
	if err != nil {
		t.Fatal(err)
	}
	return c.json, c.bin
}

// FuzzStructure loads sound files whose keys, types, counts, references and extensions were changed.
func FuzzStructure(f *testing.F) {
	type seed struct{ text, bin []byte }
	var seeds []seed
	scenes := []*builder{richScene(), instancedScene(), movingScene(), compressedScene(meshoptNames[1])}
	if draco.Available {
		scenes = append(scenes, dracoScene(f))
	}
	for _, b := range scenes {
		text, bin := parsedSeed(f, b)
		seeds = append(seeds, seed{text, bin})
	}
	for i := range 40 { // so that even `go test` makes some of each change
		code := []byte{byte(i)}
		for k := range 3 * i {
			code = append(code, byte(k*k*7+i*31), byte(k*13+i))
		}
		f.Add(code)
	}
	f.Fuzz(func(t *testing.T, code []byte) {
		m := &mutator{code: code}
		s := seeds[m.next(len(seeds))]
		if err := json.Unmarshal(s.text, &m.root); err != nil {
			t.Fatal(err)
		}
		for step := 0; len(m.code) > 0 && step < 24; step++ {
			m.step()
		}
		text, err := json.Marshal(m.root)
		if err != nil {
			t.Skip("no JSON can say this: ", err)
		}
		for _, how := range []Instancing{InstanceNever, InstanceAlways} {
			memory := fuzzMemory()
			loaded, err := load(context.Background(), packGLB(text, s.bin), noFiles, Options{Scene: -1, Instancing: how, Memory: memory, Animated: true})
			if (loaded == nil) == (err == nil) {
				t.Fatalf("want either a scene or an error, got %v and %v", loaded, err)
			}
			if err == nil {
				checkSound(t, loaded)
				checkPoses(t, loaded)
				for _, note := range loaded.Report.Notes {
					checkPrintable(t, note.String())
				}
			} else {
				checkPrintable(t, err.Error())
			}
			if left := memory.Left(); left < 0 || left > 96<<20 {
				t.Fatalf("%d bytes left of %d", left, 96<<20)
			}
		}
	})
}

// checkPrintable fails on what would forge lines or reach a terminal.
func checkPrintable(t testing.TB, lines ...string) {
	t.Helper()
	for _, line := range lines {
		if strings.ContainsFunc(line, func(r rune) bool { return !unicode.IsPrint(r) }) {
			t.Fatalf("a message holds %q", line)
		}
	}
}

// TestMutatorGetsPastTheSchema: most of what it makes is judged by more than the JSON.
func TestMutatorGetsPastTheSchema(t *testing.T) {
	text, bin := parsedSeed(t, richScene())
	loaded := 0
	for i := range 400 {
		m := &mutator{code: []byte{byte(i * 37), byte(i * 101), byte(i), byte(i * 13)}} // a change
		if err := json.Unmarshal(text, &m.root); err != nil {
			t.Fatal(err)
		}
		for len(m.code) > 0 {
			m.step()
		}
		changed, err := json.Marshal(m.root)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := load(context.Background(), packGLB(changed, bin), noFiles, Options{Scene: -1, Memory: fuzzMemory()}); err == nil {
			loaded++
		}
	}
	if loaded < 100 || loaded > 390 {
		t.Errorf("%d of 400 load", loaded)
	}
}

// FuzzURI: no URI reads outside the folder, whatever it says.
func FuzzURI(f *testing.F) {
	for _, uri := range []string{"plain.bin", "sub\\deep.bin", "../outside.bin", "%2e%2e/outside.bin", "out.bin", "x/../../outside.bin", "/etc/passwd",
		"file:///etc/passwd", "data:;base64,AAAA", "DATA:text/plain;BASE64,AA", "data:,%zz", "C:\\x", "\\\\host\\share", "a\x00b", ".", ""} {
		f.Add(uri)
	}
	f.Fuzz(func(t *testing.T, uri string) {
		r := newResources(&job{warn: newWarnings()}, func(name string) ([]byte, error) {
			if strings.HasPrefix(name, "/") || name == ".." || strings.HasPrefix(name, "../") || strings.ContainsRune(name, 0) {
				t.Fatalf("%q asks for %q", uri, name)
			}
			return []byte(name), nil
		}, 0)
		if data, err := r.resolve(uri); err != nil {
			checkPrintable(t, err.Error())
		} else if isDataURI(uri) && len(data) > len(uri) {
			t.Fatalf("%d bytes of a URI of %d", len(data), len(uri))
		}
	})
}
