package scene

import (
	"math"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/qmuntal/gltf"
	"github.com/qmuntal/gltf/ext/texturetransform"
)

// AlphaMode says what the base colour's alpha does (glTF 2.0 §3.9.4).
type AlphaMode uint32

// The three alpha modes. Blend is rendered by stochastic transparency.
const (
	AlphaOpaque AlphaMode = iota
	AlphaMask
	AlphaBlend
)

// Material is a glTF metallic-roughness material with the extensions that glint renders.
type Material struct {
	Name        string
	BaseColor   mgl32.Vec4 // linear factor
	Metallic    float32    // 0…1
	Roughness   float32    // perceptual, alpha = roughness²
	NormalScale float32
	Emission    mgl32.Vec3 // nits: emissiveFactor × KHR_materials_emissive_strength
	AlphaMode   AlphaMode
	AlphaCutoff float32
	DoubleSided bool
	Unlit       bool // KHR_materials_unlit

	IOR           float32    // KHR_materials_ior, 1.5 when absent
	Specular      float32    // KHR_materials_specular
	SpecularColor mgl32.Vec3 // KHR_materials_specular
	Transmission  float32    // KHR_materials_transmission
	Dispersion    float32    // KHR_materials_dispersion: 20 over Abbe's number, 0 for none
	Thickness     float32    // KHR_materials_volume thicknessFactor; 0 is thin-walled
	// AttenuationColor is what remains of white light after AttenuationDistance (m) inside the volume.
	AttenuationColor    mgl32.Vec3
	AttenuationDistance float32 // m, +Inf when there is no absorption
	// MultiscatterColor is KHR_materials_volume_scatter's: about how bright the volume looks when light scatters in it many
	// times. Black when it absorbs only.
	MultiscatterColor mgl32.Vec3
	ScatterAnisotropy float32 // KHR_materials_volume_scatter: mean cosine of the angle of scattering
	Priority          int     // "priority" in the file's extras: where volumes overlap, that of the highest counts

	Clearcoat    Clearcoat    // KHR_materials_clearcoat
	Sheen        Sheen        // KHR_materials_sheen
	Anisotropy   Anisotropy   // KHR_materials_anisotropy
	Iridescence  Iridescence  // KHR_materials_iridescence
	Translucency Translucency // KHR_materials_diffuse_transmission
	// Glossy materials (KHR_materials_pbrSpecularGlossiness) have a factor of 1 − Roughness in A of TextureSpecularColor.
	Glossy bool

	CarPaint *CarPaint // GLINT_materials_car_paint; nil for none

	Textures [TextureUses]TextureRef
}

// materialSource is a material as its file says it: what is one number of Material and two of the file is apart, since clips change
// each by itself.
type materialSource struct {
	Material         // whose Emission is emissiveFactor
	emissiveStrength float64
	opensVolume      bool // KHR_materials_volume_scatter is there
	// transforms are what those of Textures are made of, where clips change the material; nil for none.
	transforms [TextureUses]*texturetransform.TextureTranform
}

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

// materialBytes is about what a material takes.
const materialBytes = 2048

// NewMaterial is glTF's default material, with no textures.
func NewMaterial(name string) Material {
	m := Material{
		Name: name, BaseColor: mgl32.Vec4{1, 1, 1, 1}, Metallic: 1, Roughness: 1, NormalScale: 1, AlphaCutoff: 0.5,
		IOR: defaultIOR, Specular: 1, SpecularColor: mgl32.Vec3{1, 1, 1},
		AttenuationColor: mgl32.Vec3{1, 1, 1}, AttenuationDistance: float32(inf),
		Clearcoat: Clearcoat{NormalScale: 1}, Iridescence: Iridescence{IOR: defaultFilmIOR},
		Translucency: Translucency{Color: mgl32.Vec3{1, 1, 1}},
	}
	for use := range m.Textures {
		m.Textures[use] = NoTexture()
	}
	return m
}

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

// TextureInfo is how the file that is being written refers to a texture; nil for none.
type TextureInfo func(TextureRef) *gltf.TextureInfo

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

// Tangents is the texture along whose coordinates tangents lie, and whether the material needs any: for normal maps, and to be
// anisotropic along something.
func (m *Material) Tangents() (along TextureRef, needed bool) {
	for _, use := range []TextureUse{TextureNormal, TextureClearcoatNormal, TextureAnisotropy} {
		if m.Textures[use].Texture >= 0 {
			return m.Textures[use], true
		}
	}
	return NoTexture(), m.Anisotropy.Strength > 0
}

