package bvh

import (
	"math/bits"

	"glint/tracer/guard"
)

// wideTaskDepth is the level of the wide tree from which subtrees are written by goroutines of their own.
const wideTaskDepth = 2

// wideTask is a subtree that is written into nodes and runs of its own, whose indices begin at 0, and moved in later.
type wideTask struct {
	node   uint32 // binary
	at     uint32 // where its wide node goes
	depth  int    // of that
	parts  bool   // puts off subtrees of wideTaskDepth
	nodes  []WideNode
	order  []uint32 // triangles in wide leaf order, as positions in binary leaf order
	parted []wideTask
	levels int // of wide nodes, those above it among them
}

// widen makes the wide tree. It moves the triangles of each wide node's leaves together, and changes order and the leaf
// references of the binary nodes accordingly.
func widen(nodes []Node, order []uint32) ([]WideNode, []uint32) {
	c := newCollapser(nodes)
	whole := c.write()
	if whole.levels > wideMaxDepth {
		c.preferDepth()
		whole = c.write()
	}
	return whole.nodes, reorder(nodes, order, whole.order)
}

// write makes all wide nodes.
func (c *collapser) write() *wideTask {
	top := &wideTask{parts: true}
	top.run(c)
	var wait guard.Group
	for i := range top.parted {
		wait.Go(func() { top.parted[i].run(c) })
	}
	wait.Wait()
	nodes, triangles := len(top.nodes), len(top.order)
	for i := range top.parted {
		nodes, triangles = nodes+len(top.parted[i].nodes), triangles+len(top.parted[i].order)
	}
	top.nodes, top.order = append(guard.MakeLarge[WideNode](nodes)[:0], top.nodes...), append(guard.MakeLarge[uint32](triangles)[:0], top.order...)
	for i := range top.parted {
		top.adopt(&top.parted[i])
	}
	return top
}

func (t *wideTask) run(c *collapser) {
	t.nodes = make([]WideNode, 1)
	t.write(c, t.node, 0, t.depth)
}

// write makes the wide node of a binary node, at the given index, and all below.
func (t *wideTask) write(c *collapser, node, at uint32, depth int) {
	if t.parts && depth == wideTaskDepth {
		t.parted = append(t.parted, wideTask{node: node, at: at, depth: depth})
		return
	}
	t.levels = max(t.levels, depth+1)
	var room [wideSlots]wideChild
	slots := arrange(c.children(room[:0], node))
	n := WideNode{ChildBase: uint32(len(t.nodes)), TriangleBase: uint32(len(t.order))}
	n.encode(&slots)
	for i, child := range slots {
		if child == nil {
			continue
		}
		if !child.isLeaf() {
			n.Inner |= 1 << i
			continue
		}
		first, count := LeafRange(child.reference)
		n.Leaves |= (1<<count - 1) << (3 * i)
		for k := range count {
			t.order = append(t.order, uint32(first+k))
		}
	}
	t.nodes[at] = n
	t.nodes = append(t.nodes, make([]WideNode, bits.OnesCount8(n.Inner))...)
	next := n.ChildBase
	for _, child := range slots {
		if child != nil && !child.isLeaf() {
			t.write(c, child.reference, next, depth+1)
			next++
		}
	}
}

// adopt moves a part in: its root to the place kept for it, the rest to the end.
func (t *wideTask) adopt(part *wideTask) {
	nodeShift, triangleShift := uint32(len(t.nodes)-1), uint32(len(t.order))
	for i := range part.nodes {
		part.nodes[i].ChildBase += nodeShift
		part.nodes[i].TriangleBase += triangleShift
	}
	t.nodes[part.at] = part.nodes[0]
	t.nodes = append(t.nodes, part.nodes[1:]...)
	t.order = append(t.order, part.order...)
	t.levels = max(t.levels, part.levels)
}

// reorder puts the faces in order into the wide tree's, which names positions in the binary one's, and makes the binary
// leaves follow. A leaf's triangles stay side by side: each binary leaf lies in one slot.
func reorder(nodes []Node, order, wide []uint32) []uint32 {
	faces, place := guard.MakeLarge[uint32](len(order)), guard.MakeLarge[uint32](len(order))
	guard.All(len(wide), func(i int) {
		faces[i] = order[wide[i]]
		place[wide[i]] = uint32(i)
	})
	guard.All(len(nodes), func(i int) {
		for k, child := range nodes[i].Child {
			if child&LeafBit != 0 && child != EmptyChild {
				first, count := LeafRange(child)
				nodes[i].Child[k] = leafReference(int(place[first]), count)
			}
		}
	})
	return faces
}
