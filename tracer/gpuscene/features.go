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
	{scene.FeatureAlpha, (*Prepared).tested},
	{scene.FeatureSky, func(p *Prepared) bool { return p.environment.width > 0 }},
	{scene.FeatureEmitters, ofLight(func(l *cuda.Light) bool { return l.Kind == cuda.LightTriangle })},
	{scene.FeaturePunctual, ofLight(func(l *cuda.Light) bool { return l.Kind != cuda.LightTriangle && l.Kind != cuda.LightEnvironment })},
	{scene.FeatureColors, (*Prepared).colored},
	{scene.FeatureLightTree, func(p *Prepared) bool { return p.lightTree.share > 0 }},
	{scene.FeatureMipmaps, func(p *Prepared) bool { return len(p.mipmapped) > 0 }},
	{scene.FeatureDeep, (*Prepared).hasDeep},
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
	if slices.Contains(p.holes, true) {
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
		return slices.ContainsFunc(p.lights, func(l cuda.Light) bool { return is(&l) })
	}
}

// tested tells whether rays must look up alpha anywhere.
func (p *Prepared) tested() bool {
	tested := func(t cuda.Triangle) bool { return t.Material&cuda.AlphaBit != 0 }
	return slices.ContainsFunc(p.triangles, tested) ||
		slices.ContainsFunc(p.meshes, func(m preparedMesh) bool { return slices.ContainsFunc(m.triangles, tested) })
}

// colored tells whether some vertex is not white.
func (p *Prepared) colored() bool {
	const white = 0xffffffff
	return slices.ContainsFunc(p.vertices, func(v cuda.Vertex) bool { return v.ColorRG != white || v.ColorBA&0xffff != 0xffff })
}

// scatters tells whether paths may be scattered inside some volume.
func (p *Prepared) scatters() bool {
	for i := range p.drawn.Materials {
		if p.drawn.Features(uint32(i))&scene.FeatureMedia != 0 {
			return true
		}
	}
	return false
}
