package scene

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/qmuntal/gltf"

	"glint/tracer/guard"
)

// shape is one primitive in its mesh's space, ready to be placed.
type shape struct {
	vertices []Vertex
	faces    [][3]uint32
	material uint32
	binding  *binding // nil when nothing is skinned
	box      Bounds
	targets  []MorphTarget // kept where weights change; then vertices are those at weight 0
	flat     bool          // faces have normals of their own, which follow the morphs
}

// primitive is one of a mesh that is being read.
type primitive struct {
	*gltf.Primitive
	doc   *document
	name  string // in warnings
	shown []subject
	looks []float64 // morph weights for colours and texture coordinates, which do not change with a clip
}

// spare reports something that the primitive is drawn without.
func (p *primitive) spare(err error, instead string) error {
	return p.doc.spare(p.name, p.shown, err, instead)
}

// attribute says how one vertex attribute is read.
type attribute struct {
	components [2]int // fewest and most
	normalized bool   // integers are fractions whatever the flag says
}

// attributeTable is the forms that vertex attributes may have (glTF 2.0 §3.7.2.1 and KHR_mesh_quantization).
var attributeTable = map[string]attribute{
	gltf.POSITION: {components: [2]int{3, 3}},
	gltf.NORMAL:   {components: [2]int{3, 3}, normalized: true},
	gltf.TANGENT:  {components: [2]int{3, 4}, normalized: true}, // 3 in morph targets
	"TEXCOORD":    {components: [2]int{2, 2}},
	gltf.COLOR_0:  {components: [2]int{3, 4}, normalized: true},
	"WEIGHTS":     {components: [2]int{4, 4}, normalized: true},
}

// present says which attributes a primitive came with.
type present struct {
	normal, tangent bool
	lost            bool // a normal has no direction
}

const vertexBytes = 72

// vertices reads all attributes that glint uses, morphed.
func (p *primitive) vertices(weights []float64, uv uvSets) ([]Vertex, present, error) {
	var has present
	at, ok := p.Attributes[gltf.POSITION]
	if !ok {
		return nil, has, errNoPosition
	}
	count := p.doc.Accessors[at].Count
	position, err := p.attribute(gltf.POSITION, count, weights)
	if err != nil {
		return nil, has, err
	}
	if err := p.doc.scratch.Take("vertices", int64(count)*vertexBytes); err != nil {
		return nil, has, err
	}
	out := guard.MakeLarge[Vertex](count)
	guard.InChunks(count, func(_, begin, end int) {
		for i := begin; i < end; i++ {
			out[i].Position = mgl32.Vec3(position[3*i : 3*i+3])
			out[i].Color = mgl32.Vec4{1, 1, 1, 1}
		}
	})
	for _, read := range []func([]Vertex, []float64, *present) error{
		p.readNormals, p.readTangents, p.readColors,
	} {
		if err := read(out, weights, &has); err != nil {
			if err := p.spare(err, "drawn without it"); err != nil {
				return nil, has, err
			}
		}
	}
	return out, has, p.readUVs(out, uv)
}

var errNoPosition = errors.New("has no POSITION attribute")

func (p *primitive) readNormals(out []Vertex, weights []float64, has *present) error {
	v, err := p.attribute(gltf.NORMAL, len(out), weights)
	if err != nil || v == nil {
		return err
	}
	has.normal = true
	lost := guard.OfChunks(len(out), func(begin, end int) (lost bool) {
		for i := begin; i < end; i++ {
			out[i].Normal = unitOr(mgl32.Vec3(v[3*i:3*i+3]), mgl32.Vec3{})
			lost = lost || out[i].Normal == mgl32.Vec3{}
		}
		return lost
	})
	has.lost = slices.Contains(lost, true)
	return nil
}

func (p *primitive) readTangents(out []Vertex, weights []float64, has *present) error {
	v, err := p.attribute(gltf.TANGENT, len(out), weights)
	if err != nil || v == nil || !has.normal { // without normals, tangents must be ignored (§3.7.2.1)
		return err
	}
	if len(v) != 4*len(out) {
		return errors.New("TANGENT must have 4 components")
	}
	has.tangent = true
	guard.InChunks(len(out), func(_, begin, end int) {
		for i := begin; i < end; i++ {
			out[i].Tangent = mgl32.Vec4(v[4*i : 4*i+4])
		}
	})
	return nil
}

func (p *primitive) readColors(out []Vertex, _ []float64, _ *present) error {
	v, err := p.attribute(gltf.COLOR_0, len(out), p.looks)
	if err != nil || v == nil {
		return err
	}
	n := len(v) / len(out)
	guard.InChunks(len(out), func(_, begin, end int) {
		for i := begin; i < end; i++ {
			for c, x := range v[i*n : i*n+n] {
				out[i].Color[c] = max(0, min(1, x))
				if x != x {
					out[i].Color[c] = 1
				}
			}
		}
	})
	return nil
}

// attribute reads one attribute of count elements with its morph targets applied; nil when the primitive has none.
func (p *primitive) attribute(name string, count int, weights []float64) ([]float32, error) {
	index, ok := p.Attributes[name]
	if !ok {
		return nil, nil
	}
	out, components, err := readElements(p.doc, name, index, count)
	if err != nil {
		return nil, err
	}
	for t, weight := range weights {
		if t >= len(p.Targets) || weight == 0 {
			continue
		}
		index, ok := p.Targets[t][name]
		if !ok {
			continue
		}
		delta, n, err := readElements(p.doc, name, index, count)
		if err != nil {
			if err := p.spare(fmt.Errorf("morph target %d: %w", t, err), "left out"); err != nil {
				return nil, err
			}
			continue
		}
		for i := range count {
			for c := range min(n, components) {
				out[i*components+c] += float32(weight) * delta[i*n+c]
			}
		}
	}
	return out, nil
}

// readElements reads one accessor as the named attribute.
func readElements(doc *document, name string, index, count int) ([]float32, int, error) {
	a, err := doc.accessor(index)
	if err != nil {
		return nil, 0, fmt.Errorf("%s: %w", name, err)
	}
	kind, _, _ := strings.Cut(name, "_")
	form, ok := attributeTable[name]
	if !ok {
		form = attributeTable[kind]
	}
	if a.components < form.components[0] || a.components > form.components[1] || doc.isMatrix(index) {
		return nil, 0, fmt.Errorf("%s: accessor %d has %d components", name, index, a.components)
	}
	if a.kind == gltf.ComponentUint {
		return nil, 0, fmt.Errorf("%s: accessor %d must not hold 32-bit integers", name, index)
	}
	if a.count != count {
		return nil, 0, fmt.Errorf("%s: accessor %d has %d elements, POSITION has %d", name, index, a.count, count)
	}
	if err := doc.reserve(a); err != nil {
		return nil, 0, fmt.Errorf("%s: accessor %d: %w", name, index, err)
	}
	a.normalized = a.normalized || form.normalized
	return a.floats(), a.components, nil
}
