package scene

import "github.com/qmuntal/gltf"

func readTransmission(t *textureReader, ext gltf.Extensions, name string, m *materialSource) error {
	v := struct {
		TransmissionFactor  float64
		TransmissionTexture *gltf.TextureInfo
	}{}
	err := decodeExtension(ext, name, &v)
	m.Transmission = unit32(v.TransmissionFactor)
	return orElse(err, t.read(&m.Material, textureUse{TextureTransmission, v.TransmissionTexture, false}))
}

func writeTransmission(m *Material, texture TextureInfo) map[string]any {
	if m.Transmission <= 0 {
		return nil
	}
	transmission := map[string]any{"transmissionFactor": m.Transmission}
	putTexture(transmission, "transmissionTexture", texture(m.Textures[TextureTransmission]))
	return transmission
}

const transmissionFeature = FeatureGlass | FeatureThin | FeaturePanes

// transmissionFeatures: glass is solid where KHR_materials_volume gives it a thickness.
func transmissionFeatures(m *Material) Feature {
	switch {
	case m.Transmission <= 0:
		return 0
	case m.IsStraight():
		return FeatureGlass | FeatureThin | FeaturePanes // within another volume it is glass
	case m.Thickness > 0:
		return FeatureGlass
	case m.IsPane():
		return FeatureThin | FeaturePanes
	}
	return FeatureThin
}
