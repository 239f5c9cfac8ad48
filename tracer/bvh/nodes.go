package bvh

import "glint/tracer/guard"

// compact moves the nodes in use to the front, depth first, child 0 right after its parent, and returns them with the faces
// in the order of the leaves. Slots rise along every path, so that a node never moves over one that is still to come.
func (b *builder) compact(root uint32) (nodes []Node, order []uint32) {
	order = guard.MakeLarge[uint32](b.faces)[:0]
	leaf := func(reference uint32) uint32 {
		first, count := LeafRange(reference)
		moved := leafReference(len(order), count)
		for i := first; i < first+count; i++ {
			order = append(order, b.primitives[i].face)
		}
		return moved
	}
	if root&LeafBit != 0 { // a scene of one leaf: the root has it as its only child
		s := b.measure(0, b.faces)
		b.nodes[0].setBoxes(s.box.padded(), emptyBox)
		b.nodes[0].Child = [2]uint32{leaf(root), EmptyChild}
		return b.nodes[:1], order
	}
	used := uint32(0)
	var move func(slot uint32) uint32
	move = func(slot uint32) uint32 {
		at := used
		used++
		node := b.nodes[slot]
		for c, child := range node.Child {
			if child&LeafBit == 0 {
				node.Child[c] = move(child)
			} else {
				node.Child[c] = leaf(child)
			}
		}
		b.nodes[at] = node
		return at
	}
	move(root)
	nodes = guard.MakeLarge[Node](int(used))
	copy(nodes, b.nodes)
	return nodes, order
}

// Measure walks a binary tree, whose nodes come before their descendants, for its statistics: Seconds is left to the caller.
// Slots that no reference names do no harm.
func Measure(nodes []Node, wide, triangles, faces int) Stats {
	s := Stats{Faces: faces, Triangles: triangles, WideNodes: wide}
	if len(nodes) == 0 {
		return s
	}
	depth := make([]uint8, len(nodes)) // counted from 1; 0 is a slot that is not in use
	depth[0] = 1
	root := nodes[0].box(0)
	if second := nodes[0].box(1); nodes[0].Child[1] != EmptyChild {
		root.grow(&second)
	}
	area := max(float64(root.halfArea()), 1e-300)
	s.SAH = traversalCost
	for i := range nodes {
		n := &nodes[i]
		if depth[i] == 0 {
			continue
		}
		s.Nodes++
		s.MaxDepth = max(s.MaxDepth, int(depth[i]))
		for c, child := range n.Child {
			if child == EmptyChild {
				continue
			}
			b := n.box(c)
			weight := float64(b.halfArea()) / area
			if child&LeafBit == 0 {
				depth[child] = min(depth[i], 254) + 1
				s.SAH += traversalCost * weight
				continue
			}
			_, count := LeafRange(child)
			s.Leaves++
			s.SAH += triangleCost * weight * float64(count)
		}
	}
	return s
}
