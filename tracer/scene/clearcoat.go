package scene

import "github.com/qmuntal/gltf"

func readClearcoat(t *textureReader, ext gltf.Extensions, name string, m *materialSource) error {
	v := struct {
		ClearcoatFactor           float64
		ClearcoatTexture          *gltf.TextureInfo
		ClearcoatRoughnessFactor  float64
		ClearcoatRoughnessTexture *gltf.TextureInfo
		ClearcoatNormalTexture    *gltf.NormalTexture
	}{}
	err := decodeExtension(ext, name, &v)
	m.Clearcoat.Factor, m.Clearcoat.Roughness = unit32(v.ClearcoatFactor), unit32(v.ClearcoatRoughnessFactor)
	normal, scale := normalInfo(v.ClearcoatNormalTexture)
	m.Clearcoat.NormalScale = scale
	return orElse(err, t.read(&m.Material, textureUse{TextureClearcoat, v.ClearcoatTexture, false},
		textureUse{TextureClearcoatRoughness, v.ClearcoatRoughnessTexture, false}, textureUse{TextureClearcoatNormal, normal, false}))
}

func writeClearcoat(m *Material, texture TextureInfo) map[string]any {
	if m.Clearcoat.Factor <= 0 {
		return nil
	}
	coat := map[string]any{"clearcoatFactor": m.Clearcoat.Factor, "clearcoatRoughnessFactor": m.Clearcoat.Roughness}
	putTexture(coat, "clearcoatTexture", texture(m.Textures[TextureClearcoat]))
	putTexture(coat, "clearcoatRoughnessTexture", texture(m.Textures[TextureClearcoatRoughness]))
	if info := texture(m.Textures[TextureClearcoatNormal]); info != nil {
		coat["clearcoatNormalTexture"] = gltf.NormalTexture{Extensions: info.Extensions, Index: gltf.Index(info.Index),
			TexCoord: info.TexCoord, Scale: gltf.Float(float64(m.Clearcoat.NormalScale))}
	}
	return coat
}

func clearcoatFeatures(m *Material) Feature { return FeatureClearcoat.when(m.Clearcoat.Factor > 0) }
