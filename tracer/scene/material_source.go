package scene

import "github.com/qmuntal/gltf/ext/texturetransform"

// materialSource is a material as its file says it: what is one number of Material and two of the file is apart, since clips change
// each by itself.
type materialSource struct {
	Material         // whose Emission is emissiveFactor
	emissiveStrength float64
	opensVolume      bool // KHR_materials_volume_scatter is there
	// transforms are what those of Textures are made of, where clips change the material; nil for none.
	transforms [TextureUses]*texturetransform.TextureTranform
}

// materialBytes is about what a material takes.
const materialBytes = 2048

// material puts together what is drawn.
func (s *materialSource) material() Material {
	m := s.Material
	for i := range m.Emission {
		m.Emission[i] = finite32(float64(m.Emission[i]) * s.emissiveStrength)
	}
	if s.opensVolume {
		openVolume(&m)
	}
	return m
}

// openVolume lets light into a volume that KHR_materials_diffuse_transmission opens. The surface stays as clear as its roughness
// says: where light scatters inside one hardly sees the difference, as KHR_materials_volume_scatter notes.
func openVolume(m *Material) {
	if m.Transmission == 0 {
		m.Transmission, m.Translucency.Factor = m.Translucency.Factor, 0
	}
}

// transform changes the transform of a texture.
func (s *materialSource) transform(use TextureUse, change func(t *texturetransform.TextureTranform)) {
	t := s.transformOf(use)
	change(&t)
	s.transforms[use], s.Textures[use].Transform = &t, uvTransform(&t)
}

// transformOf is the transform of a texture.
func (s *materialSource) transformOf(use TextureUse) texturetransform.TextureTranform {
	if said := s.transforms[use]; said != nil {
		return *said
	}
	return texturetransform.TextureTranform{Scale: texturetransform.DefaultScale}
}

// filmThickness bounds the thickness of a film, nm.
func filmThickness(nm float64) float32 { return float32(max(0, min(nm, thickestFilm))) }

// index32 is an index of refraction: 0 asks for full reflection, and none is below that of vacuum.
func index32(v float64) float32 {
	if v == 0 {
		return mirrorIOR
	}
	return least1(v)
}

// plainReflectance is that of the default index at normal incidence.
const plainReflectance = (defaultIOR - 1) * (defaultIOR - 1) / ((defaultIOR + 1) * (defaultIOR + 1))

// reflected is the colour of a dielectric's reflection that reflects so much at normal incidence. It may exceed white.
func reflected(v float64) float32 { return unit32(v) * (1 / plainReflectance) }

func least1(v float64) float32 { return finite32(max(1, v)) }

func signed32(v float64) float32 { return float32(max(-1, min(1, v))) }

// reflects is what reflected is of.
func reflects(color float32) float32 { return color * plainReflectance }

// dull is the roughness of what is so glossy.
func dull(glossiness float64) float32 { return 1 - unit32(glossiness) }

// glossy is what dull is of.
func glossy(roughness float32) float32 { return 1 - roughness }
