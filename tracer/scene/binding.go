package scene

import (
	"fmt"

	"github.com/qmuntal/gltf"
)

// readBinding reads JOINTS_n and WEIGHTS_n, nil when the primitive has none.
func readBinding(doc *document, p *gltf.Primitive, count int) (*binding, error) {
	var sets []binding
	for n := 0; ; n++ {
		joints, ok := p.Attributes[fmt.Sprintf("JOINTS_%d", n)]
		name := fmt.Sprintf("WEIGHTS_%d", n)
		weights, weighted := p.Attributes[name]
		if !ok || !weighted {
			break
		}
		a, err := doc.accessor(joints)
		if err != nil {
			return nil, fmt.Errorf("JOINTS_%d: %w", n, err)
		}
		if a.components != 4 || a.count != count || !unsigned(a.kind) || doc.isMatrix(joints) {
			return nil, fmt.Errorf("JOINTS_%d: accessor %d must hold %d vectors of 4 unsigned integers", n, joints, count)
		}
		if err := doc.reserve(a); err != nil {
			return nil, fmt.Errorf("JOINTS_%d: %w", n, err)
		}
		w, _, err := readAttribute(doc, name, weights, count)
		if err != nil {
			return nil, err
		}
		if err := doc.scratch.Take("joints", int64(count)*4*8); err != nil { // beside what is read: all sets in one
			return nil, err
		}
		sets = append(sets, binding{joints: a.integers(), weights: w})
	}
	if len(sets) == 0 {
		return nil, nil
	}
	return joinSets(sets, count), nil
}

// joinSets interleaves the sets.
func joinSets(sets []binding, count int) *binding {
	out := &binding{per: 4 * len(sets)}
	for v := range count {
		for _, s := range sets {
			out.joints = append(out.joints, s.joints[4*v:4*v+4]...)
			for _, w := range s.weights[4*v : 4*v+4] {
				if !(w > 0 && w <= largest) {
					w = 0
				}
				out.weights = append(out.weights, w)
			}
		}
	}
	out.normalize()
	return out
}
