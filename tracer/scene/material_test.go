package scene

import (
	"image"
	"math"
	"reflect"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/qmuntal/gltf"
)

func TestMaterialFactors(t *testing.T) {
	b := newBuilder()
	b.extension("KHR_materials_emissive_strength", "KHR_materials_ior", "KHR_materials_specular",
		"KHR_materials_transmission", "KHR_materials_volume", "KHR_materials_volume_scatter", "KHR_materials_unlit")
	b.mesh(b.triangle(jsonObject{
		"name": "all",
		"pbrMetallicRoughness": jsonObject{
			"baseColorFactor": []any{0.1, 0.2, 0.3, 0.4}, "metallicFactor": 0.5, "roughnessFactor": 0.6,
		},
		"emissiveFactor": []any{1, 0.5, 0}, "alphaMode": "BLEND", "alphaCutoff": 0.7, "doubleSided": true,
		"extensions": jsonObject{
			"KHR_materials_emissive_strength": jsonObject{"emissiveStrength": 20},
			"KHR_materials_ior":               jsonObject{"ior": 1.33},
			"KHR_materials_specular":          jsonObject{"specularFactor": 0.8, "specularColorFactor": []any{2, 1, 0}},
			"KHR_materials_transmission":      jsonObject{"transmissionFactor": 0.9},
			"KHR_materials_volume": jsonObject{
				"thicknessFactor": 2, "attenuationDistance": 3, "attenuationColor": []any{0.5, 0.6, 0.7},
			},
			"KHR_materials_volume_scatter": jsonObject{"multiscatterColor": []any{0.1, 0.5, 1}, "scatterAnisotropy": -0.25},
			"KHR_materials_unlit":          jsonObject{},
		},
	}))
	got := b.load(t).Materials[0]
	want := NewMaterial("all")
	want.BaseColor, want.Metallic, want.Roughness = mgl32.Vec4{0.1, 0.2, 0.3, 0.4}, 0.5, 0.6
	want.Emission, want.AlphaMode, want.AlphaCutoff = mgl32.Vec3{20, 10, 0}, AlphaBlend, 0.7
	want.DoubleSided, want.Unlit, want.IOR = true, true, 1.33
	want.Specular, want.SpecularColor, want.Transmission = 0.8, mgl32.Vec3{2, 1, 0}, 0.9
	want.Thickness, want.AttenuationDistance, want.AttenuationColor = 2, 3, mgl32.Vec3{0.5, 0.6, 0.7}
	want.MultiscatterColor, want.ScatterAnisotropy = mgl32.Vec3{0.1, 0.5, 1}, -0.25
	if got != want {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

func TestDefaultMaterial(t *testing.T) {
	b := newBuilder()
	b.mesh(b.triangle(nil))
	b.mesh(b.triangle(jsonObject{}))
	s := b.load(t)
	if len(s.Materials) != 2 || s.Materials[0] != NewMaterial("default") || s.Materials[1] != NewMaterial("") {
		t.Errorf("%+v", s.Materials)
	}
}

func TestUnusedMaterialsStayOut(t *testing.T) {
	b := newBuilder()
	texture := b.image([]byte("not a picture"))
	b.add("materials", jsonObject{"emissiveTexture": jsonObject{"index": texture}})
	b.mesh(b.triangle(jsonObject{"name": "used"}))
	s := b.load(t)
	if len(s.Materials) != 1 || s.Materials[0].Name != "used" || len(s.Images) != 0 {
		t.Errorf("%d materials, %d images", len(s.Materials), len(s.Images))
	}
}

func TestBadMaterials(t *testing.T) {
	tests := []struct {
		name     string
		material jsonObject
		word     string
	}{
		{"texture", jsonObject{"emissiveTexture": jsonObject{"index": 4}}, "out of range"},
		{"no index", jsonObject{"normalTexture": jsonObject{}}, "normalTexture: index is missing: left out"},
		{"factor", jsonObject{"emissiveFactor": []any{1}}, "emissiveFactor: must have 3 numbers, has 1"},
		{"roughness", jsonObject{"pbrMetallicRoughness": jsonObject{"roughnessFactor": 2}}, "materials[0].pbrMetallicRoughness.roughnessFactor: 2 is above 1: 1 is used"},
		{"ior", jsonObject{"extensions": jsonObject{"KHR_materials_ior": jsonObject{"ior": 0.5}}}, "ior: 0.5 is below 1: 1 is used"},
		{"ior type", jsonObject{"extensions": jsonObject{"KHR_materials_ior": jsonObject{"ior": "x"}}}, `KHR_materials_ior.ior: "x" is no number: left out`},
		{"distance", jsonObject{"extensions": jsonObject{
			"KHR_materials_volume": jsonObject{"attenuationDistance": 0}}}, "attenuationDistance: 0 is not above 0: read as if it were not there"},
		{"scatter colour", scatter(jsonObject{"multiscatterColor": []any{0.5, 1.5, 0}}), "multiscatterColor[1]: 1.5 is above 1: 1 is used"},
		{"scatter colours", scatter(jsonObject{"multiscatterColor": []any{0.5, -1, 0}}), "multiscatterColor[1]: -1 is below 0"},
		{"scatter type", scatter(jsonObject{"multiscatterColor": 0.5}), "multiscatterColor: must be an array of 3 numbers, is 0.5"},
		{"anisotropy", scatter(jsonObject{"scatterAnisotropy": -1.01}), "scatterAnisotropy: -1.01 is below -1"},
		{"extension texture", jsonObject{"extensions": jsonObject{
			"KHR_materials_transmission": jsonObject{"transmissionTexture": jsonObject{"index": -1}}}}, "transmissionTexture: index: -1"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			b := newBuilder()
			b.mesh(b.triangle(test.material))
			b.degrades(t, test.word)
		})
	}
}

// textured adds a triangle with both texture coordinate sets.
func (b *builder) textured(material jsonObject) {
	p := b.triangle(material)
	uv := b.accessor(f32, "VEC2", 3, []float32{0, 1, 1, 1, 0, 0})
	p["attributes"].(jsonObject)["TEXCOORD_0"] = uv
	p["attributes"].(jsonObject)["TEXCOORD_1"] = uv
	b.mesh(p)
}

func TestTextureReferences(t *testing.T) {
	b := newBuilder()
	b.extension("KHR_texture_transform")
	texture := b.image(encodePNG(image.NewNRGBA(image.Rect(0, 0, 4, 2))))
	b.doc["textures"].([]any)[texture].(jsonObject)["sampler"] = b.add("samplers", jsonObject{
		"wrapS": 33071, "wrapT": 33648, "magFilter": 9728,
	})
	b.textured(jsonObject{
		"pbrMetallicRoughness": jsonObject{
			"baseColorTexture":         jsonObject{"index": texture, "texCoord": 1},
			"metallicRoughnessTexture": jsonObject{"index": texture},
		},
		"emissiveTexture": jsonObject{"index": texture, "extensions": jsonObject{"KHR_texture_transform": jsonObject{
			"offset": []any{0.5, 0.25}, "rotation": math.Pi / 2, "scale": []any{2, 3}, "texCoord": 1,
		}}},
		"normalTexture":    jsonObject{"index": texture, "texCoord": 2},
		"occlusionTexture": jsonObject{"index": texture},
	})
	s := b.load(t)
	m := s.Materials[0]
	if len(s.Images) != 2 || !s.Images[0].SRGB || s.Images[1].SRGB || &s.Images[0].Pixels[0] != &s.Images[1].Pixels[0] {
		t.Fatalf("want one sRGB and one linear image that share their pixels: %d images", len(s.Images))
	}
	if want := (Texture{Image: 0, WrapS: WrapClamp, WrapT: WrapMirror, Nearest: true}); s.Textures[0] != want {
		t.Errorf("texture %+v, want %+v", s.Textures[0], want)
	}
	checkTransformed(t, m)
	if r := m.Textures[TextureBaseColor]; r.UVSet != 1 || r.Texture != 0 || r.Transform != IdentityTransform {
		t.Errorf("base colour %+v", r)
	}
	if r := m.Textures[TextureMetallicRoughness]; r.UVSet != 0 || r.Texture != 1 {
		t.Errorf("metallic-roughness %+v", r)
	}
	if m.Textures[TextureNormal].Texture != -1 {
		t.Errorf("a third set of coordinates is used: %+v", m.Textures[TextureNormal])
	}
	warns(t, s, "TEXCOORD_2")
	warns(t, s, "occlusion")
}

func checkTransformed(t *testing.T, m Material) {
	t.Helper()
	// A quarter turn: u' = 3v + 0.5, v' = −2u + 0.25.
	r := m.Textures[TextureEmissive]
	if want := (UVTransform{0, 3, 0.5, -2, 0, 0.25}); r.UVSet != 1 || !near(r.Transform[:], want[:], 1e-6) {
		t.Errorf("emissive %+v, want %v", r, want)
	}
}

func TestImagesThatFailAreLeftOut(t *testing.T) {
	b := newBuilder()
	bad := b.image([]byte("not a picture"))
	gone := b.add("textures", jsonObject{"source": b.add("images", jsonObject{"uri": "gone.png", "name": "gone"})})
	good := b.image(encodePNG(image.NewNRGBA(image.Rect(0, 0, 1, 1))))
	empty := b.add("textures", jsonObject{})
	b.textured(jsonObject{
		"pbrMetallicRoughness": jsonObject{
			"baseColorTexture":         jsonObject{"index": bad},
			"metallicRoughnessTexture": jsonObject{"index": good},
		},
		"emissiveTexture": jsonObject{"index": gone},
		"normalTexture":   jsonObject{"index": empty},
	})
	s := b.load(t)
	m := s.Materials[0]
	if len(s.Images) != 1 || len(s.Textures) != 1 || m.Textures[TextureMetallicRoughness].Texture != 0 {
		t.Errorf("%d images, %d textures, good one at %d", len(s.Images), len(s.Textures), m.Textures[TextureMetallicRoughness].Texture)
	}
	if m.Textures[TextureBaseColor].Texture != -1 || m.Textures[TextureEmissive].Texture != -1 || m.Textures[TextureNormal].Texture != -1 {
		t.Errorf("broken textures are still used: %+v", m)
	}
	warns(t, s, "image 0: the image cannot be read")
	warns(t, s, `image 1 "gone"`)
	warns(t, s, "has no image")
}

func TestExtensions(t *testing.T) {
	b := newBuilder()
	b.extension("KHR_materials_clearcoat", "KHR_materials_volume", "KHR_materials_ior", "ACME_unheard_of")
	b.add("extensionsRequired", "KHR_materials_ior")
	s := b.load(t)
	want := []ExtensionReport{
		{"ACME_unheard_of", false, Ignored, "unknown", nil},
		{"KHR_materials_clearcoat", false, Approximated, "the coat does not dim what glows under it", nil},
		{"KHR_materials_ior", true, Supported, "", nil},
		{"KHR_materials_volume", false, Approximated, "the thickness texture is not read: real geometry is traced", nil},
	}
	if len(s.Report.Extensions) != len(want) {
		t.Fatalf("%+v", s.Report.Extensions)
	}
	for i, got := range s.Report.Extensions {
		if !reflect.DeepEqual(got, want[i]) {
			t.Errorf("got %+v, want %+v", got, want[i])
		}
	}
	b.add("extensionsRequired", "ACME_unheard_of")
	b.fails(t, "requires the extension ACME_unheard_of")
}

func TestExtensionTableIsSorted(t *testing.T) {
	for i := 1; i < len(extensionTable); i++ {
		if extensionTable[i-1].name >= extensionTable[i].name {
			t.Errorf("%s stands before %s", extensionTable[i-1].name, extensionTable[i].name)
		}
	}
}

// A row of materialExtensions is whole: what is read is written, and what needs code of its own says which.
func TestMaterialExtensionTableIsWhole(t *testing.T) {
	seen := map[string]bool{}
	for _, row := range extensionTable {
		seen[row.name] = true
	}
	for _, row := range materialExtensions {
		if seen[row.name] {
			t.Errorf("%s stands in the tables twice", row.name)
		}
		seen[row.name] = true
		for _, p := range row.properties {
			if whole := p.form == nil || schemaTable[row.name] != nil; p.of == nil && p.form == nil || p.of != nil && p.use != 0 || !whole {
				t.Errorf("%s: property %s has no form, or is number and texture", row.name, p.name)
			}
		}
		if row.has == nil || row.feature == 0 && row.needs != nil {
			t.Errorf("%s: feature %d, asked for %v, never written: %v", row.name, row.feature, row.needs != nil, row.has == nil)
		}
	}
}

// A plain material needs nothing, and no file must say anything of it.
func TestPlainMaterialNeedsNoExtension(t *testing.T) {
	m := NewMaterial("plain")
	if e := m.Extensions(func(TextureRef) *gltf.TextureInfo { return nil }); len(e) > 0 || m.Features() != 0 {
		t.Errorf("extensions %v, features %d", e, m.Features())
	}
	m.Transmission, m.Textures[TextureSpecular].Texture = 0.5, 0
	if want := FeatureThin | FeatureSpecular | FeatureTextures<<TextureSpecular; m.Features() != want {
		t.Errorf("features %d, want %d", m.Features(), want)
	}
}
