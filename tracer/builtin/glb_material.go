package builtin

import (
	"fmt"

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
	out := &gltf.Material{
		Name: m.Name, AlphaMode: alpha[m.AlphaMode], DoubleSided: m.DoubleSided,
		PBRMetallicRoughness: &gltf.PBRMetallicRoughness{
			BaseColorFactor: &color, MetallicFactor: gltf.Float(float64(m.Metallic)), RoughnessFactor: gltf.Float(float64(m.Roughness)),
		},
		EmissiveFactor: vec3(m.Emission.Mul(1 / m.EmissiveStrength())),
	}
	if m.AlphaMode == scene.AlphaMask {
		out.AlphaCutoff = gltf.Float(float64(m.AlphaCutoff))
	}
	if err := w.coreTextures(m, out); err != nil {
		return nil, err
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

// materialExtensions writes each extension whose values differ from glTF's defaults.
func (w *glbWriter) materialExtensions(m *scene.Material, out *gltf.Material) (err error) {
	out.Extras = m.Extras()
	out.Extensions = m.Extensions(func(t scene.TextureRef) *gltf.TextureInfo {
		info, failed := w.textureInfo(t)
		if err == nil {
			err = failed
		}
		return info
	})
	for name := range out.Extensions {
		w.extension(name)
	}
	return err
}

func vec3(v mgl32.Vec3) [3]float64 { return [3]float64{float64(v[0]), float64(v[1]), float64(v[2])} }
