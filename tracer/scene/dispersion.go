package scene

import "github.com/qmuntal/gltf"

// readDispersion reads KHR_materials_dispersion: how much farther blue light is refracted than red.
func readDispersion(_ *textureReader, ext gltf.Extensions, name string, m *materialSource) error {
	v := struct{ Dispersion float64 }{}
	err := decodeExtension(ext, name, &v)
	m.Dispersion = max(0, finite32(v.Dispersion))
	return err
}

func writeDispersion(m *Material, _ TextureInfo) map[string]any {
	if m.Dispersion == 0 {
		return nil
	}
	return map[string]any{"dispersion": m.Dispersion}
}

func dispersionFeatures(m *Material) Feature { return FeatureDispersion.when(m.disperses()) }
