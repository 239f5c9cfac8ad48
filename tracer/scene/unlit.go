package scene

import "github.com/qmuntal/gltf"

func readUnlit(_ *textureReader, _ gltf.Extensions, _ string, m *materialSource) error {
	m.Unlit = true
	return nil
}

func writeUnlit(m *Material, _ TextureInfo) map[string]any {
	if !m.Unlit {
		return nil
	}
	return map[string]any{}
}

func unlitFeatures(m *Material) Feature { return FeatureUnlit.when(m.Unlit) }

func readEmissiveStrength(_ *textureReader, ext gltf.Extensions, name string, m *materialSource) error {
	v := struct{ EmissiveStrength float64 }{1}
	err := decodeExtension(ext, name, &v)
	m.emissiveStrength = v.EmissiveStrength
	return err
}

func writeEmissiveStrength(m *Material, _ TextureInfo) map[string]any {
	if m.EmissiveStrength() == 1 {
		return nil
	}
	return map[string]any{"emissiveStrength": m.EmissiveStrength()}
}
