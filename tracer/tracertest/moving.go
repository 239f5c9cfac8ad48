package tracertest

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"glint/tracer/scene"
)

// MovingSeconds is the length of the animation of Moving.
const MovingSeconds = 2

// Moving is a scene in which everything moves that glTF can move: a box that turns and shifts, a strip bent by a joint, a pyramid
// that morphs, a lamp on a cubic path, a plate that vanishes after 1 s, one that shrinks to nothing at 1.5 s, a camera and a light.
// What they look like changes as well: colours, a lamp that is dark at rest, a board that becomes a pane of glass, the light and
// the camera's lens.
func Moving(t testing.TB) *scene.Scene { return loadMoving(t, -1, true) }

// MovingAt is the same scene at rest in the pose of a time, s. Where things are is worked out here, without key frames.
func MovingAt(t testing.TB, seconds float64) *scene.Scene { return loadMoving(t, seconds, false) }

// MovingFile writes the scene as a .gltf file, and returns its path.
func MovingFile(t testing.TB) string { return writeMoving(t, -1) }

func loadMoving(t testing.TB, seconds float64, animated bool) *scene.Scene {
	t.Helper()
	s, err := scene.Load(context.Background(), writeMoving(t, seconds), scene.Options{Scene: -1, Animated: animated})
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Report.Notes) > 0 && animated {
		t.Fatalf("the moving scene has warnings: %q", s.Report.Notes)
	}
	return s
}

