package builtin

import (
	"fmt"
	"math"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/qmuntal/gltf"

	"glint/tracer/scene"
)

func (w *glbWriter) materials() error {
	for i := range w.s.Materials {
		m, err := w.material(&w.s.Materials[i])
		if err != nil {
			return fmt.Errorf("material %d (%s): %w", i, w.s.Materials[i].Name, err)
		}
		w.doc.Materials = append(w.doc.Materials, m)
	}
	return nil
}

func (w *glbWriter) material(m *scene.Material) (*gltf.Material, error) {
	alpha := map[scene.AlphaMode]gltf.AlphaMode{
		scene.AlphaOpaque: gltf.AlphaOpaque, scene.AlphaMask: gltf.AlphaMask, scene.AlphaBlend: gltf.AlphaBlend,
	}
	color := [4]float64{float64(m.BaseColor[0]), float64(m.BaseColor[1]), float64(m.BaseColor[2]), float64(m.BaseColor[3])}
	strength := max(1, m.Emission[0], m.Emission[1], m.Emission[2])
	out := &gltf.Material{
		Name: m.Name, AlphaMode: alpha[m.AlphaMode], DoubleSided: m.DoubleSided, Extensions: gltf.Extensions{},
		PBRMetallicRoughness: &gltf.PBRMetallicRoughness{
			BaseColorFactor: &color, MetallicFactor: gltf.Float(float64(m.Metallic)), RoughnessFactor: gltf.Float(float64(m.Roughness)),
		},
		EmissiveFactor: vec3(m.Emission.Mul(1 / strength)),
	}
	if m.AlphaMode == scene.AlphaMask {
		out.AlphaCutoff = gltf.Float(float64(m.AlphaCutoff))
	}
	if err := w.coreTextures(m, out); err != nil {
		return nil, err
	}
	if strength > 1 {
		out.Extensions[w.extension("KHR_materials_emissive_strength")] = map[string]any{"emissiveStrength": strength}
	}
	return out, w.materialExtensions(m, out)
}

func (w *glbWriter) coreTextures(m *scene.Material, out *gltf.Material) (err error) {
	if out.PBRMetallicRoughness.BaseColorTexture, err = w.textureInfo(m.Textures[scene.TextureBaseColor]); err != nil {
		return err
	}
	if out.PBRMetallicRoughness.MetallicRoughnessTexture, err = w.textureInfo(m.Textures[scene.TextureMetallicRoughness]); err != nil {
		return err
	}
	if out.EmissiveTexture, err = w.textureInfo(m.Textures[scene.TextureEmissive]); err != nil {
		return err
	}
	normal, err := w.textureInfo(m.Textures[scene.TextureNormal])
	if err == nil && normal != nil {
		out.NormalTexture = &gltf.NormalTexture{
			Extensions: normal.Extensions, Index: gltf.Index(normal.Index), TexCoord: normal.TexCoord,
			Scale: gltf.Float(float64(m.NormalScale)),
		}
	}
	return err
}

// materialExtensions writes each extension whose values differ from glTF's defaults. The properties are spelled out here
// because the types of the gltf module's ext packages would register themselves with the decoder of every file.
func (w *glbWriter) materialExtensions(m *scene.Material, out *gltf.Material) error {
	none := scene.NewMaterial("")
	if m.Unlit {
		out.Extensions[w.extension("KHR_materials_unlit")] = struct{}{}
	}
	if m.CarPaint != nil {
		out.Extensions[w.extension("GLINT_materials_car_paint")] = carPaintProperties(m.CarPaint)
	}
	if m.IOR != none.IOR {
		out.Extensions[w.extension("KHR_materials_ior")] = map[string]any{"ior": m.IOR}
	}
	if m.Thickness > 0 {
		volume := map[string]any{"thicknessFactor": m.Thickness, "attenuationColor": m.AttenuationColor}
		if !math.IsInf(float64(m.AttenuationDistance), 1) {
			volume["attenuationDistance"] = m.AttenuationDistance
		}
		out.Extensions[w.extension("KHR_materials_volume")] = volume
	}
	if m.MultiscatterColor != none.MultiscatterColor {
		out.Extensions[w.extension("KHR_materials_volume_scatter")] = map[string]any{
			"multiscatterColor": m.MultiscatterColor, "scatterAnisotropy": m.ScatterAnisotropy,
		}
	}
	if m.Transmission > 0 {
		transmission := map[string]any{"transmissionFactor": m.Transmission}
		if err := w.put(transmission, "transmissionTexture", m.Textures[scene.TextureTransmission]); err != nil {
			return err
		}
		out.Extensions[w.extension("KHR_materials_transmission")] = transmission
	}
	if m.Specular == none.Specular && m.SpecularColor == none.SpecularColor && m.Textures[scene.TextureSpecular].Texture < 0 && m.Textures[scene.TextureSpecularColor].Texture < 0 {
		return nil
	}
	specular := map[string]any{"specularFactor": m.Specular, "specularColorFactor": m.SpecularColor}
	if err := w.put(specular, "specularTexture", m.Textures[scene.TextureSpecular]); err != nil {
		return err
	}
	out.Extensions[w.extension("KHR_materials_specular")] = specular
	return w.put(specular, "specularColorTexture", m.Textures[scene.TextureSpecularColor])
}

// put adds a texture under a name when there is one.
func (w *glbWriter) put(properties map[string]any, name string, t scene.TextureRef) error {
	info, err := w.textureInfo(t)
	if info != nil {
		properties[name] = info
	}
	return err
}

func vec3(v mgl32.Vec3) [3]float64 { return [3]float64{float64(v[0]), float64(v[1]), float64(v[2])} }
