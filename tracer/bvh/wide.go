package bvh

import (
	"math"
	"math/bits"
)

const (
	wideSlots = 8
	// gridPad widens every quantised box, in grid steps: the kernels turn bytes into floats by pasting them into a
	// mantissa, which costs up to 1/256 of a step.
	gridPad = 1.0 / 128
)

// wideChild is what a slot of a wide node holds.
type wideChild struct {
	box       box
	reference uint32 // of a binary node, or of a run of triangles in binary leaf order
}

func (c *wideChild) isLeaf() bool { return c.reference&LeafBit != 0 }

// Leaf is where the triangles of a slot begin, and how many there are: none of an empty slot, and of one that holds a node.
func (n *WideNode) Leaf(slot int) (first, count int) {
	below := bits.OnesCount32(n.Leaves & (1<<(3*slot) - 1))
	return int(n.TriangleBase) + below, bits.OnesCount32(n.Leaves >> (3 * slot) & 7)
}

// encode writes the boxes of the children, which stand in their slots; a nil slot is empty, with an inverted box.
func (n *WideNode) encode(slots *[wideSlots]*wideChild) {
	bounds := emptyBox
	for _, c := range slots {
		if c != nil {
			bounds.grow(&c.box)
		}
	}
	for axis, rows := range [3][2]*[8]uint8{{&n.LoX, &n.HiX}, {&n.LoY, &n.HiY}, {&n.LoZ, &n.HiZ}} {
		g := fitGrid(bounds.lo[axis], bounds.hi[axis])
		n.Origin[axis], n.Exponents[axis] = g.origin, g.exponent
		for i, c := range slots {
			if c == nil {
				rows[0][i], rows[1][i] = 255, 0
			} else {
				rows[0][i] = uint8(max(math.Floor(g.steps(c.box.lo[axis])-gridPad), 0))
				rows[1][i] = uint8(min(math.Ceil(g.steps(c.box.hi[axis])+gridPad), 255))
			}
		}
	}
}

// axisGrid is the grid of a wide node's bounds along one axis.
type axisGrid struct {
	origin   float32 // m
	inverse  float64 // steps per metre
	exponent uint8   // biased, of the step
}

func (g *axisGrid) steps(x float32) float64 { return (float64(x) - float64(g.origin)) * g.inverse }

// fitGrid is the finest grid of 255 steps that holds [lo, hi] with its padding.
func fitGrid(lo, hi float32) axisGrid {
	_, exponent := math.Frexp((float64(hi) - float64(lo)) / 255) // 2^exponent is above the least possible step
	for exponent = min(max(exponent, -126), 127); ; exponent++ {
		step := math.Ldexp(1, exponent)
		g := axisGrid{origin: below(float64(lo) - 2*gridPad*step), inverse: 1 / step, exponent: uint8(exponent + 127)}
		if exponent >= 127 || g.steps(hi)+gridPad <= 255 {
			return g
		}
	}
}

// below is x rounded down to single precision, but finite.
func below(x float64) float32 {
	f := float32(max(x, -math.MaxFloat32))
	if float64(f) > x && x > -math.MaxFloat32 {
		f = math.Nextafter32(f, float32(math.Inf(-1)))
	}
	return f
}

// arrange gives each child the slot that lies best on its side of the parent, so that visiting slots by the signs of a
// ray's direction meets the nearer ones first. Greedy: of all pairs left, the one that lies furthest out.
func arrange(children []wideChild) (slots [wideSlots]*wideChild) {
	bounds := emptyBox
	for i := range children {
		bounds.grow(&children[i].box)
	}
	middle := primitive{box: bounds}
	center := middle.centroids()
	var score [wideSlots][wideSlots]float32
	for i := range children {
		p := primitive{box: children[i].box}
		c := p.centroids()
		for slot := range wideSlots {
			for axis := range 3 {
				if slot>>axis&1 != 0 {
					score[i][slot] += c[axis] - center[axis]
				} else {
					score[i][slot] -= c[axis] - center[axis]
				}
			}
		}
	}
	var placed [wideSlots]bool
	for range children {
		bestChild, bestSlot := -1, -1
		for i := range children {
			if placed[i] {
				continue
			}
			for slot := range wideSlots {
				if slots[slot] == nil && (bestChild < 0 || score[i][slot] > score[bestChild][bestSlot]) {
					bestChild, bestSlot = i, slot
				}
			}
		}
		placed[bestChild] = true
		slots[bestSlot] = &children[bestChild]
	}
	return slots
}
