package scene

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/qmuntal/gltf"
	"github.com/qmuntal/gltf/ext/texturetransform"
)

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

// textureSlots are where materials of files have their textures.
var textureSlots = [TextureUses][]string{
	TextureBaseColor:                {"pbrMetallicRoughness/baseColorTexture", "extensions/KHR_materials_pbrSpecularGlossiness/diffuseTexture"},
	TextureMetallicRoughness:        {"pbrMetallicRoughness/metallicRoughnessTexture"},
	TextureNormal:                   {"normalTexture"},
	TextureEmissive:                 {"emissiveTexture"},
	TextureTransmission:             {"extensions/KHR_materials_transmission/transmissionTexture"},
	TextureSpecular:                 {"extensions/KHR_materials_specular/specularTexture"},
	TextureSpecularColor:            {"extensions/KHR_materials_specular/specularColorTexture", "extensions/KHR_materials_pbrSpecularGlossiness/specularGlossinessTexture"},
	TextureClearcoat:                {"extensions/KHR_materials_clearcoat/clearcoatTexture"},
	TextureClearcoatRoughness:       {"extensions/KHR_materials_clearcoat/clearcoatRoughnessTexture"},
	TextureClearcoatNormal:          {"extensions/KHR_materials_clearcoat/clearcoatNormalTexture"},
	TextureSheenColor:               {"extensions/KHR_materials_sheen/sheenColorTexture"},
	TextureSheenRoughness:           {"extensions/KHR_materials_sheen/sheenRoughnessTexture"},
	TextureAnisotropy:               {"extensions/KHR_materials_anisotropy/anisotropyTexture"},
	TextureIridescence:              {"extensions/KHR_materials_iridescence/iridescenceTexture"},
	TextureIridescenceThickness:     {"extensions/KHR_materials_iridescence/iridescenceThicknessTexture"},
	TextureDiffuseTransmission:      {"extensions/KHR_materials_diffuse_transmission/diffuseTransmissionTexture"},
	TextureDiffuseTransmissionColor: {"extensions/KHR_materials_diffuse_transmission/diffuseTransmissionColorTexture"},
}

// transform changes the transform of a texture.
func (s *materialSource) transform(use TextureUse, change func(t *texturetransform.TextureTranform)) {
	t := texturetransform.TextureTranform{Scale: texturetransform.DefaultScale}
	if said := s.transforms[use]; said != nil {
		t = *said
	}
	change(&t)
	s.transforms[use], s.Textures[use].Transform = &t, uvTransform(&t)
}

// readTransforms finds what the transforms of a material's textures were made of.
func (s *materialSource) readTransforms(src *gltf.Material) error {
	text, err := json.Marshal(src)
	if err != nil {
		return err
	}
	for use, slots := range textureSlots {
		for _, slot := range slots {
			at := json.RawMessage(text)
			for name := range strings.SplitSeq(slot+"/extensions/"+texturetransform.ExtensionName, "/") {
				var fields map[string]json.RawMessage
				if json.Unmarshal(at, &fields) != nil {
					return fmt.Errorf("%s: %s is no object", slot, name)
				}
				if at = fields[name]; at == nil {
					break
				}
			}
			if at == nil {
				continue
			}
			t := texturetransform.TextureTranform{}
			if err := json.Unmarshal(at, &t); err != nil {
				return fmt.Errorf("%s: %w", slot, err)
			}
			s.transforms[use] = &t
		}
	}
	return nil
}

// filmThickness bounds the thickness of a film, nm.
func filmThickness(nm float64) float32 { return float32(max(0, min(nm, thickestFilm))) }

// index32 is an index of refraction: 0 asks for full reflection, and none is below that of vacuum.
func index32(v float64) float32 {
	if v == 0 {
		return mirrorIOR
	}
	return finite32(max(1, v))
}

// plainReflectance is that of the default index at normal incidence.
const plainReflectance = (defaultIOR - 1) * (defaultIOR - 1) / ((defaultIOR + 1) * (defaultIOR + 1))

// reflectanceColor is the colour of a dielectric's reflection that reflects so much at normal incidence. It may exceed white.
func reflectanceColor(v [3]float64) mgl32.Vec3 { return unitColor(v).Mul(1 / plainReflectance) }
