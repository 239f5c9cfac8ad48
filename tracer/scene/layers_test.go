package scene

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/qmuntal/gltf"
)

// layered is a material with all layers.
func layered() jsonObject {
	return jsonObject{
		"KHR_materials_clearcoat":  jsonObject{"clearcoatFactor": 0.5, "clearcoatRoughnessFactor": 0.25},
		"KHR_materials_sheen":      jsonObject{"sheenColorFactor": []any{0.25, 0.5, 0.75}, "sheenRoughnessFactor": 0.5},
		"KHR_materials_anisotropy": jsonObject{"anisotropyStrength": 0.5, "anisotropyRotation": 0.25},
		"KHR_materials_iridescence": jsonObject{"iridescenceFactor": 0.5, "iridescenceIor": 1.5,
			"iridescenceThicknessMinimum": 200, "iridescenceThicknessMaximum": 500},
		"KHR_materials_diffuse_transmission": jsonObject{"diffuseTransmissionFactor": 0.25,
			"diffuseTransmissionColorFactor": []any{1, 0.5, 0.25}},
		"KHR_materials_transmission": jsonObject{"transmissionFactor": 0.5},
		"KHR_materials_volume":       jsonObject{"thicknessFactor": 1},
		"KHR_materials_dispersion":   jsonObject{"dispersion": 2},
	}
}

func TestLayersAreReadAndWritten(t *testing.T) {
	b := newBuilder()
	b.mesh(b.triangle(jsonObject{"extensions": layered()}))
	read := b.load(t).Materials[0]
	want := NewMaterial("")
	want.Clearcoat = Clearcoat{0.5, 0.25, 1}
	want.Sheen = Sheen{mgl32.Vec3{0.25, 0.5, 0.75}, 0.5}
	want.Anisotropy = Anisotropy{0.5, 0.25}
	want.Iridescence = Iridescence{0.5, 1.5, 200, 500}
	want.Translucency = Translucency{0.25, mgl32.Vec3{1, 0.5, 0.25}}
	want.Transmission, want.Thickness, want.Dispersion = 0.5, 1, 2
	if read != want {
		t.Errorf("read %+v\nwant %+v", read, want)
	}
	need := FeatureClearcoat | FeatureSheen | FeatureAnisotropy | FeatureIridescence | FeatureTranslucent | FeatureDispersion
	if got := read.Features(); got&need != need {
		t.Errorf("features %b lack some of %b", got, need)
	}
	text, err := json.Marshal(read.Extensions(func(TextureRef) *gltf.TextureInfo { return nil }))
	if err != nil {
		t.Fatal(err)
	}
	var again jsonObject
	if err := json.Unmarshal(text, &again); err != nil {
		t.Fatal(err)
	}
	b = newBuilder()
	b.mesh(b.triangle(jsonObject{"extensions": again}))
	if got := b.load(t).Materials[0]; got != want {
		t.Errorf("written and read again %+v\nwant %+v", got, want)
	}
}

// Glossiness is a dielectric with a coloured reflection, whatever else the file says of metal.
func TestGlossiness(t *testing.T) {
	b := newBuilder()
	b.mesh(b.triangle(jsonObject{
		"pbrMetallicRoughness": jsonObject{"metallicFactor": 1, "baseColorFactor": []any{0, 0, 0, 1}},
		"extensions": jsonObject{"KHR_materials_pbrSpecularGlossiness": jsonObject{
			"diffuseFactor": []any{0.5, 0.25, 0.125, 1}, "specularFactor": []any{0.5, 0.04, 0}, "glossinessFactor": 0.75}},
	}))
	m := b.load(t).Materials[0]
	if m.Metallic != 0 || m.Roughness != 0.25 || m.BaseColor != (mgl32.Vec4{0.5, 0.25, 0.125, 1}) || m.Glossy {
		t.Errorf("%+v", m)
	}
	for c, want := range []float64{0.5, 0.04, 0} {
		if got := float64(m.SpecularColor[c]) * plainReflectance; math.Abs(got-want) > 1e-6 {
			t.Errorf("channel %d reflects %g at normal incidence, want %g", c, got, want)
		}
	}
}

// What no layer can be is a limit, never a number that kernels cannot stand.
func TestLayersBeyondTheirRange(t *testing.T) {
	b := newBuilder()
	b.mesh(b.triangle(jsonObject{"extensions": jsonObject{
		"KHR_materials_clearcoat":   jsonObject{"clearcoatFactor": 1e300, "clearcoatRoughnessFactor": -4},
		"KHR_materials_sheen":       jsonObject{"sheenColorFactor": []any{-1, 7, 1e39}, "sheenRoughnessFactor": 3},
		"KHR_materials_anisotropy":  jsonObject{"anisotropyStrength": -2, "anisotropyRotation": 1e300},
		"KHR_materials_iridescence": jsonObject{"iridescenceThicknessMinimum": -5, "iridescenceThicknessMaximum": 1e200},
		"KHR_materials_dispersion":  jsonObject{"dispersion": -1},
	}}))
	m := b.load(t).Materials[0]
	if m.Clearcoat != (Clearcoat{1, 0, 1}) || m.Sheen != (Sheen{mgl32.Vec3{0, 1, 1}, 1}) || m.Dispersion != 0 ||
		m.Anisotropy.Strength != 0 || math.IsInf(float64(m.Anisotropy.Rotation), 0) || m.Iridescence.Minimum != 0 || m.Iridescence.Maximum != thickestFilm {
		t.Errorf("%+v", m)
	}
	b = newBuilder()
	b.mesh(b.triangle(jsonObject{"extensions": jsonObject{"KHR_materials_iridescence": jsonObject{"iridescenceIor": 0.2}}}))
	if m := b.degrades(t, "iridescenceIor: 0.2 is below 1: 1 is used").Materials[0]; m.Iridescence.IOR != 1 {
		t.Errorf("%+v", m)
	}
}
