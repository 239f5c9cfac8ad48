package scene

import (
	"fmt"
	"math"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/qmuntal/gltf"
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
	Thickness     float32    // KHR_materials_volume thicknessFactor; 0 is thin-walled
	// AttenuationColor is what remains of white light after AttenuationDistance (m) inside the volume.
	AttenuationColor    mgl32.Vec3
	AttenuationDistance float32 // m, +Inf when there is no absorption
	// MultiscatterColor is KHR_materials_volume_scatter's: about how bright the volume looks when light scatters in it many
	// times. Black when it absorbs only.
	MultiscatterColor mgl32.Vec3
	ScatterAnisotropy float32 // KHR_materials_volume_scatter: mean cosine of the angle of scattering

	CarPaint *CarPaint // GLINT_materials_car_paint; nil for none

	Textures [TextureUses]TextureRef
}

// NewMaterial is glTF's default material, with no textures.
func NewMaterial(name string) Material {
	m := Material{
		Name: name, BaseColor: mgl32.Vec4{1, 1, 1, 1}, Metallic: 1, Roughness: 1, NormalScale: 1, AlphaCutoff: 0.5,
		IOR: 1.5, Specular: 1, SpecularColor: mgl32.Vec3{1, 1, 1},
		AttenuationColor: mgl32.Vec3{1, 1, 1}, AttenuationDistance: float32(inf),
	}
	for use := range m.Textures {
		m.Textures[use] = NoTexture()
	}
	return m
}

// loadMaterials converts every material that the scene draws with and notes the textures they need.
func (l *loader) loadMaterials() error {
	l.textures = newTextureTable()
	for _, in := range l.instances {
		for _, p := range l.doc.Meshes[in.mesh].Primitives {
			if !drawable(p.Mode) {
				continue
			}
			if err := l.useMaterial(p.Material); err != nil {
				return err
			}
		}
	}
	return nil
}

// useMaterial gives a material of the file its place in the scene; nil is glTF's default material.
func (l *loader) useMaterial(index *int) error {
	key := -1
	if index != nil {
		key = *index
	}
	if _, done := l.slots[key]; done {
		return nil
	}
	m := NewMaterial("default")
	if index != nil {
		src := l.doc.Materials[key]
		var err error
		if m, err = l.convertMaterial(src); err != nil {
			return fmt.Errorf("%s: %w", label("material", key, src.Name), err)
		}
		if src.OcclusionTexture != nil {
			l.warn.addf("%s: its occlusion texture is not applied: a path tracer computes occlusion",
				label("material", key, src.Name))
		}
	}
	l.slots[key] = uint32(len(l.out.Materials))
	l.out.Materials = append(l.out.Materials, m)
	return nil
}

// converter carries the first error of a material's many textures.
type converter struct {
	l   *loader
	err error
}

func (l *loader) convertMaterial(src *gltf.Material) (Material, error) {
	m := NewMaterial(src.Name)
	c := &converter{l: l}
	m.AlphaMode = AlphaMode(src.AlphaMode)
	m.AlphaCutoff = finite32(src.AlphaCutoffOrDefault())
	m.DoubleSided = src.DoubleSided
	_, m.Unlit = src.Extensions["KHR_materials_unlit"]
	if p := src.PBRMetallicRoughness; p != nil {
		m.BaseColor = vec4(p.BaseColorFactorOrDefault())
		m.Metallic = unit32(p.MetallicFactorOrDefault())
		m.Roughness = unit32(p.RoughnessFactorOrDefault())
		m.Textures[TextureBaseColor] = c.texture(p.BaseColorTexture, true)
		m.Textures[TextureMetallicRoughness] = c.texture(p.MetallicRoughnessTexture, false)
	}
	if t := src.NormalTexture; t != nil && t.Index != nil {
		m.NormalScale = finite32(t.ScaleOrDefault())
		info := gltf.TextureInfo{Index: *t.Index, TexCoord: t.TexCoord, Extensions: t.Extensions}
		m.Textures[TextureNormal] = c.texture(&info, false)
	}
	m.Textures[TextureEmissive] = c.texture(src.EmissiveTexture, true)
	m.Emission = vec3(src.EmissiveFactor)
	for _, row := range materialExtensions {
		if _, there := src.Extensions[row.name]; there && c.err == nil {
			c.err = row.read(c, src.Extensions, row.name, &m)
		}
	}
	return m, c.err
}

