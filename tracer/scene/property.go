package scene

import (
	"math"
	"slices"
	"strings"

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

// property is what channels and edits change. Values are numbers of at most largest, or what lies between some; set bounds them as the
// file's own are.
type property struct {
	of     *animated
	path   string // from the object on, as pointers have it
	width  int    // numbers of a value; 0: as many as there are
	effect Effect
	limits limits
	set    func(now *moment, at int, v []float64)
	get    func(now *moment, at int) []float64 // nil where the object has no such property
	row    *materialExtension                  // that it is of; nil for none
	slot   string                              // of the texture that it is of, as textureSlots have it; empty for none
	draft  bool                                // another name of a property
}

// Effect is what follows from a change of a property.
type Effect int

// The effects of properties.
const (
	Recolors Effect = iota // of a look or a lens alone
	Moves                  // the node and all below it
	Turns                  // the same, by a unit quaternion x, y, z, w
	Morphs                 // what the node draws has another shape
	Blinks                 // whether the node is drawn, from one key frame to the next: 0 or 1
	Relights               // a light is brighter or darker
)

// properties are all that clips and edits change.
var properties = slices.Concat([]property{
	ofNode("translation", Moves, anyNumber, func(n *gltf.Node) []float64 { return n.Translation[:] }),
	ofNode("rotation", Turns, unitVector, func(n *gltf.Node) []float64 { return n.Rotation[:] }),
	ofNode("scale", Moves, anyNumber, func(n *gltf.Node) []float64 { return n.Scale[:] }),
	{
		of: &animatedNode, path: "weights", effect: Morphs, limits: anyNumber,
		set: func(now *moment, at int, v []float64) { now.nodes.nodes[at].Weights = slices.Clone(v) },
		get: func(now *moment, at int) []float64 { return slices.Clone(now.nodes.nodes[at].Weights) },
	},
	{
		of: &animatedNode, path: "extensions/KHR_node_visibility/visible", width: 1, effect: Blinks, limits: share,
		set: func(now *moment, at int, v []float64) { now.hidden[at] = v[0] == 0 },
		get: func(now *moment, at int) []float64 {
			if now.hidden[at] {
				return []float64{0}
			}
			return []float64{1}
		},
	},

	ofLight("color", Relights, share, func(s *lightSource) []*float64 { return []*float64{&s.color[0], &s.color[1], &s.color[2]} }),
	ofLight("intensity", Relights, notBelow0, func(s *lightSource) []*float64 { return []*float64{&s.intensity} }),
	ofLight("range", Recolors, limits{math.SmallestNonzeroFloat32, largest}, func(s *lightSource) []*float64 { return []*float64{&s.reach} }),
	ofLight("spot/innerConeAngle", Recolors, coneAngle, func(s *lightSource) []*float64 { return s.cone(&s.inner) }),
	ofLight("spot/outerConeAngle", Relights, coneAngle, func(s *lightSource) []*float64 { return s.cone(&s.outer) }),

	ofCamera("perspective/yfov", math.Pi-narrowestView, func(c *lens) *float64 { return &c.yfov }),
	ofCamera("orthographic/ymag", largest, func(c *lens) *float64 { return &c.ymag }),
}, materialProperties(), transformProperties())

// ofNode is the row of a node's property.
func ofNode(path string, effect Effect, most limits, field func(n *gltf.Node) []float64) property {
	return property{
		of: &animatedNode, path: path, width: len(field(&gltf.Node{})), effect: effect, limits: most,
		set: func(now *moment, at int, v []float64) { copy(field(&now.nodes.nodes[at]), v) },
		get: func(now *moment, at int) []float64 {
			if n := &now.nodes.nodes[at]; n.Matrix == gltf.DefaultMatrix {
				return slices.Clone(field(n))
			}
			return nil
		},
	}
}

// ofLight is the row of a light's property; its field has no numbers where the light has no such property.
func ofLight(path string, effect Effect, most limits, field func(s *lightSource) []*float64) property {
	return property{
		of: &animatedLight, path: path, width: len(field(&lightSource{kind: LightSpot})), effect: effect, limits: most,
		set: func(now *moment, at int, v []float64) {
			if s := now.lights[at]; s != nil {
				for i, to := range field(s) {
					*to = max(v[i], most[0])
				}
			}
		},
		get: func(now *moment, at int) (out []float64) {
			if s := now.lights[at]; s != nil {
				for _, from := range field(s) {
					out = append(out, *from)
				}
			}
			return out
		},
	}
}

// cone is a number of spots alone.
func (s *lightSource) cone(angle *float64) []*float64 {
	if s.kind != LightSpot {
		return nil
	}
	return []*float64{angle}
}

// narrowestView is what clips and edits leave of a camera's view, radians or metres.
const narrowestView = 1e-3

// ofCamera is the row of a lens's number; a lens that has 0 for it has none, and gets none.
func ofCamera(path string, most float64, field func(c *lens) *float64) property {
	return property{
		of: &animatedCamera, path: path, width: 1, limits: limits{narrowestView, most},
		set: func(now *moment, at int, v []float64) {
			if c := now.cameras[at]; c != nil && *field(c) != 0 {
				*field(c) = max(narrowestView, min(math.Abs(v[0]), most))
			}
		},
		get: func(now *moment, at int) []float64 {
			if c := now.cameras[at]; c != nil && *field(c) != 0 {
				return []float64{*field(c)}
			}
			return nil
		},
	}
}

// ofMaterial is the row of a material's property.
func ofMaterial(p property, set func(m *materialSource, v []float64), get func(m *materialSource) []float64) property {
	p.of = &animatedMaterial
	p.set = func(now *moment, at int, v []float64) {
		if m := now.materials[at]; m != nil {
			set(m, v)
		}
	}
	p.get = func(now *moment, at int) []float64 {
		if m := now.materials[at]; m != nil {
			return get(m)
		}
		return nil
	}
	return p
}

// plainFactors are the numbers of a material without extensions that clips and edits change.
var plainFactors = []materialProperty{
	{name: "pbrMetallicRoughness/baseColorFactor", bound: least0, edited: &share, of: func(m *materialSource) any { return &m.BaseColor }},
	{name: "pbrMetallicRoughness/metallicFactor", bound: unit32, of: func(m *materialSource) any { return &m.Metallic }},
	{name: "pbrMetallicRoughness/roughnessFactor", bound: unit32, of: func(m *materialSource) any { return &m.Roughness }},
	{name: "normalTexture/scale", bound: finite32, of: func(m *materialSource) any { return &m.NormalScale }},
	{name: "emissiveFactor", bound: least0, edited: &share, relights: true, of: func(m *materialSource) any { return &m.Emission }},
	{name: "alphaCutoff", bound: finite32, edited: &notBelow0, of: func(m *materialSource) any { return &m.AlphaCutoff }},
}

// materialProperties are the factors of materials and of their extensions.
func materialProperties() (out []property) {
	add := func(prefix string, list []materialProperty, row *materialExtension) {
		for i := range list {
			p, effect := &list[i], Recolors
			if p.relights {
				effect = Relights
			}
			if p.of == nil {
				continue
			}
			slot, ofTexture := strings.CutSuffix(prefix+p.name, "/scale")
			if !ofTexture {
				slot = ""
			}
			out = append(out, ofMaterial(property{
				path: prefix + p.name, width: p.width(), effect: effect, limits: p.limits(), row: row, slot: slot, draft: p.draft,
			}, p.set, p.get))
		}
	}
	add("", plainFactors, nil)
	for i := range materialExtensions {
		row := &materialExtensions[i]
		add("extensions/"+row.name+"/", row.properties, row)
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

// transformProperties are KHR_texture_transform's, of each slot.
func transformProperties() (out []property) {
	type transform = texturetransform.TextureTranform
	for use, slots := range textureSlots {
		use := TextureUse(use)
		row := func(name string, field func(t *transform) []*float64) {
			for _, slot := range slots {
				out = append(out, ofMaterial(property{
					path: slot + "/extensions/" + texturetransform.ExtensionName + "/" + name, width: len(field(new(transform))), limits: anyNumber,
					row: extensionOf(slot), slot: slot,
				}, func(m *materialSource, v []float64) {
					m.transform(use, func(t *transform) {
						for i, to := range field(t) {
							*to = v[i]
						}
					})
				}, func(m *materialSource) (out []float64) {
					t := m.transformOf(use)
					for _, from := range field(&t) {
						out = append(out, *from)
					}
					return out
				}))
			}
		}
		row("offset", func(t *transform) []*float64 { return []*float64{&t.Offset[0], &t.Offset[1]} })
		row("rotation", func(t *transform) []*float64 { return []*float64{&t.Rotation} })
		row("scale", func(t *transform) []*float64 { return []*float64{&t.Scale[0], &t.Scale[1]} })
	}
	return out
}

// extensionOf is the row of the extension that a path of a material is in; nil for none.
func extensionOf(path string) *materialExtension {
	for i := range materialExtensions {
		if row := &materialExtensions[i]; strings.HasPrefix(path, "extensions/"+row.name+"/") {
			return row
		}
	}
	return nil
}
