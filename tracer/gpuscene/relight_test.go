package gpuscene_test

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"glint/tracer/device"
	"glint/tracer/gpuscene"
	"glint/tracer/scene"
)

// flickering is a scene whose nodes rest: a floor that changes its colour and becomes glass, a lamp that is dark at first, one that
// never changes, and a light. Unless animated it is at rest in the pose of a time, s.
func flickering(t *testing.T, animated bool, seconds float64) *scene.Scene {
	t.Helper()
	type object = map[string]any
	const text = `{"asset":{"version":"2.0"},"scenes":[{"nodes":[0,1,2,3]}],
		"nodes":[{"mesh":0},{"mesh":1,"translation":[0,2,0]},{"mesh":2,"translation":[3,2,0]},{"translation":[0,1,0],"extensions":{"KHR_lights_punctual":{"light":0}}}],
		"meshes":[{"primitives":[{"attributes":{"POSITION":0},"material":0}]},{"primitives":[{"attributes":{"POSITION":0},"material":1}]},
			{"primitives":[{"attributes":{"POSITION":0},"material":2}]}],
		"materials":[{},{"doubleSided":true},{"emissiveFactor":[1,1,1]}]}`
	var doc object
	if err := json.Unmarshal([]byte(text), &doc); err != nil {
		t.Fatal(err)
	}
	numbers := []float32{-1, 0, 1, 1, 0, 1, 0, 0, -1, 0, 2} // a triangle, and times
	views, accessors := []any{}, []any{}
	add := func(shape string, first, count, size int) int {
		views = append(views, object{"buffer": 0, "byteOffset": 4 * first, "byteLength": 4 * count * size})
		accessors = append(accessors, object{"bufferView": len(views) - 1, "componentType": 5126, "type": shape, "count": count})
		return len(accessors) - 1
	}
	add("VEC3", 0, 3, 3)
	times := add("SCALAR", 9, 2, 1)
	materials := doc["materials"].([]any)
	floor, lamp := materials[0].(object), materials[1].(object)
	light := object{"type": "point", "intensity": 0}
	var channels, samplers []any
	at := float32(seconds / 2)
	set := func(to object, name, pointer string, last ...float32) {
		now := make([]any, len(last))
		for i := range last {
			now[i] = at * last[i]
		}
		if to[name] = any(now); len(last) == 1 {
			to[name] = now[0]
		}
		first := len(numbers)
		numbers = append(append(numbers, make([]float32, len(last))...), last...)
		output := add(map[int]string{1: "SCALAR", 3: "VEC3", 4: "VEC4"}[len(last)], first, 2, len(last))
		channels = append(channels, object{"sampler": len(samplers), "target": object{"path": "pointer", "extensions": object{"KHR_animation_pointer": object{"pointer": pointer + name}}}})
		samplers = append(samplers, object{"input": times, "output": output})
	}
	metal, glass := object{"metallicFactor": 0}, object{}
	floor["pbrMetallicRoughness"], floor["extensions"] = metal, object{"KHR_materials_transmission": glass}
	set(metal, "baseColorFactor", "/materials/0/pbrMetallicRoughness/", 0.5, 0.75, 1, 1)
	set(glass, "transmissionFactor", "/materials/0/extensions/KHR_materials_transmission/", 0.5)
	set(lamp, "emissiveFactor", "/materials/1/", 1, 0.5, 0.25)
	set(light, "intensity", "/extensions/KHR_lights_punctual/lights/0/", 8)
	if animated {
		doc["animations"] = []any{object{"channels": channels, "samplers": samplers}}
	}
	doc["extensions"] = object{"KHR_lights_punctual": object{"lights": []any{light}}}
	doc["extensionsUsed"] = []any{"KHR_animation_pointer", "KHR_lights_punctual", "KHR_materials_transmission"}
	var data []byte
	for _, x := range numbers {
		data, _ = binary.Append(data, binary.LittleEndian, x)
	}
	doc["bufferViews"], doc["accessors"] = views, accessors
	doc["buffers"] = []any{object{"byteLength": len(data), "uri": "data:application/octet-stream;base64," + base64.StdEncoding.EncodeToString(data)}}
	out, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "flickering.gltf")
	if err := os.WriteFile(path, out, 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := scene.Load(t.Context(), path, scene.Options{Scene: -1, Animated: animated})
	if err != nil || len(s.Report.Notes) > 0 {
		t.Fatal(err, s.Report.Notes)
	}
	return s
}

func uploaded(t *testing.T, d device.Device, s *scene.Scene) *gpuscene.Scene {
	t.Helper()
	p, err := gpuscene.Prepare(t.Context(), s, gpuscene.Options{Environment: &gpuscene.Environment{}})
	if err != nil {
		t.Fatal(err)
	}
	out, err := gpuscene.Upload(d, p, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { out.Free(d) })
	return out
}

// What kernels read of materials, lights and their chances in a pose is, to the bit, what they read of a file at rest in that pose,
// whatever was before; and they have the code for it.
func TestPosesRelight(t *testing.T) {
	d := device.NewCPU("")
	moving := flickering(t, true, 0)
	posed := uploaded(t, d, moving)
	var before gpuscene.Lit
	for _, at := range []float64{2, 0.5, 1, 0.5} {
		if err := posed.Pose(d, moving.Motion.Pose(0, at)); err != nil {
			t.Fatal(err)
		}
		got, err := gpuscene.LitBy(posed, d)
		if err != nil {
			t.Fatal(err)
		}
		want, err := gpuscene.LitBy(uploaded(t, d, flickering(t, false, at)), d)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got.Materials, want.Materials) {
			t.Errorf("%v s: materials %+v, want %+v", at, got.Materials, want.Materials)
		}
		if !slices.Equal(got.Lights, want.Lights) || !slices.Equal(got.Alias, want.Alias) {
			t.Errorf("%v s: lights %+v by %v, want %+v by %v", at, got.Lights, got.Alias, want.Lights, want.Alias)
		}
		if lacks := got.Missing &^ want.Missing; lacks != 0 {
			t.Errorf("%v s: kernels lack %d", at, lacks)
		}
		if slices.Equal(got.Lights, before.Lights) {
			t.Errorf("%v s: the lights are those of the pose before", at)
		}
		before = got
	}
}
