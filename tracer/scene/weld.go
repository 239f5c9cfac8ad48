package scene

import (
	"hash/maphash"
	"math"

	"github.com/go-gl/mathgl/mgl32"
)

// weldKey is the bits of a vertex's position, normal and texture coordinates. Bits, because a NaN equals nothing.
type weldKey [8]uint32

func newWeldKey(v *Vertex, uv mgl32.Vec2) weldKey {
	bits := func(x float32) uint32 { return math.Float32bits(x + 0) } // −0 becomes +0
	p, n := v.Position, v.Normal
	return weldKey{bits(p[0]), bits(p[1]), bits(p[2]), bits(n[0]), bits(n[1]), bits(n[2]), bits(uv[0]), bits(uv[1])}
}

// weldVertices maps every vertex to the first one with the same position, normal and texture coordinates.
func weldVertices(vertices []Vertex, uv []mgl32.Vec2) []uint32 {
	size := 16
	for size < 2*len(vertices) {
		size *= 2
	}
	seed := maphash.MakeSeed()    // random, so that no file can aim at collisions
	table := make([]uint32, size) // open addressing; 0 is empty, else vertex + 1
	out := make([]uint32, len(vertices))
	for i := range vertices {
		key := newWeldKey(&vertices[i], uv[i])
		at := maphash.Comparable(seed, key) & uint64(size-1)
		for table[at] != 0 && newWeldKey(&vertices[table[at]-1], uv[table[at]-1]) != key {
			at = (at + 1) & uint64(size-1)
		}
		if table[at] == 0 {
			table[at] = uint32(i) + 1
		}
		out[i] = table[at] - 1
	}
	return out
}