// materialExtensions read one extension each into a material.
var materialExtensions = []struct {
	name string
	read func(c *converter, ext gltf.Extensions, name string, m *Material) error
}{
	{"GLINT_materials_car_paint", readCarPaint},
	{"KHR_materials_emissive_strength", readEmissiveStrength},
	{"KHR_materials_ior", readIOR},
	{"KHR_materials_specular", readSpecular},
	{"KHR_materials_transmission", readTransmission},
	{"KHR_materials_volume", readVolume},
	{"KHR_materials_volume_scatter", readVolumeScatter},
}

func readEmissiveStrength(_ *converter, ext gltf.Extensions, name string, m *Material) error {
	v := struct{ EmissiveStrength float64 }{1}
	err := decodeExtension(ext, name, &v)
	if err == nil && v.EmissiveStrength < 0 {
		err = fmt.Errorf("emissiveStrength %v must not be negative", v.EmissiveStrength)
	}
	for i := range m.Emission {
		m.Emission[i] = finite32(float64(m.Emission[i]) * v.EmissiveStrength)
	}
	return err
}

// mirrorIOR reflects 99.6 % at normal incidence.
const mirrorIOR = 1000

func readIOR(_ *converter, ext gltf.Extensions, name string, m *Material) error {
	v := struct{ IOR float64 }{1.5}
	err := decodeExtension(ext, name, &v)
	if err == nil && v.IOR < 1 && v.IOR != 0 {
		err = fmt.Errorf("ior %v must be 0 or at least 1", v.IOR)
	}
	m.IOR = finite32(v.IOR)
	if v.IOR == 0 { // the extension's way to ask for full reflection
		m.IOR = mirrorIOR
	}
	return err
}

func readSpecular(c *converter, ext gltf.Extensions, name string, m *Material) error {
	v := struct {
		SpecularFactor       float64
		SpecularTexture      *gltf.TextureInfo
		SpecularColorFactor  [3]float64
		SpecularColorTexture *gltf.TextureInfo
	}{SpecularFactor: 1, SpecularColorFactor: [3]float64{1, 1, 1}}
	err := decodeExtension(ext, name, &v)
	m.Specular = unit32(v.SpecularFactor)
	m.SpecularColor = vec3(v.SpecularColorFactor)
	m.Textures[TextureSpecular] = c.texture(v.SpecularTexture, false)
	m.Textures[TextureSpecularColor] = c.texture(v.SpecularColorTexture, true)
	return orElse(err, c.err)
}

func readTransmission(c *converter, ext gltf.Extensions, name string, m *Material) error {
	v := struct {
		TransmissionFactor  float64
		TransmissionTexture *gltf.TextureInfo
	}{}
	err := decodeExtension(ext, name, &v)
	m.Transmission = unit32(v.TransmissionFactor)
	m.Textures[TextureTransmission] = c.texture(v.TransmissionTexture, false)
	return orElse(err, c.err)
}

func readVolume(_ *converter, ext gltf.Extensions, name string, m *Material) error {
	v := struct {
		ThicknessFactor     float64
		AttenuationDistance *float64
		AttenuationColor    [3]float64
	}{AttenuationColor: [3]float64{1, 1, 1}}
	err := decodeExtension(ext, name, &v)
	m.Thickness = max(0, finite32(v.ThicknessFactor))
	for i, a := range v.AttenuationColor {
		m.AttenuationColor[i] = unit32(a)
	}
	if d := v.AttenuationDistance; err == nil && d != nil {
		if *d <= 0 {
			return fmt.Errorf("attenuationDistance %v must be above zero", *d)
		}
		m.AttenuationDistance = max(finite32(*d), math.SmallestNonzeroFloat32)
	}
	return err
}

func orElse(err, other error) error {
	if err != nil {
		return err
	}
	return other
}

// unit32 clamps v to 0…1.
func unit32(v float64) float32 { return float32(max(0, min(1, v))) }

func vec3(v [3]float64) mgl32.Vec3 {
	return mgl32.Vec3{max(0, finite32(v[0])), max(0, finite32(v[1])), max(0, finite32(v[2]))}
}

func vec4(v [4]float64) mgl32.Vec4 {
	return vec3([3]float64(v[:3])).Vec4(unit32(v[3]))
}
