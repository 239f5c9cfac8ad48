package scene

import (
	"math"
	"slices"

	"github.com/qmuntal/gltf"
	"github.com/qmuntal/gltf/ext/texturetransform"
)

// moment is a file at one time of a clip, as far as clips change it. Objects go by their index in the file.
type moment struct {
	nodes     hierarchy
	hidden    []bool                  // nodes, by themselves
	materials map[int]*materialSource // those that clips change; nil where nothing is drawn with it
	lights    map[int]*lightSource
	cameras   map[int]*lens
}

// clone is a moment that can be changed.
func (now *moment) clone() *moment {
	return &moment{
		nodes:     hierarchy{nodes: slices.Clone(now.nodes.nodes), order: now.nodes.order, parents: now.nodes.parents},
		hidden:    slices.Clone(now.hidden),
		materials: copies(now.materials), lights: copies(now.lights), cameras: copies(now.cameras),
	}
}

func copies[T any](of map[int]*T) map[int]*T {
	out := make(map[int]*T, len(of))
	for at, v := range of {
		if v != nil {
			own := *v
			out[at] = &own
		}
	}
	return out
}

// animated is a kind of object that clips change.
type animated struct {
	name   string // in messages
	prefix string // of pointers to one
}

var (
	animatedNode     = animated{"node", "/nodes/"}
	animatedMaterial = animated{"material", "/materials/"}
	animatedLight    = animated{"light", "/extensions/KHR_lights_punctual/lights/"}
	animatedCamera   = animated{"camera", "/cameras/"}
)

// property is what a channel changes. Values are numbers of at most largest, or what lies between some; set bounds them as the
// file's own are.
type property struct {
	of     *animated
	path   string // from the object on, as pointers have it
	width  int    // numbers of a value; 0: as many as there are
	effect effect
	set    func(now *moment, at int, v []float64)
}

// effect is what follows from a change of a property.
type effect int

const (
	plain    effect = iota
	moves           // of the node and all below it
	turns           // the same, by a unit quaternion x, y, z, w
	morphs          // what the node draws has another shape
	blinks          // whether the node is drawn, from one key frame to the next
	relights        // a light is brighter or darker
)

