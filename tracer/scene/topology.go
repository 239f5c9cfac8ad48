package scene

import (
	"fmt"
	"slices"

	"github.com/qmuntal/gltf"

	"glint/tracer/guard"
)

// faces lists the triangles of a primitive with vertices 0…vertices−1.
func (p *primitive) faces(vertices int) ([][3]uint32, error) {
	n := vertices
	var order []uint32
	var wrong error
	if p.Indices != nil {
		a, err := p.doc.accessor(*p.Indices)
		if err != nil {
			return nil, fmt.Errorf("indices: %w", err)
		}
		if a.components != 1 || !unsigned(a.kind) {
			return nil, fmt.Errorf("indices: accessor %d must hold unsigned integer scalars", *p.Indices)
		}
		if err := p.doc.reserve(a); err != nil {
			return nil, fmt.Errorf("indices: %w", err)
		}
		order, n = a.integers(), a.count
		wrong = checkIndices(order, vertices, a.kind)
	}
	count := triangleCount(p.Mode, n)
	if err := p.doc.scratch.Take("triangles", int64(count)*12); err != nil {
		return nil, err
	}
	out := guard.MakeLarge[[3]uint32](count)
	guard.All(count, func(i int) {
		out[i] = triangle(p.Mode, uint32(i))
		if order != nil {
			for c, v := range out[i] {
				out[i][c] = order[v]
			}
		}
	})
	if wrong == nil {
		return out, nil
	}
	out = slices.DeleteFunc(out, func(f [3]uint32) bool { return int64(max(f[0], f[1], f[2])) >= int64(vertices) })
	if len(out) == 0 {
		return nil, wrong
	}
	p.doc.warn.about(p.name, p.shown, "%v: %d triangles are left out", wrong, count-len(out))
	return out, nil
}

func unsigned(kind gltf.ComponentType) bool {
	return kind == gltf.ComponentUbyte || kind == gltf.ComponentUshort || kind == gltf.ComponentUint
}

// checkIndices refuses indices without a vertex; the largest value would restart the primitive, which glTF forbids (§3.7.2.1).
func checkIndices(order []uint32, vertices int, kind gltf.ComponentType) error {
	restart := uint32(uint64(1)<<(8*kind.ByteSize()) - 1) // 0xff, 0xffff, 0xffffffff
	for at, v := range order {
		if v == restart {
			return fmt.Errorf("index %d is %d, the primitive restart value, which glTF forbids", at, v)
		}
		if int64(v) >= int64(vertices) {
			return fmt.Errorf("index %d is %d, out of range: there are %d vertices", at, v, vertices)
		}
	}
	return nil
}

func triangleCount(mode gltf.PrimitiveMode, n int) int {
	if mode == gltf.PrimitiveTriangles {
		return n / 3
	}
	return max(0, n-2)
}

// triangle is the i-th triangle of a list, strip or fan (glTF 2.0 §3.7.2.1).
func triangle(mode gltf.PrimitiveMode, i uint32) [3]uint32 {
	switch mode {
	case gltf.PrimitiveTriangleStrip:
		return [3]uint32{i, i + 1 + i%2, i + 2 - i%2}
	case gltf.PrimitiveTriangleFan:
		return [3]uint32{i + 1, i + 2, 0}
	default:
		return [3]uint32{3 * i, 3*i + 1, 3*i + 2}
	}
}
