package scene

import (
	"math"

	"github.com/go-gl/mathgl/mgl32"
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

// Clearcoat is a coat of lacquer over all else (KHR_materials_clearcoat).
type Clearcoat struct {
	Factor      float32 // 0…1: how much of the surface it covers; 0 for none
	Roughness   float32 // perceptual
	NormalScale float32 // of its own normal map
}

// Sheen is the soft reflection of fibres that stand up, as on velvet (KHR_materials_sheen).
type Sheen struct {
	Color     mgl32.Vec3 // linear; black for none
	Roughness float32    // perceptual
}

// Anisotropy makes a surface rougher along one direction, as brushing does (KHR_materials_anisotropy).
type Anisotropy struct {
	Strength float32 // 0…1; 0 for none
	Rotation float32 // radians from the tangent to the bitangent: that direction
}

// Iridescence is a thin film over a surface, whose colour changes with the angle (KHR_materials_iridescence).
type Iridescence struct {
	Factor  float32 // 0…1: how much of the surface it covers; 0 for none
	IOR     float32 // of the film
	Minimum float32 // thickness where its texture is 0, nm
	Maximum float32 // where it is 1, or there is none, nm
}

// Translucency lets light through that scatters on its way, as leaves and paper do (KHR_materials_diffuse_transmission).
type Translucency struct {
	Factor float32    // 0…1: share of the diffuse base that light passes through; 0 for none
	Color  mgl32.Vec3 // linear, of what passes
}

// CarPaint replaces the diffuse base of a material by flakes over a base whose colour changes towards grazing angles
// (GLINT_materials_car_paint, docs/car-paint.md). The dielectric coat over them stays as the material says.
type CarPaint struct {
	EdgeColor mgl32.Vec3 // of the base at grazing angles; BaseColor is its colour head on
	Flakes    [2]Flakes  // the upper layer first
}

// Flakes is one layer of little metal plates.
type Flakes struct {
	Color, OtherColor mgl32.Vec3 // reflectance: each flake lies somewhere between the two
	Coverage          float32    // share of the surface that they cover, 0…1; 0 for no layer
	Size              float32    // m: mean distance of neighbours, above 0
	Spread            float32    // greatest slope of a flake against the surface, 0…1
	Exponent          float32    // Blinn-Phong's, of one flake, 1…10000
}

const (
	defaultIOR = 1.5
	mirrorIOR  = 1000 // reflects 99.6 % at normal incidence
)

const (
	defaultFilmIOR  = 1.3
	defaultThinnest = 100 // nm
	defaultThickest = 400
	thickestFilm    = 1e5 // beyond that no colours are left
)

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

// NewFlakes is a layer with the extension's defaults: none, until it covers something.
func NewFlakes() Flakes {
	return Flakes{Color: mgl32.Vec3{1, 1, 1}, OtherColor: mgl32.Vec3{1, 1, 1}, Size: 0.001, Spread: 0.3, Exponent: 100}
}

// EmissiveStrength is by how much the material glows more than glTF's emissiveFactor can say, 1 for no more.
func (m *Material) EmissiveStrength() float32 {
	return max(1, m.Emission[0], m.Emission[1], m.Emission[2])
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

// disperses tells whether light is split: in solid glass, since what enters a thin pane leaves it alike.
func (m *Material) disperses() bool { return m.Dispersion > 0 && m.Transmission > 0 && m.Thickness > 0 }

// IsVolume tells whether the material's surface encloses something.
func (m *Material) IsVolume() bool {
	return (m.Transmission > 0 || m.Translucency.Factor > 0) && m.Thickness > 0
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

// Scatters tells whether light is scattered inside: there is a volume, it attenuates, and not by absorption alone.
func (m *Material) Scatters() bool {
	return m.Transmission > 0 && m.Thickness > 0 && m.AttenuationDistance < float32(inf) && m.MultiscatterColor.Len() > 0
}

// ScatterAlbedo is the share of attenuation that must scatter for a volume to look as bright as multi (0…1) after many
// scattering events: the fit of Kulla and Conty (Revisiting Physically Based Shading at Imageworks, 2017), as
// KHR_materials_volume_scatter has it.
func ScatterAlbedo(multi float64) float64 {
	root := 4.09712 + 4.20863*multi - math.Sqrt(9.59217+41.6808*multi+17.7126*multi*multi)
	return max(0, min(1, 1-root*root))
}

// when is the feature if it is needed.
func (f Feature) when(needed bool) Feature {
	if !needed {
		return 0
	}
	return f
}
