package scene

import (
	"fmt"
	"strings"

	"github.com/qmuntal/gltf"
)

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

// attribute reads one attribute of count elements with its morph targets applied; nil when the primitive has none.
func (p *primitive) attribute(name string, count int, weights []float64) ([]float32, error) {
	index, ok := p.Attributes[name]
	if !ok {
		return nil, nil
	}
	out, components, err := readAttribute(p.doc, name, index, count)
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
		delta, n, err := readAttribute(p.doc, name, index, count)
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

// readAttribute reads one accessor as the named attribute.
func readAttribute(doc *document, name string, index, count int) ([]float32, int, error) {
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