// when is the feature if it is needed.
func (f Feature) when(needed bool) Feature {
	if !needed {
		return 0
	}
	return f
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

// putTexture adds a texture to the properties of an extension when there is one.
func putTexture(properties map[string]any, name string, info *gltf.TextureInfo) {
	if info != nil {
		properties[name] = info
	}
}

func readEmissiveStrength(_ *textureReader, ext gltf.Extensions, name string, m *materialSource) error {
	v := struct{ EmissiveStrength float64 }{1}
	err := decodeExtension(ext, name, &v)
	m.emissiveStrength = v.EmissiveStrength
	return err
}

// EmissiveStrength is by how much the material glows more than glTF's emissiveFactor can say, 1 for no more.
func (m *Material) EmissiveStrength() float32 {
	return max(1, m.Emission[0], m.Emission[1], m.Emission[2])
}

func writeEmissiveStrength(m *Material, _ TextureInfo) map[string]any {
	if m.EmissiveStrength() == 1 {
		return nil
	}
	return map[string]any{"emissiveStrength": m.EmissiveStrength()}
}

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

const (
	defaultIOR = 1.5
	mirrorIOR  = 1000 // reflects 99.6 % at normal incidence
)

func readIOR(_ *textureReader, ext gltf.Extensions, name string, m *materialSource) error {
	v := struct{ IOR float64 }{defaultIOR}
	err := decodeExtension(ext, name, &v)
	m.IOR = index32(v.IOR)
	return err
}

func writeIOR(m *Material, _ TextureInfo) map[string]any {
	if m.IOR == defaultIOR {
		return nil
	}
	return map[string]any{"ior": m.IOR}
}

func readSpecular(t *textureReader, ext gltf.Extensions, name string, m *materialSource) error {
	v := struct {
		SpecularFactor       float64
		SpecularTexture      *gltf.TextureInfo
		SpecularColorFactor  [3]float64
		SpecularColorTexture *gltf.TextureInfo
	}{SpecularFactor: 1, SpecularColorFactor: [3]float64{1, 1, 1}}
	err := decodeExtension(ext, name, &v)
	m.Specular = unit32(v.SpecularFactor)
	m.SpecularColor = vec3(v.SpecularColorFactor)
	return orElse(err, t.read(&m.Material, textureUse{TextureSpecular, v.SpecularTexture, false}, textureUse{TextureSpecularColor, v.SpecularColorTexture, true}))
}

func writeSpecular(m *Material, texture TextureInfo) map[string]any {
	if specularFeatures(m) == 0 {
		return nil
	}
	specular := map[string]any{"specularFactor": m.Specular, "specularColorFactor": m.SpecularColor}
	putTexture(specular, "specularTexture", texture(m.Textures[TextureSpecular]))
	putTexture(specular, "specularColorTexture", texture(m.Textures[TextureSpecularColor]))
	return specular
}

func specularFeatures(m *Material) Feature {
	plain := m.Specular == 1 && m.SpecularColor == mgl32.Vec3{1, 1, 1}
	return FeatureSpecular.when(!plain || m.Textures[TextureSpecular].Texture >= 0 || m.Textures[TextureSpecularColor].Texture >= 0)
}

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

// smoothRoughness is the roughness below which kernels treat a surface as smooth: the fourth root of SMOOTH_ALPHA² (bsdf.cuh).
const smoothRoughness = 0.02

// IsPane tells whether light passes straight through: smooth glass without a volume.
func (m *Material) IsPane() bool {
	return m.Transmission > 0 && m.Thickness == 0 && m.Roughness < smoothRoughness && m.Anisotropy.Strength == 0
}

// leastIOR is the index of refraction below which kernels take a surface to bend nothing: LEAST_IOR (make_bsdf.cuh).
const leastIOR = 1.001

// IsStraight tells whether the surface of a volume bends no light, however rough it is: the index is that of air. Metal and films reflect
// as their roughness says, so what has any keeps it.
func (m *Material) IsStraight() bool {
	return m.Transmission > 0 && m.Thickness > 0 && m.IOR < leastIOR && m.Metallic == 0 && m.Iridescence.Factor == 0
}

// volumeFeatures: clear glass does without, unless a path must keep its wavelength within.
func volumeFeatures(m *Material) Feature {
	colourless := m.AttenuationColor == mgl32.Vec3{1, 1, 1} || m.AttenuationDistance == float32(inf)
	return FeatureVolumes.when(m.disperses() || m.IsVolume() && !colourless)
}

func readVolume(_ *textureReader, ext gltf.Extensions, name string, m *materialSource) error {
	v := struct {
		ThicknessFactor     float64
		AttenuationDistance *float64
		AttenuationColor    [3]float64
	}{AttenuationColor: [3]float64{1, 1, 1}}
	err := decodeExtension(ext, name, &v)
	m.Thickness = max(0, finite32(v.ThicknessFactor))
	m.AttenuationColor = unitColor(v.AttenuationColor)
	if d := v.AttenuationDistance; err == nil && d != nil {
		m.AttenuationDistance = above0(*d)
	}
	return err
}

func writeVolume(m *Material, _ TextureInfo) map[string]any {
	if m.Thickness <= 0 {
		return nil
	}
	volume := map[string]any{"thicknessFactor": m.Thickness, "attenuationColor": m.AttenuationColor}
	if !math.IsInf(float64(m.AttenuationDistance), 1) {
		volume["attenuationDistance"] = m.AttenuationDistance
	}
	return volume
}

// unit32 clamps v to 0…1.
func unit32(v float64) float32 { return float32(max(0, min(1, v))) }

func vec3(v [3]float64) mgl32.Vec3 {
	return mgl32.Vec3{max(0, finite32(v[0])), max(0, finite32(v[1])), max(0, finite32(v[2]))}
}

func vec4(v [4]float64) mgl32.Vec4 {
	return vec3([3]float64(v[:3])).Vec4(unit32(v[3]))
}
