package scene

import (
	"github.com/go-gl/mathgl/mgl32"
	"github.com/qmuntal/gltf"
)

func readSheen(t *textureReader, ext gltf.Extensions, name string, m *materialSource) error {
	v := struct {
		SheenColorFactor      [3]float64
		SheenColorTexture     *gltf.TextureInfo
		SheenRoughnessFactor  float64
		SheenRoughnessTexture *gltf.TextureInfo
	}{}
	err := decodeExtension(ext, name, &v)
	m.Sheen = Sheen{Color: unitColor(v.SheenColorFactor), Roughness: unit32(v.SheenRoughnessFactor)}
	return orElse(err, t.read(&m.Material, textureUse{TextureSheenColor, v.SheenColorTexture, true}, textureUse{TextureSheenRoughness, v.SheenRoughnessTexture, false}))
}

func writeSheen(m *Material, texture TextureInfo) map[string]any {
	if m.Sheen.Color == (mgl32.Vec3{}) {
		return nil
	}
	sheen := map[string]any{"sheenColorFactor": m.Sheen.Color, "sheenRoughnessFactor": m.Sheen.Roughness}
	putTexture(sheen, "sheenColorTexture", texture(m.Textures[TextureSheenColor]))
	putTexture(sheen, "sheenRoughnessTexture", texture(m.Textures[TextureSheenRoughness]))
	return sheen
}

func sheenFeatures(m *Material) Feature { return FeatureSheen.when(m.Sheen.Color != (mgl32.Vec3{})) }
