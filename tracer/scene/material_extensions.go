package scene

import (
	"encoding/json"
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/qmuntal/gltf"
)

// materialExtension is what glint does with an extension of materials.
type materialExtension struct {
	extensionRow
	has        func(m *Material) bool // a file must have it for the material to be read as it is
	properties []materialProperty
	// begin is what becomes of a material that has the extension before its properties are read; nil for nothing.
	begin func(m *materialSource)
	// read and write treat what is not kept as a file says it; nil where all is.
	read  func(ext gltf.Extensions, m *materialSource, warn func(format string, args ...any)) error
	write func(m *Material, out map[string]any)
	// feature is what kernels may need because of it, needs which of that they do for one material; nil: all where the material has it.
	feature Feature
	needs   func(m *Material) Feature
}

// materialProperty is a number, some, or a texture that a file says of a material. They are spelled out because the types of the gltf
// module's ext packages would register themselves with the decoder of every file.
type materialProperty struct {
	name     string // or the path to it
	form     form   // what it may be; nil for what is part of another property
	bound    func(v float64) float32
	unbound  func(v float32) float32     // from what is kept to what a file says; nil: that is the same
	edited   *limits                     // that glTF sets where bound is wider; nil: it is not
	of       func(m *materialSource) any // where its numbers are kept, bounded
	relights bool                        // they say how bright it glows
	draft    bool                        // another name of a property, by which it counts where it is not 0
	use      TextureUse                  // of what has no numbers; TextureUses: for nothing that read does not know
}

