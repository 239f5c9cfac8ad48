package gpuscene

import (
	"slices"

	"glint/cuda"
	"glint/tracer/scene"
)

// featureRows say which features of enum Feature a scene has besides those of its materials. What is missing here and
// there counts as needed, which costs time but not the image.
var featureRows = []struct {
	feature scene.Feature
	has     func(p *Prepared) bool
}{
	{scene.FeatureAlpha, func(p *Prepared) bool { return p.geometry.tested() }},
	{scene.FeatureSky, func(p *Prepared) bool { return p.environment.width > 0 }},
	{scene.FeatureEmitters, ofLight(func(l *cuda.Light) bool { return l.Kind == cuda.LightTriangle })},
	{scene.FeaturePunctual, ofLight(func(l *cuda.Light) bool { return l.Kind != cuda.LightTriangle && l.Kind != cuda.LightEnvironment })},
	{scene.FeatureColors, func(p *Prepared) bool { return p.geometry.colored() }},
	{scene.FeatureLightTree, func(p *Prepared) bool { return p.lights.tree.share > 0 }},
	{scene.FeatureMipmaps, func(p *Prepared) bool { return len(p.textures.mipmapped) > 0 }},
	{scene.FeatureDeep, func(p *Prepared) bool { return p.textures.deep() }},
	{scene.FeatureInstances, func(p *Prepared) bool { return len(p.drawn.Instances) > 0 }},
	{scene.FeatureNested, func(p *Prepared) bool { return nests(p.drawn) }},
}

// lacks is what kernels need no code for in this scene (enum Feature).
func (p *Prepared) lacks() uint32 {
	lacks := scene.MaterialFeatures()
	for i := range p.drawn.Materials {
		lacks &^= p.drawn.Features(uint32(i))
	}
	for _, row := range featureRows {
		if !row.has(p) {
			lacks |= row.feature
		}
	}
	if slices.Contains(p.materials.holes, true) {
		lacks &^= scene.FeatureAlpha | scene.FeatureThin | scene.FeaturePanes // a hole is a pane
	}
	if lacks&scene.FeatureNested == 0 {
		lacks &^= scene.FeatureVolumes // of clear ones, too, a path must know which it is in
	}
	return uint32(lacks)
}

// HasGlass tells whether light passes through anything in the scene, which paths keep track of.
func (p *Prepared) HasGlass() bool {
	return cuda.KeepsPassage(p.lacks())
}

func ofLight(is func(l *cuda.Light) bool) func(p *Prepared) bool {
	return func(p *Prepared) bool {
		return slices.ContainsFunc(p.lights.table, func(l cuda.Light) bool { return is(&l) })
	}
}
