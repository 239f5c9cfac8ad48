package bvh

import (
	"math"
	"math/bits"

	"glint/tracer/guard"
)

// SpreadNode mirrors struct SpreadNode: a wide node unpacked for processors that test eight boxes at once.
type SpreadNode struct {
	LoX, HiX, LoY, HiY, LoZ, HiZ [8]float32 // m
	Child                        [8]uint32  // references as in Node
}

// Spread unpacks wide nodes one by one. Boxes stay as the compressed grid has them, so that both hit the same.
func Spread(wide []WideNode) []SpreadNode {
	spread := guard.MakeLarge[SpreadNode](len(wide))
	guard.All(len(wide), func(i int) {
		spread[i] = wide[i].spread()
	})
	return spread
}

func (n *WideNode) spread() SpreadNode {
	var s SpreadNode
	for axis, row := range [3]struct {
		lo, hi     *[8]uint8
		toLo, toHi *[8]float32
	}{{&n.LoX, &n.HiX, &s.LoX, &s.HiX}, {&n.LoY, &n.HiY, &s.LoY, &s.HiY}, {&n.LoZ, &n.HiZ, &s.LoZ, &s.HiZ}} {
		step, origin := math.Ldexp(1, int(n.Exponents[axis])-127), float64(n.Origin[axis])
		for slot := range wideSlots {
			row.toLo[slot] = below(origin + step*float64(row.lo[slot]))
			row.toHi[slot] = -below(-origin - step*float64(row.hi[slot]))
		}
	}
	for slot := range wideSlots {
		switch first, count := n.Leaf(slot); {
		case n.Inner>>slot&1 != 0:
			s.Child[slot] = n.ChildBase + uint32(bits.OnesCount8(n.Inner&(1<<slot-1)))
		case count > 0:
			s.Child[slot] = leafReference(first, count)
		default:
			s.Child[slot] = EmptyChild
		}
	}
	return s
}