// materialExtensions are the extensions of materials that glint has an answer for, in the order in which they are read.
var materialExtensions = []materialExtension{
	{
		extensionRow: extensionRow{"GLINT_materials_car_paint", Supported, "", ""}, feature: FeaturePaint,
		has: func(m *Material) bool { return m.CarPaint != nil }, read: readCarPaint, write: writeCarPaint,
		properties: []materialProperty{
			{name: "edgeColorFactor", form: reflectance, use: TextureUses},
			{name: "flakes", form: listWith(object("flakes"), noObject), use: TextureUses},
		},
	},
	{
		extensionRow: extensionRow{"KHR_materials_anisotropy", Supported, "", ""}, feature: FeatureAnisotropy,
		has: func(m *Material) bool { return m.Anisotropy.Strength > 0 },
		properties: []materialProperty{
			{name: "anisotropyStrength", form: fraction, bound: unit32, of: func(m *materialSource) any { return &m.Anisotropy.Strength }},
			{name: "anisotropyRotation", form: any64, bound: finite32, of: func(m *materialSource) any { return &m.Anisotropy.Rotation }},
			{name: "anisotropyTexture", form: textureInfo, use: TextureAnisotropy},
		},
	},
	{
		extensionRow: extensionRow{"KHR_materials_clearcoat", Approximated, "the coat does not dim what glows under it", ""}, feature: FeatureClearcoat,
		has: func(m *Material) bool { return m.Clearcoat.Factor > 0 },
		properties: []materialProperty{
			{name: "clearcoatFactor", form: fraction, bound: unit32, of: func(m *materialSource) any { return &m.Clearcoat.Factor }},
			{name: "clearcoatTexture", form: textureInfo, use: TextureClearcoat},
			{name: "clearcoatRoughnessFactor", form: fraction, bound: unit32, of: func(m *materialSource) any { return &m.Clearcoat.Roughness }},
			{name: "clearcoatRoughnessTexture", form: textureInfo, use: TextureClearcoatRoughness},
			{name: "clearcoatNormalTexture", form: object("normalTexture"), use: TextureClearcoatNormal},
			{name: "clearcoatNormalTexture/scale", bound: finite32, of: func(m *materialSource) any { return &m.Clearcoat.NormalScale }},
		},
	},
	{
		extensionRow: extensionRow{"KHR_materials_diffuse_transmission", Supported, "", ""}, feature: FeatureTranslucent,
		has: func(m *Material) bool { return m.Translucency.Factor > 0 },
		properties: []materialProperty{
			{name: "diffuseTransmissionFactor", form: fraction, bound: unit32, of: func(m *materialSource) any { return &m.Translucency.Factor }},
			{name: "diffuseTransmissionTexture", form: textureInfo, use: TextureDiffuseTransmission},
			{name: "diffuseTransmissionColorFactor", form: reflectance, bound: unit32, of: func(m *materialSource) any { return &m.Translucency.Color }},
			{name: "diffuseTransmissionColorTexture", form: textureInfo, use: TextureDiffuseTransmissionColor},
		},
	},
	{ // how much farther blue light is refracted than red
		extensionRow: extensionRow{"KHR_materials_dispersion", Supported, "", ""}, feature: FeatureDispersion,
		has:   func(m *Material) bool { return m.Dispersion != 0 },
		needs: func(m *Material) Feature { return FeatureDispersion.when(m.disperses()) },
		properties: []materialProperty{
			{name: "dispersion", form: positive, bound: least0, of: func(m *materialSource) any { return &m.Dispersion }},
		},
	},
	{
		extensionRow: extensionRow{"KHR_materials_emissive_strength", Supported, "", ""},
		has:          func(m *Material) bool { return m.EmissiveStrength() != 1 },
		write:        func(m *Material, out map[string]any) { out["emissiveStrength"] = m.EmissiveStrength() },
		properties: []materialProperty{
			{name: "emissiveStrength", form: positive, relights: true, of: func(m *materialSource) any { return &m.emissiveStrength }},
		},
	},
	{
		extensionRow: extensionRow{"KHR_materials_ior", Supported, "", ""},
		has:          func(m *Material) bool { return m.IOR != defaultIOR },
		properties: []materialProperty{
			{name: "ior", form: refraction(true), bound: index32, of: func(m *materialSource) any { return &m.IOR }},
		},
	},
	{
		extensionRow: extensionRow{"KHR_materials_iridescence", Supported, "", ""}, feature: FeatureIridescence,
		has: func(m *Material) bool { return m.Iridescence.Factor > 0 },
		begin: func(m *materialSource) {
			m.Iridescence.Minimum, m.Iridescence.Maximum = defaultThinnest, defaultThickest
		},
		properties: []materialProperty{
			{name: "iridescenceFactor", form: fraction, bound: unit32, of: func(m *materialSource) any { return &m.Iridescence.Factor }},
			{name: "iridescenceTexture", form: textureInfo, use: TextureIridescence},
			{name: "iridescenceIor", form: refraction(false), bound: least1, of: func(m *materialSource) any { return &m.Iridescence.IOR }},
			{name: "iridescenceThicknessMinimum", form: film, bound: filmThickness, of: func(m *materialSource) any { return &m.Iridescence.Minimum }},
			{name: "iridescenceThicknessMaximum", form: film, bound: filmThickness, of: func(m *materialSource) any { return &m.Iridescence.Maximum }},
			{name: "iridescenceThicknessTexture", form: textureInfo, use: TextureIridescenceThickness},
		},
	},
	{
		// An older way to describe a material by the colours of its base and of its reflection. That is a dielectric whose reflectance at
		// normal incidence has a colour (KHR_materials_specular), and no metal. A file needs it where roughness comes from its texture.
		extensionRow: extensionRow{"KHR_materials_pbrSpecularGlossiness", Supported, "", ""},
		has:          func(m *Material) bool { return m.Glossy },
		begin: func(m *materialSource) {
			// Reflectance is that of the default index, times a colour that may exceed white.
			m.BaseColor, m.Metallic, m.Roughness = mgl32.Vec4{1, 1, 1, 1}, 0, 0
			m.IOR, m.Specular, m.SpecularColor = defaultIOR, 1, mgl32.Vec3{1, 1, 1}.Mul(1/plainReflectance)
			m.Textures[TextureMetallicRoughness] = NoTexture()
		},
		read: func(_ gltf.Extensions, m *materialSource, _ func(string, ...any)) error {
			m.Glossy = m.Textures[TextureSpecularColor].Texture >= 0
			return nil
		},
		write: func(m *Material, out map[string]any) {
			out["specularFactor"], out["glossinessFactor"] = m.SpecularColor.Mul(plainReflectance), 1-m.Roughness
		},
		properties: []materialProperty{
			{name: "diffuseFactor", form: tint, bound: least0, edited: &share, of: func(m *materialSource) any { return &m.BaseColor }},
			{name: "diffuseTexture", form: textureInfo, use: TextureBaseColor},
			{name: "specularFactor", form: reflectance, bound: reflected, unbound: reflects, of: func(m *materialSource) any { return &m.SpecularColor }},
			{name: "glossinessFactor", form: fraction, bound: dull, unbound: glossy, of: func(m *materialSource) any { return &m.Roughness }},
			{name: "specularGlossinessTexture", form: textureInfo, use: TextureSpecularColor},
		},
	},
	{
		extensionRow: extensionRow{"KHR_materials_sheen", Supported, "", ""}, feature: FeatureSheen,
		has: func(m *Material) bool { return m.Sheen.Color != (mgl32.Vec3{}) },
		properties: []materialProperty{
			{name: "sheenColorFactor", form: black, bound: unit32, of: func(m *materialSource) any { return &m.Sheen.Color }},
			{name: "sheenColorTexture", form: textureInfo, use: TextureSheenColor},
			{name: "sheenRoughnessFactor", form: fraction, bound: unit32, of: func(m *materialSource) any { return &m.Sheen.Roughness }},
			{name: "sheenRoughnessTexture", form: textureInfo, use: TextureSheenRoughness},
		},
	},
	{
		extensionRow: extensionRow{"KHR_materials_specular", Supported, "", ""}, feature: FeatureSpecular,
		has: func(m *Material) bool {
			plain := m.Specular == 1 && m.SpecularColor == mgl32.Vec3{1, 1, 1}
			return !plain || m.Textures[TextureSpecular].Texture >= 0 || m.Textures[TextureSpecularColor].Texture >= 0
		},
		begin: func(m *materialSource) { m.Specular, m.SpecularColor = 1, mgl32.Vec3{1, 1, 1} },
		properties: []materialProperty{
			{name: "specularFactor", form: fraction, bound: unit32, of: func(m *materialSource) any { return &m.Specular }},
			{name: "specularTexture", form: textureInfo, use: TextureSpecular},
			{name: "specularColorFactor", form: white, bound: least0, of: func(m *materialSource) any { return &m.SpecularColor }},
			{name: "specularColorTexture", form: textureInfo, use: TextureSpecularColor},
		},
	},
	{
		extensionRow: extensionRow{"KHR_materials_transmission", Supported, "", ""}, feature: transmissionFeature, needs: transmissionFeatures,
		has: func(m *Material) bool { return m.Transmission > 0 },
		properties: []materialProperty{
			{name: "transmissionFactor", form: fraction, bound: unit32, of: func(m *materialSource) any { return &m.Transmission }},
			{name: "transmissionTexture", form: textureInfo, use: TextureTransmission},
		},
	},
	{
		extensionRow: extensionRow{"KHR_materials_unlit", Supported, "", ""}, feature: FeatureUnlit,
		has:   func(m *Material) bool { return m.Unlit },
		begin: func(m *materialSource) { m.Unlit = true },
	},
	{
		extensionRow: extensionRow{"KHR_materials_volume", Approximated, "the thickness texture is not read: real geometry is traced", ""},
		feature:      FeatureVolumes, needs: volumeFeatures,
		has: func(m *Material) bool { return m.Thickness > 0 },
		properties: []materialProperty{
			{name: "thicknessFactor", form: positive, bound: least0, of: func(m *materialSource) any { return &m.Thickness }},
			{name: "thicknessTexture", form: textureInfo, use: TextureUses},
			{name: "attenuationDistance", form: unlimited, bound: above0, of: func(m *materialSource) any { return &m.AttenuationDistance }},
			{name: "attenuationColor", form: reflectance, bound: unit32, of: func(m *materialSource) any { return &m.AttenuationColor }},
		},
	},
	{
		extensionRow: extensionRow{"KHR_materials_volume_scatter", Supported, "", ""}, feature: FeatureMedia,
		has:   func(m *Material) bool { return m.MultiscatterColor != (mgl32.Vec3{}) },
		needs: func(m *Material) Feature { return FeatureMedia.when(m.Scatters()) },
		begin: func(m *materialSource) { m.opensVolume = true },
		properties: []materialProperty{ // drafts of the extension call its colour by either name
			{name: "multiscatterColor", form: black, bound: unit32, of: func(m *materialSource) any { return &m.MultiscatterColor }},
			{name: "multiscatterColorFactor", form: black, bound: unit32, draft: true, of: func(m *materialSource) any { return &m.MultiscatterColor }},
			{name: "scatterAnisotropy", form: number(-1, 1), bound: signed32, of: func(m *materialSource) any { return &m.ScatterAnisotropy }},
		},
	},
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

// volumeFeatures: clear glass does without, unless a path must keep its wavelength within.
func volumeFeatures(m *Material) Feature {
	colorless := m.AttenuationColor == mgl32.Vec3{1, 1, 1} || m.AttenuationDistance == float32(inf)
	return FeatureVolumes.when(m.disperses() || m.IsVolume() && !colorless)
}

// width is how many numbers a property has.
func (p *materialProperty) width() int {
	switch p.of(&materialSource{}).(type) {
	case *mgl32.Vec3:
		return 3
	case *mgl32.Vec4:
		return 4
	}
	return 1
}

// set gives a material the numbers of a property.
func (p *materialProperty) set(m *materialSource, v []float64) {
	switch to := p.of(m).(type) {
	case *float32:
		*to = p.bound(v[0])
	case *float64:
		*to = max(0, v[0])
	case *mgl32.Vec3:
		for i := range to {
			to[i] = p.bound(v[i])
		}
	case *mgl32.Vec4:
		*to = vec4([4]float64(v))
	}
}

// get gives the numbers of a property as a file says them, with as few digits as it takes.
func (p *materialProperty) get(m *materialSource) (out []float64) {
	add := func(v ...float32) {
		for _, x := range v {
			if p.unbound != nil {
				x = p.unbound(x)
			}
			out = append(out, shortest(x))
		}
	}
	switch from := p.of(m).(type) {
	case *float32:
		add(*from)
	case *float64:
		out = append(out, *from)
	case *mgl32.Vec3:
		add(from[:]...)
	case *mgl32.Vec4:
		add(from[:]...)
	}
	return out
}

// limits are what edits may make of the property.
func (p *materialProperty) limits() (out limits) {
	if p.edited != nil {
		return *p.edited
	}
	for i, extreme := range []float64{-math.MaxFloat32, math.MaxFloat32} {
		m := materialSource{}
		p.set(&m, slices.Repeat([]float64{extreme}, p.width()))
		out[i] = p.get(&m)[0]
	}
	return limits{min(out[0], out[1]), max(out[0], out[1])}
}

// takeNumbers reads the numbers of a property.
func (p *materialProperty) takeNumbers(said json.RawMessage, m *materialSource) (err error) {
	var v [4]float64
	if p.width() == 1 {
		err = json.Unmarshal(said, &v[0])
	} else {
		err = json.Unmarshal(said, &v)
	}
	if err == nil && !(p.draft && v == [4]float64{}) {
		p.set(m, v[:p.width()])
	}
	return err
}

// TextureInfo is how the file that is being written refers to a texture; nil for none.
type TextureInfo func(TextureRef) *gltf.TextureInfo

// Extensions are what a file must say of a material besides what glTF itself has.
func (m *Material) Extensions(texture TextureInfo) gltf.Extensions {
	extensions := gltf.Extensions{}
	for _, row := range materialExtensions {
		if row.has(m) {
			extensions[row.name] = row.give(m, texture)
		}
	}
	return extensions
}

// give is what a file says of a material by the extension.
func (row *materialExtension) give(m *Material, texture TextureInfo) map[string]any {
	out, source := map[string]any{}, materialSource{Material: *m}
	for _, p := range row.properties {
		switch {
		case p.of != nil && p.form != nil && !p.draft:
			if number, ok := p.of(&source).(*float32); !ok || !math.IsInf(float64(*number), 0) {
				out[p.name] = p.of(&source)
			}
		case p.of != nil || p.use == TextureUses:
		default:
			if info := texture(m.Textures[p.use]); info != nil {
				out[p.name] = info
			}
		}
	}
	if info, there := out["clearcoatNormalTexture"].(*gltf.TextureInfo); there {
		out["clearcoatNormalTexture"] = gltf.NormalTexture{Extensions: info.Extensions, Index: gltf.Index(info.Index),
			TexCoord: info.TexCoord, Scale: gltf.Float(float64(m.Clearcoat.NormalScale))}
	}
	if row.write != nil {
		row.write(m, out)
	}
	return out
}

// Features are what kernels need for this material, textures included.
func (m *Material) Features() Feature {
	var features Feature
	for _, row := range materialExtensions {
		if row.needs != nil {
			features |= row.needs(m)
		} else if row.feature != 0 {
			features |= row.feature.when(row.has(m))
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
