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
	count  func(doc *document) int
}

var (
	animatedNode     = animated{"node", "/nodes/", func(doc *document) int { return len(doc.Nodes) }}
	animatedMaterial = animated{"material", "/materials/", func(doc *document) int { return len(doc.Materials) }}
	animatedLight    = animated{"light", "/extensions/KHR_lights_punctual/lights/", func(doc *document) int { return len(lightsOf(doc)) }}
	animatedCamera   = animated{"camera", "/cameras/", func(doc *document) int { return len(doc.Cameras) }}
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

	{&animatedLight, "color", 3, relights, ofLight(func(s *lightSource, v []float64) { copy(s.color[:], v) })},
	{&animatedLight, "intensity", 1, relights, ofLight(func(s *lightSource, v []float64) { s.intensity = v[0] })},
	{&animatedLight, "range", 1, plain, ofLight(func(s *lightSource, v []float64) { s.reach = max(v[0], math.SmallestNonzeroFloat32) })},
	{&animatedLight, "spot/innerConeAngle", 1, plain, ofLight(func(s *lightSource, v []float64) { s.inner = v[0] })},
	{&animatedLight, "spot/outerConeAngle", 1, relights, ofLight(func(s *lightSource, v []float64) { s.outer = v[0] })},

	{&animatedCamera, "perspective/yfov", 1, plain, ofCamera(func(c *lens, v []float64) { c.yfov = bounded(v[0], c.yfov, math.Pi-narrowestView) })},
	{&animatedCamera, "orthographic/ymag", 1, plain, ofCamera(func(c *lens, v []float64) { c.ymag = bounded(math.Abs(v[0]), c.ymag, largest) })},
}, materialProperties(), transformProperties())

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

// ofMaterial is the row of a material's property.
func ofMaterial(path string, width int, effect effect, set func(m *materialSource, v []float64)) property {
	return property{&animatedMaterial, path, width, effect, func(now *moment, at int, v []float64) {
		if m := now.materials[at]; m != nil {
			set(m, v)
		}
	}}
}

// plainFactors are the numbers of a material without extensions that clips change.
var plainFactors = []materialProperty{
	{name: "pbrMetallicRoughness/baseColorFactor", bound: least0, of: func(m *materialSource) any { return &m.BaseColor }},
	{name: "pbrMetallicRoughness/metallicFactor", bound: unit32, of: func(m *materialSource) any { return &m.Metallic }},
	{name: "pbrMetallicRoughness/roughnessFactor", bound: unit32, of: func(m *materialSource) any { return &m.Roughness }},
	{name: "normalTexture/scale", bound: finite32, of: func(m *materialSource) any { return &m.NormalScale }},
	{name: "emissiveFactor", bound: least0, relights: true, of: func(m *materialSource) any { return &m.Emission }},
	{name: "alphaCutoff", bound: finite32, of: func(m *materialSource) any { return &m.AlphaCutoff }},
}

// materialProperties are the factors of materials and of their extensions.
func materialProperties() (out []property) {
	add := func(prefix string, list []materialProperty) {
		for i := range list {
			p, effect := &list[i], plain
			if p.relights {
				effect = relights
			}
			if p.of != nil {
				out = append(out, ofMaterial(prefix+p.name, p.width(), effect, p.set))
			}
		}
	}
	add("", plainFactors)
	for _, row := range materialExtensions {
		add("extensions/"+row.name+"/", row.properties)
	}
	return out
}

// textureSlots are where materials of files have their textures.
var textureSlots = findTextureSlots()

func findTextureSlots() [TextureUses][]string {
	slots := [TextureUses][]string{
		TextureBaseColor:         {"pbrMetallicRoughness/baseColorTexture"},
		TextureMetallicRoughness: {"pbrMetallicRoughness/metallicRoughnessTexture"},
		TextureNormal:            {"normalTexture"},
		TextureEmissive:          {"emissiveTexture"},
	}
	for _, row := range materialExtensions {
		for _, p := range row.properties {
			if p.of == nil && p.use < TextureUses {
				slots[p.use] = append(slots[p.use], "extensions/"+row.name+"/"+p.name)
			}
		}
	}
	return slots
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
				out = append(out, ofMaterial(slot+"/extensions/"+texturetransform.ExtensionName+"/"+name, width, plain, func(m *materialSource, v []float64) {
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
