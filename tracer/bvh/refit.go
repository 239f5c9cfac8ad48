package bvh

import (
	"math/bits"

	"github.com/go-gl/mathgl/mgl32"
)

// Refit moves the boxes of a tree to where its triangles are now; corners are those of leaf triangle i, m. The tree keeps its shape,
// so rays find everything, but the farther triangles that were near each other have parted, the longer they take.
func (t *Tree) Refit(corners func(i int) [3]mgl32.Vec3) {
	around := func(first, count int) box {
		all := emptyBox
		for i := first; i < first+count; i++ {
			p := newPrimitive(i, corners(i))
			all.grow(&p.box)
		}
		return all.padded()
	}
	for i := len(t.Nodes) - 1; i >= 0; i-- { // nodes come before their descendants
		n := &t.Nodes[i]
		boxes := [2]box{emptyBox, emptyBox}
		for c, child := range n.Child {
			switch {
			case child == EmptyChild:
			case child&LeafBit != 0:
				boxes[c] = around(LeafRange(child))
			default:
				boxes[c] = t.Nodes[child].box(0)
				if second := t.Nodes[child].box(1); t.Nodes[child].Child[1] != EmptyChild {
					boxes[c].grow(&second)
				}
			}
		}
		n.setBoxes(boxes[0], boxes[1])
	}
	whole := make([]box, len(t.Wide))
	for i := len(t.Wide) - 1; i >= 0; i-- {
		n := &t.Wide[i]
		var children [wideSlots]wideChild
		var slots [wideSlots]*wideChild
		whole[i] = emptyBox
		for slot, meta := range n.Meta {
			if meta == 0 {
				continue
			}
			slots[slot] = &children[slot]
			if n.Inner>>slot&1 != 0 {
				children[slot].box = whole[int(n.ChildBase)+bits.OnesCount8(n.Inner&(1<<slot-1))]
			} else {
				children[slot].box = around(int(n.TriangleBase)+int(meta&31), bits.OnesCount8(meta>>5))
			}
			whole[i].grow(&children[slot].box)
		}
		n.encode(&slots)
	}
}
