package tracer

import (
	"slices"

	"glint/cuda"
)

// featureRows say which features of enum cuda.Feature a scene has. What is missing here counts as there, which costs time but
// not the image.
var featureRows = []struct {
	feature uint32
	has     func(p *Prepared) bool
}{
	{cuda.FeatureAlpha, (*Prepared).tested},
	{cuda.FeatureMedia, (*Prepared).scatters},
	{cuda.FeatureGlass, ofMaterial(func(m *cuda.Material) bool { return m.Transmission > 0 && m.Flags&cuda.MaterialThin == 0 })},
	{cuda.FeatureThin, ofMaterial(func(m *cuda.Material) bool { return m.Transmission > 0 && m.Flags&cuda.MaterialThin != 0 })},
	{cuda.FeaturePaint, ofMaterial(func(m *cuda.Material) bool { return m.Flags&cuda.MaterialPaint != 0 })},
	{cuda.FeatureUnlit, ofMaterial(func(m *cuda.Material) bool { return m.Flags&cuda.MaterialUnlit != 0 })},
	{cuda.FeatureSky, func(p *Prepared) bool { return p.environment.width > 0 }},
	{cuda.FeatureEmitters, ofLight(func(l *cuda.Light) bool { return l.Kind == cuda.LightTriangle })},
	{cuda.FeaturePunctual, ofLight(func(l *cuda.Light) bool { return l.Kind != cuda.LightTriangle && l.Kind != cuda.LightEnvironment })},
	{cuda.FeatureColors, (*Prepared).colored},
	{cuda.FeatureUv1, ofTexture(func(t cuda.TextureRef) bool { return t.UvSet != 0 })},
	{cuda.FeatureSpecular, ofMaterial(specular)},
	{cuda.FeatureInstances, func(p *Prepared) bool { return len(p.Scene.Instances) > 0 }},
}

// lacks is what kernels need no code for in this scene (enum cuda.Feature).
func (p *Prepared) lacks() uint32 {
	var lacks uint32
	for _, row := range featureRows {
		if !row.has(p) {
			lacks |= row.feature
		}
	}
	for use := range cuda.TextureUses {
		if !p.hasTexture(use) {
			lacks |= cuda.FeatureTextures << use
		}
	}
	return lacks
}

func ofMaterial(is func(m *cuda.Material) bool) func(p *Prepared) bool {
	return func(p *Prepared) bool {
		return slices.ContainsFunc(p.materials, func(m cuda.Material) bool { return is(&m) })
	}
}

func ofLight(is func(l *cuda.Light) bool) func(p *Prepared) bool {
	return func(p *Prepared) bool {
		return slices.ContainsFunc(p.lights, func(l cuda.Light) bool { return is(&l) })
	}
}

func specular(m *cuda.Material) bool {
	return m.Specular != 1 || m.SpecularColor != [3]float32{1, 1, 1} || m.Textures[cuda.TextureSpecular].Texture >= 0 || m.Textures[cuda.TextureSpecularColor].Texture >= 0
}

func ofTexture(is func(t cuda.TextureRef) bool) func(p *Prepared) bool {
	return ofMaterial(func(m *cuda.Material) bool {
		return slices.ContainsFunc(m.Textures[:], func(t cuda.TextureRef) bool { return t.Texture >= 0 && is(t) })
	})
}

// hasTexture tells whether some material has a texture for a use.
func (p *Prepared) hasTexture(use uint32) bool {
	return slices.ContainsFunc(p.materials, func(m cuda.Material) bool { return m.Textures[use].Texture >= 0 })
}

// tested tells whether rays must look up alpha anywhere.
func (p *Prepared) tested() bool {
	tested := func(t cuda.Triangle) bool { return t.Material&cuda.AlphaBit != 0 }
	return slices.ContainsFunc(p.triangles, tested) ||
		slices.ContainsFunc(p.meshes, func(m preparedMesh) bool { return slices.ContainsFunc(m.triangles, tested) })
}

// scatters tells whether paths may be scattered inside some volume.
func (p *Prepared) scatters() bool {
	return slices.ContainsFunc(p.materials, func(m cuda.Material) bool { return m.Scattering != [3]float32{} })
}

// colored tells whether some vertex is not white.
func (p *Prepared) colored() bool {
	const white = 0xffffffff
	return slices.ContainsFunc(p.vertices, func(v cuda.Vertex) bool { return v.ColorRG != white || v.ColorBA&0xffff != 0xffff })
}
