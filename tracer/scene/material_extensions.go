package scene

import (
	"strings"

	"github.com/qmuntal/gltf"
)

// materialExtension is what glint does with an extension of materials.
type materialExtension struct {
	extensionRow
	// read takes what a file says into a material; nil for an extension that is ignored.
	read func(t *textureReader, ext gltf.Extensions, name string, m *materialSource) error
	// write gives the properties that a file must have for the material to be read as it is, nil where it needs none. The
	// properties are spelled out because the types of the gltf module's ext packages would register themselves with the
	// decoder of every file.
	write func(m *Material, texture TextureInfo) map[string]any
	// feature is what kernels may need because of it, needs which of that they do for one material.
	feature Feature
	needs   func(m *Material) Feature
}

// materialExtensions are the extensions of materials that glint has an answer for, in the order in which they are read.
var materialExtensions = []materialExtension{
	{extensionRow{"GLINT_materials_car_paint", Supported, "", ""}, readCarPaint, writeCarPaint, FeaturePaint, paintFeatures},
	{extensionRow{"KHR_materials_anisotropy", Supported, "", ""}, readAnisotropy, writeAnisotropy, FeatureAnisotropy, anisotropyFeatures},
	{extensionRow{"KHR_materials_clearcoat", Approximated, "the coat does not dim what glows under it", ""}, readClearcoat, writeClearcoat, FeatureClearcoat, clearcoatFeatures},
	{extensionRow{"KHR_materials_diffuse_transmission", Supported, "", ""}, readTranslucency, writeTranslucency, FeatureTranslucent, translucencyFeatures},
	{extensionRow{"KHR_materials_dispersion", Supported, "", ""}, readDispersion, writeDispersion, FeatureDispersion, dispersionFeatures},
	{extensionRow{"KHR_materials_emissive_strength", Supported, "", ""}, readEmissiveStrength, writeEmissiveStrength, 0, nil},
	{extensionRow{"KHR_materials_ior", Supported, "", ""}, readIOR, writeIOR, 0, nil},
	{extensionRow{"KHR_materials_iridescence", Supported, "", ""}, readIridescence, writeIridescence, FeatureIridescence, iridescenceFeatures},
	{extensionRow{"KHR_materials_pbrSpecularGlossiness", Supported, "", ""}, readGlossiness, writeGlossiness, 0, nil},
	{extensionRow{"KHR_materials_sheen", Supported, "", ""}, readSheen, writeSheen, FeatureSheen, sheenFeatures},
	{extensionRow{"KHR_materials_specular", Supported, "", ""}, readSpecular, writeSpecular, FeatureSpecular, specularFeatures},
	{extensionRow{"KHR_materials_transmission", Supported, "", ""}, readTransmission, writeTransmission, transmissionFeature, transmissionFeatures},
	{extensionRow{"KHR_materials_unlit", Supported, "", ""}, readUnlit, writeUnlit, FeatureUnlit, unlitFeatures},
	{extensionRow{"KHR_materials_volume", Approximated, "the thickness texture is not read: real geometry is traced", ""}, readVolume, writeVolume, FeatureVolumes, volumeFeatures},
	{extensionRow{"KHR_materials_volume_scatter", Supported, "", ""}, readVolumeScatter, writeVolumeScatter, FeatureMedia, scatterFeatures},
}

// Extensions are what a file must say of a material besides what glTF itself has.
func (m *Material) Extensions(texture TextureInfo) gltf.Extensions {
	extensions := gltf.Extensions{}
	for _, row := range materialExtensions {
		if row.write == nil {
			continue
		}
		if properties := row.write(m, texture); properties != nil {
			extensions[row.name] = properties
		}
	}
	return extensions
}

// Features are what kernels need for this material, textures included.
func (m *Material) Features() Feature {
	var features Feature
	for _, row := range materialExtensions {
		if row.needs != nil {
			features |= row.needs(m)
		}
	}
	for use, ref := range m.Textures {
		if ref.Texture < 0 {
			continue
		}
		if use < int(TextureSharedUses) {
			features |= FeatureTextures << use
		}
		if ref.UVSet != 0 {
			features |= FeatureUv1
		}
	}
	return features
}

// MaterialFeatures are all that Features may answer.
func MaterialFeatures() Feature {
	features := FeatureUv1
	for _, row := range materialExtensions {
		features |= row.feature
	}
	for use := range TextureSharedUses {
		features |= FeatureTextures << use
	}
	return features
}

// feature is what kernels may need because a property changes.
func (p *property) feature() Feature {
	for _, row := range materialExtensions {
		if strings.HasPrefix(p.path, "extensions/"+row.name+"/") {
			return row.feature
		}
	}
	return 0
}
