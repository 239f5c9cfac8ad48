package scene

import "github.com/qmuntal/gltf"

// Iridescence is a thin film over a surface, whose colour changes with the angle (KHR_materials_iridescence).
type Iridescence struct {
	Factor  float32 // 0…1: how much of the surface it covers; 0 for none
	IOR     float32 // of the film
	Minimum float32 // thickness where its texture is 0, nm
	Maximum float32 // where it is 1, or there is none, nm
}

const (
	defaultFilmIOR  = 1.3
	defaultThinnest = 100 // nm
	defaultThickest = 400
	thickestFilm    = 1e5 // beyond that no colours are left
)

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