// properties are all that clips change.
var properties = slices.Concat([]property{
	{&animatedNode, "translation", 3, moves, ofNode(func(n *gltf.Node, v []float64) { copy(n.Translation[:], v) })},
	{&animatedNode, "rotation", 4, turns, ofNode(func(n *gltf.Node, v []float64) { copy(n.Rotation[:], v) })},
	{&animatedNode, "scale", 3, moves, ofNode(func(n *gltf.Node, v []float64) { copy(n.Scale[:], v) })},
	{&animatedNode, "weights", 0, morphs, ofNode(func(n *gltf.Node, v []float64) { n.Weights = slices.Clone(v) })},
	{&animatedNode, "extensions/KHR_node_visibility/visible", 1, blinks, func(now *moment, at int, v []float64) { now.hidden[at] = v[0] == 0 }},

	factor("pbrMetallicRoughness/baseColorFactor", 4, func(m *materialSource, v []float64) { m.BaseColor = vec4([4]float64(v)) }),
	factor("pbrMetallicRoughness/metallicFactor", 1, func(m *materialSource, v []float64) { m.Metallic = unit32(v[0]) }),
	factor("pbrMetallicRoughness/roughnessFactor", 1, func(m *materialSource, v []float64) { m.Roughness = unit32(v[0]) }),
	factor("normalTexture/scale", 1, func(m *materialSource, v []float64) { m.NormalScale = finite32(v[0]) }),
	emission("emissiveFactor", 3, func(m *materialSource, v []float64) { m.Emission = vec3([3]float64(v)) }),
	factor("alphaCutoff", 1, func(m *materialSource, v []float64) { m.AlphaCutoff = finite32(v[0]) }),
	factor("extensions/KHR_materials_anisotropy/anisotropyStrength", 1, func(m *materialSource, v []float64) { m.Anisotropy.Strength = unit32(v[0]) }),
	factor("extensions/KHR_materials_anisotropy/anisotropyRotation", 1, func(m *materialSource, v []float64) { m.Anisotropy.Rotation = finite32(v[0]) }),
	factor("extensions/KHR_materials_clearcoat/clearcoatFactor", 1, func(m *materialSource, v []float64) { m.Clearcoat.Factor = unit32(v[0]) }),
	factor("extensions/KHR_materials_clearcoat/clearcoatRoughnessFactor", 1, func(m *materialSource, v []float64) { m.Clearcoat.Roughness = unit32(v[0]) }),
	factor("extensions/KHR_materials_clearcoat/clearcoatNormalTexture/scale", 1, func(m *materialSource, v []float64) { m.Clearcoat.NormalScale = finite32(v[0]) }),
	factor("extensions/KHR_materials_diffuse_transmission/diffuseTransmissionFactor", 1, func(m *materialSource, v []float64) { m.Translucency.Factor = unit32(v[0]) }),
	factor("extensions/KHR_materials_diffuse_transmission/diffuseTransmissionColorFactor", 3, func(m *materialSource, v []float64) { m.Translucency.Color = unitColor([3]float64(v)) }),
	factor("extensions/KHR_materials_dispersion/dispersion", 1, func(m *materialSource, v []float64) { m.Dispersion = max(0, finite32(v[0])) }),
	emission("extensions/KHR_materials_emissive_strength/emissiveStrength", 1, func(m *materialSource, v []float64) { m.emissiveStrength = max(0, v[0]) }),
	factor("extensions/KHR_materials_ior/ior", 1, func(m *materialSource, v []float64) { m.IOR = index32(v[0]) }),
	factor("extensions/KHR_materials_iridescence/iridescenceFactor", 1, func(m *materialSource, v []float64) { m.Iridescence.Factor = unit32(v[0]) }),
	factor("extensions/KHR_materials_iridescence/iridescenceIor", 1, func(m *materialSource, v []float64) { m.Iridescence.IOR = finite32(max(1, v[0])) }),
	factor("extensions/KHR_materials_iridescence/iridescenceThicknessMinimum", 1, func(m *materialSource, v []float64) { m.Iridescence.Minimum = filmThickness(v[0]) }),
	factor("extensions/KHR_materials_iridescence/iridescenceThicknessMaximum", 1, func(m *materialSource, v []float64) { m.Iridescence.Maximum = filmThickness(v[0]) }),
	factor("extensions/KHR_materials_pbrSpecularGlossiness/diffuseFactor", 4, func(m *materialSource, v []float64) { m.BaseColor = vec4([4]float64(v)) }),
	factor("extensions/KHR_materials_pbrSpecularGlossiness/glossinessFactor", 1, func(m *materialSource, v []float64) { m.Roughness = 1 - unit32(v[0]) }),
	factor("extensions/KHR_materials_pbrSpecularGlossiness/specularFactor", 3, func(m *materialSource, v []float64) { m.SpecularColor = reflectanceColor([3]float64(v)) }),
	factor("extensions/KHR_materials_sheen/sheenColorFactor", 3, func(m *materialSource, v []float64) { m.Sheen.Color = unitColor([3]float64(v)) }),
	factor("extensions/KHR_materials_sheen/sheenRoughnessFactor", 1, func(m *materialSource, v []float64) { m.Sheen.Roughness = unit32(v[0]) }),
	factor("extensions/KHR_materials_specular/specularFactor", 1, func(m *materialSource, v []float64) { m.Specular = unit32(v[0]) }),
	factor("extensions/KHR_materials_specular/specularColorFactor", 3, func(m *materialSource, v []float64) { m.SpecularColor = vec3([3]float64(v)) }),
	factor("extensions/KHR_materials_transmission/transmissionFactor", 1, func(m *materialSource, v []float64) { m.Transmission = unit32(v[0]) }),
	factor("extensions/KHR_materials_volume/thicknessFactor", 1, func(m *materialSource, v []float64) { m.Thickness = max(0, finite32(v[0])) }),
	factor("extensions/KHR_materials_volume/attenuationDistance", 1, func(m *materialSource, v []float64) { m.AttenuationDistance = above0(v[0]) }),
	factor("extensions/KHR_materials_volume/attenuationColor", 3, func(m *materialSource, v []float64) { m.AttenuationColor = unitColor([3]float64(v)) }),
	factor("extensions/KHR_materials_volume_scatter/multiscatterColor", 3, func(m *materialSource, v []float64) { m.MultiscatterColor = unitColor([3]float64(v)) }),
	factor("extensions/KHR_materials_volume_scatter/multiscatterColorFactor", 3, func(m *materialSource, v []float64) { m.MultiscatterColor = unitColor([3]float64(v)) }),
	factor("extensions/KHR_materials_volume_scatter/scatterAnisotropy", 1, func(m *materialSource, v []float64) { m.ScatterAnisotropy = float32(max(-1, min(1, v[0]))) }),

	{&animatedLight, "color", 3, relights, ofLight(func(s *lightSource, v []float64) { copy(s.color[:], v) })},
	{&animatedLight, "intensity", 1, relights, ofLight(func(s *lightSource, v []float64) { s.intensity = v[0] })},
	{&animatedLight, "range", 1, plain, ofLight(func(s *lightSource, v []float64) { s.reach = max(v[0], math.SmallestNonzeroFloat32) })},
	{&animatedLight, "spot/innerConeAngle", 1, plain, ofLight(func(s *lightSource, v []float64) { s.inner = v[0] })},
	{&animatedLight, "spot/outerConeAngle", 1, relights, ofLight(func(s *lightSource, v []float64) { s.outer = v[0] })},

	{&animatedCamera, "perspective/yfov", 1, plain, ofCamera(func(c *lens, v []float64) { c.yfov = bounded(v[0], c.yfov, math.Pi-narrowestView) })},
	{&animatedCamera, "orthographic/ymag", 1, plain, ofCamera(func(c *lens, v []float64) { c.ymag = bounded(math.Abs(v[0]), c.ymag, largest) })},
}, transformProperties())

