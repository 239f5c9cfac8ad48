package scene

import "github.com/qmuntal/gltf"

// readGlossiness reads KHR_materials_pbrSpecularGlossiness, an older way to describe a material by the colours of its base and of its
// reflection. That is a dielectric whose reflectance at normal incidence has a colour (KHR_materials_specular), and no metal.
func readGlossiness(t *textureReader, ext gltf.Extensions, name string, m *materialSource) error {
	v := struct {
		DiffuseFactor             [4]float64
		DiffuseTexture            *gltf.TextureInfo
		SpecularFactor            [3]float64
		GlossinessFactor          float64
		SpecularGlossinessTexture *gltf.TextureInfo
	}{DiffuseFactor: [4]float64{1, 1, 1, 1}, SpecularFactor: [3]float64{1, 1, 1}, GlossinessFactor: 1}
	err := decodeExtension(ext, name, &v)
	m.BaseColor, m.Metallic, m.Roughness = vec4(v.DiffuseFactor), 0, 1-unit32(v.GlossinessFactor)
	// Reflectance is that of the default index, times a colour that may exceed white.
	m.IOR, m.Specular, m.SpecularColor = defaultIOR, 1, reflectanceColor(v.SpecularFactor)
	m.Textures[TextureMetallicRoughness] = NoTexture()
	failed := t.read(&m.Material, textureUse{TextureBaseColor, v.DiffuseTexture, true}, textureUse{TextureSpecularColor, v.SpecularGlossinessTexture, true})
	m.Glossy = m.Textures[TextureSpecularColor].Texture >= 0
	return orElse(err, failed)
}

// writeGlossiness is needed where roughness comes from a texture of this extension.
func writeGlossiness(m *Material, texture TextureInfo) map[string]any {
	if !m.Glossy {
		return nil
	}
	glossy := map[string]any{"diffuseFactor": m.BaseColor, "specularFactor": m.SpecularColor.Mul(plainReflectance), "glossinessFactor": 1 - m.Roughness}
	putTexture(glossy, "diffuseTexture", texture(m.Textures[TextureBaseColor]))
	putTexture(glossy, "specularGlossinessTexture", texture(m.Textures[TextureSpecularColor]))
	return glossy
}
