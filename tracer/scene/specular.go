package scene

import (
	"github.com/go-gl/mathgl/mgl32"
	"github.com/qmuntal/gltf"
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
