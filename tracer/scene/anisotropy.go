package scene

import "github.com/qmuntal/gltf"

func readAnisotropy(t *textureReader, ext gltf.Extensions, name string, m *materialSource) error {
	v := struct {
		AnisotropyStrength float64
		AnisotropyRotation float64
		AnisotropyTexture  *gltf.TextureInfo
	}{}
	err := decodeExtension(ext, name, &v)
	m.Anisotropy = Anisotropy{Strength: unit32(v.AnisotropyStrength), Rotation: finite32(v.AnisotropyRotation)}
	return orElse(err, t.read(&m.Material, textureUse{TextureAnisotropy, v.AnisotropyTexture, false}))
}

func writeAnisotropy(m *Material, texture TextureInfo) map[string]any {
	if m.Anisotropy.Strength <= 0 {
		return nil
	}
	anisotropy := map[string]any{"anisotropyStrength": m.Anisotropy.Strength, "anisotropyRotation": m.Anisotropy.Rotation}
	putTexture(anisotropy, "anisotropyTexture", texture(m.Textures[TextureAnisotropy]))
	return anisotropy
}

func anisotropyFeatures(m *Material) Feature {
	return FeatureAnisotropy.when(m.Anisotropy.Strength > 0)
}