// Turning is a box and a lamp, with fronts alone, that are scaled along x from 1 at the beginning to −1 after 1 s; or at rest, as large
// as that.
func Turning(t testing.TB, scale float64, animated bool) *scene.Scene {
	t.Helper()
	f := &movingFile{}
	size := []any{scale, 1, 1}
	f.node(object{"mesh": f.mesh(boxCorners(), boxFaces(), 0, nil), "translation": []any{0, 0.3, 0}, "scale": size})
	f.node(object{"mesh": f.mesh([]float32{-0.5, 0, -0.5, 0.3, 0, -0.5, 0.3, 0, 0.5, -0.5, 0, 0.5}, []uint16{0, 1, 2, 0, 2, 3}, 1, nil), "translation": []any{0, 1.5, 0}, "scale": size})
	f.node(object{"mesh": f.mesh([]float32{-2, 0, 2, 2, 0, 2, 2, 0, -2, -2, 0, -2}, []uint16{0, 1, 2, 0, 2, 3}, 0, nil)})
	f.node(object{"camera": 0, "translation": []any{0, 1, 3}})
	doc := object{
		"asset": object{"version": "2.0"}, "scene": 0, "scenes": []any{object{"nodes": []any{0, 1, 2, 3}}},
		"materials": []any{
			object{"pbrMetallicRoughness": object{"baseColorFactor": []any{0.6, 0.6, 0.6, 1}, "metallicFactor": 0}},
			object{"emissiveFactor": []any{1, 1, 1}},
		},
		"cameras": []any{object{"type": "perspective", "perspective": object{"yfov": 0.8, "znear": 0.1}}},
	}
	if animated {
		for node := range 2 {
			f.animate(node, "scale", "LINEAR", []float32{0, 1}, []float32{1, 1, 1, -1, 1, 1}, "VEC3", 3)
		}
		doc["animations"] = []any{object{"channels": f.channels, "samplers": f.samples}}
	}
	s, err := scene.Load(context.Background(), f.write(t, doc), scene.Options{Scene: -1, Animated: animated})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

type object = map[string]any

// movingFile is a glTF document under construction, with one buffer.
type movingFile struct {
	data                                               bytes.Buffer
	views, accessors, meshes, nodes, channels, samples []any
}

// add stores numbers as an accessor.
func (f *movingFile) add(shape string, components int, numbers []float32) int {
	least, most := numbers[0], numbers[0]
	for _, x := range numbers {
		least, most = min(least, x), max(most, x)
	}
	f.views = append(f.views, object{"buffer": 0, "byteOffset": f.data.Len(), "byteLength": 4 * len(numbers)})
	_ = binary.Write(&f.data, binary.LittleEndian, numbers)
	a := object{"bufferView": len(f.views) - 1, "componentType": 5126, "type": shape, "count": len(numbers) / components}
	if components == 1 {
		a["min"], a["max"] = []any{least}, []any{most}
	}
	f.accessors = append(f.accessors, a)
	return len(f.accessors) - 1
}

// addIndices stores whole numbers of 16 bits as an accessor.
func (f *movingFile) addIndices(shape string, components int, numbers []uint16) int {
	for f.data.Len()%4 != 0 {
		f.data.WriteByte(0)
	}
	f.views = append(f.views, object{"buffer": 0, "byteOffset": f.data.Len(), "byteLength": 2 * len(numbers)})
	_ = binary.Write(&f.data, binary.LittleEndian, numbers)
	for f.data.Len()%4 != 0 {
		f.data.WriteByte(0)
	}
	f.accessors = append(f.accessors, object{"bufferView": len(f.views) - 1, "componentType": 5123, "type": shape, "count": len(numbers) / components})
	return len(f.accessors) - 1
}

// mesh adds one primitive.
func (f *movingFile) mesh(positions []float32, indices []uint16, material int, more object) int {
	attributes := object{"POSITION": f.add("VEC3", 3, positions)}
	primitive := object{"attributes": attributes, "indices": f.addIndices("SCALAR", 1, indices), "material": material}
	for name, value := range more {
		if name == "targets" {
			primitive[name] = value
		} else {
			attributes[name] = value
		}
	}
	f.meshes = append(f.meshes, object{"primitives": []any{primitive}})
	return len(f.meshes) - 1
}

func (f *movingFile) node(n object) { f.nodes = append(f.nodes, n) }

// animate adds a channel to a node's property.
func (f *movingFile) animate(node int, path, how string, times, values []float32, shape string, components int) {
	f.sample(how, times, values, shape, components)
	target := object{"node": node, "path": path}
	f.channel(target)
}

// animatePointer adds a channel to what a pointer leads to.
func (f *movingFile) animatePointer(pointer, how string, times, values []float32, shape string, components int) {
	f.sample(how, times, values, shape, components)
	f.channel(object{"path": "pointer", "extensions": object{"KHR_animation_pointer": object{"pointer": pointer}}})
}

// sample adds a sampler, and channel what the last one goes to.
func (f *movingFile) sample(how string, times, values []float32, shape string, components int) {
	f.samples = append(f.samples, object{"input": f.add("SCALAR", 1, times), "output": f.add(shape, components, values), "interpolation": how})
}

func (f *movingFile) channel(target object) {
	f.channels = append(f.channels, object{"sampler": len(f.samples) - 1, "target": target})
}

// turn is a rotation about an axis, as glTF has it.
func turn(axis int, angle float64) []float32 {
	q := make([]float32, 4)
	q[axis], q[3] = float32(math.Sin(angle/2)), float32(math.Cos(angle/2))
	return q
}

func wide(v []float32) (out []any) {
	for _, x := range v {
		out = append(out, x)
	}
	return out
}

// writeMoving writes the scene with its animation, or where seconds is not negative without, in the pose of that time.
func writeMoving(t testing.TB, seconds float64) string {
	t.Helper()
	f := &movingFile{}
	at := max(seconds, 0)
	quad := []uint16{0, 1, 2, 0, 2, 3}
	floor := f.mesh([]float32{-4, 0, 4, 4, 0, 4, 4, 0, -4, -4, 0, -4}, quad, 0, nil)
	box := f.mesh(boxCorners(), boxFaces(), 1, nil)
	plate := f.mesh([]float32{-0.3, 0, 0, 0.3, 0, 0, 0.3, 0.6, 0, -0.3, 0.6, 0}, quad, 1, nil)
	lamp := f.mesh([]float32{-0.3, 0, -0.3, 0.3, 0, -0.3, 0.3, 0, 0.3, -0.3, 0, 0.3}, quad, 2, nil)
	pyramid := f.mesh([]float32{-0.4, 0, -0.4, 0.4, 0, -0.4, 0.4, 0, 0.4, -0.4, 0, 0.4, 0, 0.5, 0}, []uint16{0, 4, 1, 1, 4, 2, 2, 4, 3, 3, 4, 0}, 1, object{"targets": []any{
		object{"POSITION": f.add("VEC3", 3, []float32{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0})},
		object{"POSITION": f.add("VEC3", 3, []float32{-0.2, 0, 0, 0.2, 0, 0, 0.2, 0, 0, -0.2, 0, 0, 0, 0, 0})},
	}})
	strip := f.strip()
	board := f.mesh([]float32{-0.4, 0, 0, 0.4, 0, 0, 0.4, 0.8, 0, -0.4, 0.8, 0}, quad, 3, nil)

	weightsAt := []any{at / 2, 1 - at/2}
	f.node(object{"mesh": floor})
	f.node(object{"mesh": box, "translation": []any{at - 1, 0.5, -0.5}, "rotation": wide(turn(1, at*math.Pi/2))})
	f.node(object{"mesh": lamp, "translation": []any{1.2, 1.8 + 0.25*at*at*at - 0.5*at*at, 0}})
	f.node(object{"mesh": pyramid, "translation": []any{-1.5, 0, 1}, "weights": weightsAt})
	f.node(object{"mesh": strip, "skin": 0})
	f.node(object{"translation": []any{1.5, 0, 1}, "children": []any{6}})
	f.node(object{"translation": []any{0, 1, 0}, "rotation": wide(turn(2, at/2))})
	f.node(object{"mesh": plate, "translation": []any{0, 0, 1.5}, "extensions": object{"KHR_node_visibility": object{"visible": at < 1}}})
	scale := 1.0
	if at >= 1.5 {
		scale = 0
	}
	f.node(object{"mesh": box, "translation": []any{-2, 0.3, -1.5}, "scale": []any{scale, scale, scale}})
	f.node(object{"camera": 0, "translation": []any{at / 2, 1.2, 5}})
	f.node(object{"translation": []any{-1 - at, 3, 2}, "extensions": object{"KHR_lights_punctual": object{"light": 0}}})
	f.node(object{"mesh": board, "translation": []any{1, 0, 2}})
	looks := looksAt(at)
	doc := object{
		"asset": object{"version": "2.0"}, "scene": 0, "scenes": []any{object{"nodes": []any{0, 1, 2, 3, 4, 5, 7, 8, 9, 10, 11}}},
		"extensionsUsed": []any{"KHR_lights_punctual", "KHR_node_visibility", "KHR_animation_pointer", "KHR_materials_emissive_strength", "KHR_materials_transmission"},
		"extensions":     object{"KHR_lights_punctual": object{"lights": []any{object{"type": "point", "intensity": looks.intensity, "color": wide(looks.light)}}}},
		"materials": []any{
			object{"pbrMetallicRoughness": object{"baseColorFactor": []any{0.6, 0.6, 0.6, 1}, "metallicFactor": 0}},
			object{"pbrMetallicRoughness": object{"baseColorFactor": wide(looks.color), "metallicFactor": 0}, "doubleSided": true},
			object{"emissiveFactor": []any{1, 1, 1}, "doubleSided": true, "extensions": object{
				"KHR_materials_emissive_strength": object{"emissiveStrength": looks.strength}}},
			object{"pbrMetallicRoughness": object{"metallicFactor": 0, "roughnessFactor": looks.roughness}, "doubleSided": true, "extensions": object{
				"KHR_materials_transmission": object{"transmissionFactor": looks.transmission}}},
		},
		"cameras": []any{object{"type": "perspective", "perspective": object{"yfov": looks.yfov, "znear": 0.1}}},
		"skins":   []any{object{"joints": []any{5, 6}, "inverseBindMatrices": f.inverseBinds()}},
	}
	if seconds < 0 {
		f.animateAll()
		doc["animations"] = []any{object{"name": "everything", "channels": f.channels, "samplers": f.samples}}
	}
	return f.write(t, doc)
}

// write completes a document, and returns the path of its file.
func (f *movingFile) write(t testing.TB, doc object) string {
	t.Helper()
	doc["nodes"], doc["meshes"], doc["accessors"], doc["bufferViews"] = f.nodes, f.meshes, f.accessors, f.views
	doc["buffers"] = []any{object{"byteLength": f.data.Len(), "uri": "data:application/octet-stream;base64," + base64.StdEncoding.EncodeToString(f.data.Bytes())}}
	text, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "moving.gltf")
	if err := os.WriteFile(path, text, 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// looks are what changes of materials, the light and the lens.
type looks struct {
	color, light                                       []float32
	strength, roughness, transmission, intensity, yfov float64
}

// looksAt works them out for a time, s.
func looksAt(at float64) looks {
	l := looks{strength: 2 * at, roughness: 0.3, transmission: at / 2, intensity: 20 + 2*at, yfov: 0.7 + at/16, light: []float32{1, 0.9, 0.8},
		color: []float32{float32(0.8 - 0.2*at), 0.3, float32(0.2 + 0.2*at), 1}}
	if at >= 1 {
		l.roughness, l.light = 0, []float32{0.5, 0.9, 1}
	}
	return l
}

func boxCorners() (out []float32) {
	for i := range 8 {
		for axis := range 3 {
			out = append(out, 0.3*float32(2*(i>>axis&1)-1))
		}
	}
	return out
}

func boxFaces() []uint16 {
	return []uint16{0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5, 0, 1, 5, 0, 5, 4, 2, 6, 7, 2, 7, 3, 0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6}
}

// stripPieces is how many pieces the strip has.
const stripPieces = 64

// strip is a vertical strip, 2 m high, bound to a joint at its foot and one at its middle.
func (f *movingFile) strip() int {
	var positions, weights []float32
	var joints, indices []uint16
	for i := range uint16(stripPieces + 1) {
		share := float32(i) / stripPieces
		positions = append(positions, -0.15, 2*share, 0, 0.15, 2*share, 0)
		joints = append(joints, 0, 1, 0, 0, 0, 1, 0, 0)
		weights = append(weights, 1-share, share, 0, 0, 1-share, share, 0, 0)
		if k := 2 * i; i < stripPieces {
			indices = append(indices, k, k+1, k+3, k, k+3, k+2)
		}
	}
	return f.mesh(positions, indices, 1, object{"JOINTS_0": f.addIndices("VEC4", 4, joints), "WEIGHTS_0": f.add("VEC4", 4, weights)})
}

// inverseBinds take the strip to its joints: the second stands 1 m above the first.
func (f *movingFile) inverseBinds() int {
	return f.add("MAT4", 16, []float32{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -1, 0, 1})
}

// animateAll adds the key frames of what writeMoving works out.
func (f *movingFile) animateAll() {
	ends := []float32{0, MovingSeconds}
	f.animate(1, "translation", "LINEAR", ends, []float32{-1, 0.5, -0.5, 1, 0.5, -0.5}, "VEC3", 3)
	f.animate(1, "rotation", "LINEAR", []float32{0, 1, 2}, append(append(turn(1, 0), turn(1, math.Pi/2)...), turn(1, math.Pi)...), "VEC4", 4)
	f.animate(2, "translation", "CUBICSPLINE", ends, []float32{
		0, 0, 0, 1.2, 1.8, 0, 0, 0, 0, // in-tangent, value, out-tangent
		0, 1, 0, 1.2, 1.8, 0, 0, 0, 0,
	}, "VEC3", 3)
	f.animate(3, "weights", "LINEAR", ends, []float32{0, 1, 1, 0}, "SCALAR", 1)
	f.animate(6, "rotation", "LINEAR", ends, append(turn(2, 0), turn(2, 1)...), "VEC4", 4)
	f.animatePointer("/nodes/7/extensions/KHR_node_visibility/visible", "STEP", []float32{0, 1}, []float32{1, 0}, "SCALAR", 1)
	f.animate(8, "scale", "STEP", []float32{0, 1.5}, []float32{1, 1, 1, 0, 0, 0}, "VEC3", 3)
	f.animate(9, "translation", "LINEAR", ends, []float32{0, 1.2, 5, 1, 1.2, 5}, "VEC3", 3)
	f.animate(10, "translation", "LINEAR", ends, []float32{-1, 3, 2, -3, 3, 2}, "VEC3", 3)
	first, last := looksAt(0), looksAt(MovingSeconds)
	for _, row := range []struct {
		pointer     string
		first, last float64
	}{
		{"/materials/2/extensions/KHR_materials_emissive_strength/emissiveStrength", first.strength, last.strength},
		{"/materials/3/extensions/KHR_materials_transmission/transmissionFactor", first.transmission, last.transmission},
		{"/extensions/KHR_lights_punctual/lights/0/intensity", first.intensity, last.intensity},
		{"/cameras/0/perspective/yfov", first.yfov, last.yfov},
	} {
		f.animatePointer(row.pointer, "LINEAR", ends, []float32{float32(row.first), float32(row.last)}, "SCALAR", 1)
	}
	halves := []float32{0, MovingSeconds / 2}
	f.animatePointer("/materials/3/pbrMetallicRoughness/roughnessFactor", "STEP", halves, []float32{float32(first.roughness), float32(last.roughness)}, "SCALAR", 1)
	f.animatePointer("/materials/1/pbrMetallicRoughness/baseColorFactor", "LINEAR", ends, slices.Concat(first.color, last.color), "VEC4", 4)
	f.animatePointer("/extensions/KHR_lights_punctual/lights/0/color", "STEP", halves, slices.Concat(first.light, last.light), "VEC3", 3)
}
