package bvh

import (
	"math"

	"github.com/go-gl/mathgl/mgl32"
)

// clip bounds what lies of a triangle inside of a box on either side of the plane at position along axis. A side is empty,
// with its box inverted, where there is nothing.
func clip(corners [3]mgl32.Vec3, within *box, axis int, position float32) (left, right box) {
	left, right = emptyBox, emptyBox
	for i, v := range corners {
		w := corners[(i+1)%3]
		if v[axis] <= position {
			left.growPoint(v)
		}
		if v[axis] >= position {
			right.growPoint(v)
		}
		if (v[axis] < position) == (w[axis] < position) || v[axis] == position || w[axis] == position {
			continue
		}
		crossing := cross(v, w, axis, position)
		left.grow(&crossing)
		right.grow(&crossing)
	}
	left.intersect(within)
	right.intersect(within)
	left.hi[axis] = min(left.hi[axis], position)
	right.lo[axis] = max(right.lo[axis], position)
	return left, right
}

// cross bounds where an edge crosses a plane: computed in double precision and rounded outwards, so that nothing is lost.
func cross(v, w mgl32.Vec3, axis int, position float32) (b box) {
	t := (float64(position) - float64(v[axis])) / (float64(w[axis]) - float64(v[axis]))
	for a := range 3 {
		x := float64(v[a]) + t*(float64(w[a])-float64(v[a]))
		b.lo[a], b.hi[a] = below(x), -below(-x)
	}
	b.lo[axis], b.hi[axis] = position, position
	return b
}

func (b *box) intersect(o *box) {
	for a := range 3 {
		b.lo[a], b.hi[a] = max(b.lo[a], o.lo[a]), min(b.hi[a], o.hi[a])
	}
}

func (b *box) isEmpty() bool { return b.lo[0] > b.hi[0] || b.lo[1] > b.hi[1] || b.lo[2] > b.hi[2] }

// overlap is half of the surface area that two boxes have in common, m².
func overlap(a, b *box) float32 {
	common := *a
	common.intersect(b)
	if common.isEmpty() {
		return 0
	}
	return min(common.halfArea(), math.MaxFloat32)
}
