package scene

import "github.com/qmuntal/gltf"

func readIridescence(t *textureReader, ext gltf.Extensions, name string, m *materialSource) error {
	v := struct {
		IridescenceFactor           float64
		IridescenceTexture          *gltf.TextureInfo
		IridescenceIor              float64
		IridescenceThicknessMinimum float64
		IridescenceThicknessMaximum float64
		IridescenceThicknessTexture *gltf.TextureInfo
	}{IridescenceIor: defaultFilmIOR, IridescenceThicknessMinimum: defaultThinnest, IridescenceThicknessMaximum: defaultThickest}
	err := decodeExtension(ext, name, &v)
	m.Iridescence = Iridescence{Factor: unit32(v.IridescenceFactor), IOR: finite32(v.IridescenceIor),
		Minimum: filmThickness(v.IridescenceThicknessMinimum), Maximum: filmThickness(v.IridescenceThicknessMaximum)}
	return orElse(err, t.read(&m.Material, textureUse{TextureIridescence, v.IridescenceTexture, false}, textureUse{TextureIridescenceThickness, v.IridescenceThicknessTexture, false}))
}

func writeIridescence(m *Material, texture TextureInfo) map[string]any {
	f := m.Iridescence
	if f.Factor <= 0 {
		return nil
	}
	film := map[string]any{"iridescenceFactor": f.Factor, "iridescenceIor": f.IOR,
		"iridescenceThicknessMinimum": f.Minimum, "iridescenceThicknessMaximum": f.Maximum}
	putTexture(film, "iridescenceTexture", texture(m.Textures[TextureIridescence]))
	putTexture(film, "iridescenceThicknessTexture", texture(m.Textures[TextureIridescenceThickness]))
	return film
}

func iridescenceFeatures(m *Material) Feature {
	return FeatureIridescence.when(m.Iridescence.Factor > 0)
}