// narrowestView is what clips leave of a camera's view, radians or metres.
const narrowestView = 1e-3

// bounded is a lens's number v; a lens without that number gets none.
func bounded(v, was, most float64) float64 {
	if was == 0 {
		return 0
	}
	return max(narrowestView, min(v, most))
}

func ofNode(set func(n *gltf.Node, v []float64)) func(*moment, int, []float64) {
	return func(now *moment, at int, v []float64) { set(&now.nodes.nodes[at], v) }
}

// factor is the row of a material's property.
func factor(path string, width int, set func(m *materialSource, v []float64)) property {
	return property{of: &animatedMaterial, path: path, width: width, set: func(now *moment, at int, v []float64) {
		if m := now.materials[at]; m != nil {
			set(m, v)
		}
	}}
}

// emission is that of one that light comes from.
func emission(path string, width int, set func(m *materialSource, v []float64)) property {
	p := factor(path, width, set)
	p.effect = relights
	return p
}

func ofLight(set func(s *lightSource, v []float64)) func(*moment, int, []float64) {
	return func(now *moment, at int, v []float64) { set(now.lights[at], v) }
}

func ofCamera(set func(c *lens, v []float64)) func(*moment, int, []float64) {
	return func(now *moment, at int, v []float64) { set(now.cameras[at], v) }
}

// transformProperties are KHR_texture_transform's, of each slot.
func transformProperties() (out []property) {
	for use, slots := range textureSlots {
		use := TextureUse(use)
		row := func(name string, width int, set func(t *texturetransform.TextureTranform, v []float64)) {
			for _, slot := range slots {
				out = append(out, factor(slot+"/extensions/"+texturetransform.ExtensionName+"/"+name, width, func(m *materialSource, v []float64) {
					m.transform(use, func(t *texturetransform.TextureTranform) { set(t, v) })
				}))
			}
		}
		row("offset", 2, func(t *texturetransform.TextureTranform, v []float64) { copy(t.Offset[:], v) })
		row("rotation", 1, func(t *texturetransform.TextureTranform, v []float64) { t.Rotation = v[0] })
		row("scale", 2, func(t *texturetransform.TextureTranform, v []float64) { copy(t.Scale[:], v) })
	}
	return out
}
