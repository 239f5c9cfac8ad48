package scene

import (
	"github.com/go-gl/mathgl/mgl32"
	"github.com/qmuntal/gltf"
)

// Translucency lets light through that scatters on its way, as leaves and paper do (KHR_materials_diffuse_transmission).
type Translucency struct {
	Factor float32    // 0…1: share of the diffuse base that light passes through; 0 for none
	Color  mgl32.Vec3 // linear, of what passes
}

func readTranslucency(t *textureReader, ext gltf.Extensions, name string, m *materialSource) error {
	v := struct {
		DiffuseTransmissionFactor       float64
		DiffuseTransmissionTexture      *gltf.TextureInfo
		DiffuseTransmissionColorFactor  [3]float64
		DiffuseTransmissionColorTexture *gltf.TextureInfo
	}{DiffuseTransmissionColorFactor: [3]float64{1, 1, 1}}
	err := decodeExtension(ext, name, &v)
	m.Translucency = Translucency{Factor: unit32(v.DiffuseTransmissionFactor), Color: unitColor(v.DiffuseTransmissionColorFactor)}
	return orElse(err, t.read(&m.Material, textureUse{TextureDiffuseTransmission, v.DiffuseTransmissionTexture, false}, textureUse{TextureDiffuseTransmissionColor, v.DiffuseTransmissionColorTexture, true}))
}

func writeTranslucency(m *Material, texture TextureInfo) map[string]any {
	if m.Translucency.Factor <= 0 {
		return nil
	}
	through := map[string]any{"diffuseTransmissionFactor": m.Translucency.Factor, "diffuseTransmissionColorFactor": m.Translucency.Color}
	putTexture(through, "diffuseTransmissionTexture", texture(m.Textures[TextureDiffuseTransmission]))
	putTexture(through, "diffuseTransmissionColorTexture", texture(m.Textures[TextureDiffuseTransmissionColor]))
	return through
}

func translucencyFeatures(m *Material) Feature {
	return FeatureTranslucent.when(m.Translucency.Factor > 0)
}
