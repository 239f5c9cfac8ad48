package scene

import (
	"image"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// put sets what a path leads to in a JSON object, and makes what is missing on the way.
func put(to jsonObject, path string, v any) {
	names := strings.Split(path, "/")
	for _, name := range names[:len(names)-1] {
		next, there := to[name].(jsonObject)
		if !there {
			next = jsonObject{}
			to[name] = next
		}
		to = next
	}
	to[names[len(names)-1]] = v
}

// plainMaterial has every extension, which does nothing yet, and a texture in every slot, mirrored; glossy one with the older model
// in place of KHR_materials_specular.
func plainMaterial(glossy bool) jsonObject {
	m := jsonObject{"alphaMode": "MASK", "emissiveFactor": []any{0.5, 0, 1}}
	other := map[bool]string{true: "KHR_materials_specular", false: "KHR_materials_pbrSpecularGlossiness"}[glossy]
	for _, row := range materialExtensions {
		if strings.HasPrefix(row.name, "KHR_") && row.name != "KHR_materials_unlit" && row.name != other {
			put(m, "extensions/"+row.name, jsonObject{})
		}
	}
	put(m, "extensions/KHR_materials_volume", jsonObject{"thicknessFactor": 1, "attenuationDistance": 2, "attenuationColor": []any{0.5, 0.5, 0.5}})
	for _, slots := range textureSlots {
		for _, slot := range slots {
			if !strings.Contains(slot, other) {
				put(m, slot+"/index", 0)
				put(m, slot+"/extensions/KHR_texture_transform", jsonObject{"scale": []any{-1, 2}, "offset": []any{0.5, 0.25}})
			}
		}
	}
	return m
}

// changing is a scene of one triangle, a spot light and two cameras, with all that its documents need.
func changing(material jsonObject) *builder {
	b := newBuilder()
	b.extension(animationPointer, "KHR_texture_transform", "KHR_lights_punctual")
	for _, row := range materialExtensions {
		b.extension(row.name)
	}
	b.image(encodePNG(image.NewNRGBA(image.Rect(0, 0, 2, 2))))
	b.mesh(b.triangle(material))
	b.add("cameras", jsonObject{"type": "perspective", "perspective": jsonObject{"yfov": 1, "znear": 0.1}})
	b.add("cameras", jsonObject{"type": "orthographic", "orthographic": jsonObject{"xmag": 1, "ymag": 1, "znear": 0.1, "zfar": 9}})
	put(b.doc, "extensions/KHR_lights_punctual/lights", []any{jsonObject{"type": "spot", "range": 5, "spot": jsonObject{"innerConeAngle": 0.0625, "outerConeAngle": 0.75}}})
	b.add("nodes", jsonObject{"camera": 0, "extensions": jsonObject{"KHR_lights_punctual": jsonObject{"light": 0}}})
	b.add("nodes", jsonObject{"camera": 1})
	b.add("scenes", jsonObject{"nodes": []any{0, 1, 2}})
	return b
}

// animates adds a clip of one second that brings what a pointer leads to from a first to a last value.
func (b *builder) animates(pointer, how string, values ...[]float32) {
	shape := map[int]string{1: "SCALAR", 2: "VEC2", 3: "VEC3", 4: "VEC4"}[len(values[0])]
	input := b.accessor(f32, "SCALAR", 2, []float32{0, 1})
	output := b.accessor(f32, shape, len(values), slices.Concat(values...))
	b.add("animations", jsonObject{
		"channels": []any{jsonObject{"sampler": 0, "target": jsonObject{"path": "pointer", "extensions": jsonObject{animationPointer: jsonObject{"pointer": pointer}}}}},
		"samplers": []any{jsonObject{"input": input, "output": output, "interpolation": how}},
	})
}

func (b *builder) loadAnimated(t *testing.T) *Scene {
	t.Helper()
	s, err := load(t.Context(), b.glb(), noFiles, Options{Scene: -1, Animated: true})
	if err != nil {
		t.Fatal(err)
	}
	checkSound(t, s)
	return s
}

// lookRows are the properties of a kind, and whether a glossy material is needed to see them.
func lookRows(of ...*animated) map[*property]bool {
	rows := map[*property]bool{}
	for i := range properties {
		if p := &properties[i]; slices.Contains(of, p.of) {
			rows[p] = strings.Contains(p.path, "Glossiness")
		}
	}
	return rows
}

func pointerTo(p *property) string {
	at := 0
	if strings.HasPrefix(p.path, "orthographic") {
		at = 1
	}
	return p.of.prefix + strconv.Itoa(at) + "/" + p.path
}

// In a pose each property is, to the bit, that of a file at rest that has the value; and what the scene was prepared for at rest is
// enough for it.
func TestPropertiesAreThoseOfStillFiles(t *testing.T) {
	rows := lookRows(&animatedMaterial, &animatedLight, &animatedCamera)
	if len(rows) < 80 {
		t.Fatalf("only %d properties", len(rows))
	}
	for p, glossy := range rows {
		value := []float32{0.25, 0.5, 0.75, 0.125}[:p.width]
		if strings.HasSuffix(strings.ToLower(p.path), "ior") {
			value = []float32{1.25}
		}
		moving := changing(plainMaterial(glossy))
		moving.animates(pointerTo(p), "LINEAR", make([]float32, p.width), value)
		still := changing(plainMaterial(glossy))
		list := map[*animated]any{&animatedMaterial: still.doc["materials"], &animatedCamera: still.doc["cameras"]}[p.of]
		if p.of == &animatedLight {
			list = still.doc["extensions"].(jsonObject)["KHR_lights_punctual"].(jsonObject)["lights"]
		}
		at := 0
		if strings.HasPrefix(p.path, "orthographic") {
			at = 1
		}
		var v any = value
		if len(value) == 1 {
			v = value[0]
		}
		put(list.([]any)[at].(jsonObject), p.path, v)
		got, want := moving.loadAnimated(t), still.load(t)
		if got.Motion == nil || len(got.Report.Notes) > len(want.Report.Notes) {
			t.Errorf("%s is not played: %q", p.path, got.Report.Notes)
			continue
		}
		pose, rest := got.Motion.Pose(0, 1), got.Motion.Pose(-1, 0)
		if p.of == &animatedMaterial {
			checkMaterial(t, p.path, got, want, pose, rest)
			continue
		}
		if !slices.Equal(pose.Lights, want.Lights) || !maps.Equal(lenses(pose.Cameras), lenses(want.Cameras)) {
			t.Errorf("%s: %+v %+v, want %+v %+v", p.path, pose.Lights, pose.Cameras, want.Lights, want.Cameras)
		}
		if slices.Equal(rest.Lights, want.Lights) && maps.Equal(lenses(rest.Cameras), lenses(want.Cameras)) {
			t.Errorf("%s changes nothing", p.path)
		}
	}
}

func checkMaterial(t *testing.T, path string, got, want *Scene, pose, rest *Pose) {
	t.Helper()
	if pose.Materials[0] != want.Materials[0] {
		t.Errorf("%s: %+v, want %+v", path, pose.Materials[0], want.Materials[0])
	}
	if rest.Materials[0] != got.Materials[0] || rest.Materials[0] == want.Materials[0] {
		t.Errorf("%s: at rest it is %+v", path, rest.Materials[0])
	}
	if lacks := want.Features(0) &^ got.Features(0); lacks != 0 {
		t.Errorf("%s: kernels lack %d", path, lacks)
	}
}

// lenses are cameras by their projections: targets lie elsewhere once a scene has been aimed at.
func lenses(cameras []Camera) map[int][2]float32 {
	out := map[int][2]float32{}
	for i, c := range cameras {
		out[i] = [2]float32{c.VFov, c.Orthographic}
	}
	return out
}

// Whatever numbers a file has, what is drawn stays within the bounds of still files; what is no number is not played.
func TestPropertiesWithinBounds(t *testing.T) {
	inf := float32(math.Inf(1))
	for p, glossy := range lookRows(&animatedMaterial, &animatedLight, &animatedCamera) {
		for _, x := range []float32{-3, -1e15, 1e15, 0, 1e-40, inf, -inf, float32(math.NaN())} {
			b := changing(plainMaterial(glossy))
			values := slices.Repeat([]float32{x}, p.width)
			b.animates(pointerTo(p), "CUBICSPLINE", values, values, values, values, values, values)
			s := b.loadAnimated(t)
			if !(x >= -largest && x <= largest) {
				if warns(t, s, "not finite"); s.Motion != nil {
					t.Errorf("%s of %v is played", p.path, x)
				}
				continue
			}
			checkPoses(t, s)
			checkPose(t, s, s.Motion.Pose(0, 0.5))
			if e := s.Motion.Pose(0, 0.4).Materials; len(e) > 0 && e[0].Emission.Len() > 0 && !s.Glows(0) {
				t.Errorf("%s of %v: it glows, but nobody knows", p.path, x)
			}
		}
	}
}

// A lamp that is dark in every key frame glows between them where slopes say so.
func TestSlopesGlow(t *testing.T) {
	b := changing(jsonObject{})
	dark, up := make([]float32, 3), []float32{0, 2, 0}
	b.animates("/materials/0/emissiveFactor", "CUBICSPLINE", dark, dark, up, dark, dark, dark)
	s := b.loadAnimated(t)
	if e := s.Motion.Pose(0, 0.3).Materials[0].Emission; !(e[1] > 0.2) || !s.Glows(0) || s.brightest(0)[1] < e[1] {
		t.Errorf("it glows with %v, and is known to with %v", e, s.brightest(0))
	}
}

// What cannot be animated is said, with where the pointer leads.
func TestUnknownPropertiesAreReported(t *testing.T) {
	for pointer, words := range map[string]string{
		"/materials/0/doubleSided":                              `"/materials/0/doubleSided" leads to what glint does not animate`,
		"/materials/0/occlusionTexture/strength":                "does not animate",
		"/materials/00/emissiveFactor":                          "does not animate",
		"/cameras/0/perspective/znear":                          `"/cameras/0/perspective/znear" leads to`,
		"/materials/7/emissiveFactor":                           "material 7 does not exist",
		"/extensions/KHR_lights_punctual/lights/1/intensity":    "light 1 does not exist",
		"/materials/0/pbrMetallicRoughness/metallicFactor":      "as KHR_materials_pbrSpecularGlossiness describes it",
		"/meshes/0/weights":                                     "does not animate",
		"/materials/0/extensions/KHR_materials_unlit/strength":  "does not animate",
		"/extensions/KHR_lights_punctual/lights/0/spot/nothing": "does not animate",
	} {
		b := changing(plainMaterial(true))
		b.animates(pointer, "LINEAR", []float32{0}, []float32{1})
		s := b.loadAnimated(t)
		if warns(t, s, words); s.Motion != nil {
			t.Errorf("%s is played", pointer)
		}
	}
}

// checkLooks fails unless materials and lights of a pose are within the bounds of those of files.
func checkLooks(t testing.TB, p *Pose) {
	t.Helper()
	for i := range p.Materials {
		m := &p.Materials[i]
		shares := append(slices.Concat(m.BaseColor[3:], m.Sheen.Color[:], m.Translucency.Color[:], m.AttenuationColor[:], m.MultiscatterColor[:]), m.Metallic, m.Roughness,
			m.Specular, m.Transmission, m.Clearcoat.Factor, m.Clearcoat.Roughness, m.Sheen.Roughness, m.Anisotropy.Strength, m.Iridescence.Factor, m.Translucency.Factor)
		for _, x := range shares {
			if !(x >= 0 && x <= 1) {
				t.Fatalf("material %d: a share is %v: %+v", i, x, m)
			}
		}
		amounts := append(slices.Concat(m.BaseColor[:], m.Emission[:], m.SpecularColor[:]), m.Dispersion, m.Thickness, m.Iridescence.Minimum, m.Iridescence.Maximum, m.IOR-1, m.Iridescence.IOR-1)
		for _, x := range amounts {
			if !(x >= 0 && x <= math.MaxFloat32) {
				t.Fatalf("material %d: an amount is %v: %+v", i, x, m)
			}
		}
		signed := []float32{m.NormalScale, m.AlphaCutoff, m.Clearcoat.NormalScale, m.Anisotropy.Rotation, m.ScatterAnisotropy}
		for _, ref := range m.Textures {
			signed = append(signed, ref.Transform[:]...)
		}
		for _, x := range signed {
			if math.IsNaN(float64(x)) || math.IsInf(float64(x), 0) {
				t.Fatalf("material %d: %v is no number: %+v", i, x, m)
			}
		}
		if !(m.AttenuationDistance > 0) || !(m.ScatterAnisotropy >= -1 && m.ScatterAnisotropy <= 1) {
			t.Fatalf("material %d: %+v", i, m)
		}
	}
	for i, l := range p.Lights {
		for _, x := range append(l.Intensity[:], l.Range, l.InnerCone, l.OuterCone-l.InnerCone) {
			if !(x >= 0 && x <= math.MaxFloat32) {
				t.Fatalf("light %d: %+v", i, l)
			}
		}
		if l.OuterCone > widestCone {
			t.Fatalf("light %d: %+v", i, l)
		}
	}
	for _, c := range p.Cameras {
		if err := c.Check(); err != nil {
			t.Fatal(err)
		}
	}
}
