package bvh

// setBoxes writes the boxes of both children.
func (n *Node) setBoxes(a, b box) {
	for axis, row := range [3]*[4]float32{&n.X, &n.Y, &n.Z} {
		*row = [4]float32{a.lo[axis], b.lo[axis], a.hi[axis], b.hi[axis]}
	}
}

// box is the box of one child.
func (n *Node) box(child int) box {
	return box{
		lo: [3]float32{n.X[child], n.Y[child], n.Z[child]},
		hi: [3]float32{n.X[child+2], n.Y[child+2], n.Z[child+2]},
	}
}

// compact moves the nodes in use to the front, depth first, child 0 right after its parent, and returns them.
// Slots rise along every path, so that a node never moves over one that is still to come.
func (b *builder) compact(root uint32) []Node {
	if root&LeafBit != 0 { // a scene of one leaf: the root has it as its only child
		s := b.measure(0, len(b.primitives))
		b.nodes[0].setBoxes(s.box.padded(), emptyBox)
		b.nodes[0].Child = [2]uint32{root, EmptyChild}
		return b.nodes[:1]
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
			}
		}
		b.nodes[at] = node
		return at
	}
	move(root)
	return append([]Node(nil), b.nodes[:used]...)
}

// measure walks the tree for its statistics. The SAH cost is the expected work of a random ray that meets the root.
func (t *Tree) measure() Stats {
	s := Stats{Triangles: len(t.Order), Nodes: len(t.Nodes)}
	if len(t.Nodes) == 0 {
		return s
	}
	depth := make([]uint8, len(t.Nodes))
	root := t.Nodes[0].box(0)
	if second := t.Nodes[0].box(1); t.Nodes[0].Child[1] != EmptyChild {
		root.grow(&second)
	}
	area := max(float64(root.halfArea()), 1e-300)
	s.SAH = traversalCost
	for i := range t.Nodes {
		n := &t.Nodes[i]
		s.MaxDepth = max(s.MaxDepth, int(depth[i])+1)
		for c, child := range n.Child {
			if child == EmptyChild {
				continue
			}
			b := n.box(c)
			weight := float64(b.halfArea()) / area
			if child&LeafBit == 0 {
				depth[child] = depth[i] + 1
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

// Stats describe a built tree.
type Stats struct {
	Triangles, Nodes, Leaves int
	MaxDepth                 int     // inner nodes on the longest path, at most MaxDepth
	SAH                      float64 // expected cost of a random ray, in triangle tests
	Seconds                  float64 // spent by Build
}
