package scene

import "github.com/qmuntal/gltf"

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
