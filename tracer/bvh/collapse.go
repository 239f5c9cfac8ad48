package bvh

import "glint/tracer/guard"

// Which binary nodes become wide ones, by dynamic programming over the SAH cost (Ylitie et al. 2017, §3.1).

// Costs of the wide tree, in wide nodes visited.
const (
	wideNodeCost     = 1.0
	wideTriangleCost = 0.3
)

const (
	// wideSpawnDepth is down to which level of the binary tree the halves are weighed by two goroutines.
	wideSpawnDepth = 6
	// wideMaxDepth bounds the wide nodes on the way to a leaf, and with them the stack of the ray kernels.
	wideMaxDepth = 24
)

// forest tells, for one binary node, how to stand for it by at most 1, 2, … 7 slots of a wide node.
type forest struct {
	cost [wideSlots - 1]float32 // by slots less one
	left [wideSlots]uint8       // by slots less one: how many the first child takes; 0 is one slot fewer. [7]: as a wide node
	leaf uint32                 // reference of all its triangles, when they are to be one leaf; else 0
}

// collapser holds the binary tree and what was found best for each of its nodes.
type collapser struct {
	nodes   []Node
	forests []forest
	heights []uint8 // of the binary nodes; only when depth matters more than cost
}

func newCollapser(nodes []Node) *collapser {
	c := &collapser{nodes: nodes, forests: guard.MakeLarge[forest](len(nodes))}
	c.weigh(0, 0, 0)
	return c
}

// weigh fills in the forest of a node, after those below. It returns the leaf reference of all triangles below when
// they are few enough to be one leaf, else 0. area is of the node's own box, m².
func (c *collapser) weigh(node uint32, area float32, depth int) {
	n := &c.nodes[node]
	if depth < wideSpawnDepth {
		c.weighAtOnce(node, area, depth)
		return
	}
	left, right := c.below(n, 0, depth), c.below(n, 1, depth)
	c.forests[node] = combine(&left, &right, area)
}

// weighAtOnce is weigh with a goroutine for each child. It is a separate function since what goroutines write to is allocated.
func (c *collapser) weighAtOnce(node uint32, area float32, depth int) {
	n := &c.nodes[node]
	var left, right forest
	var wait guard.Group
	wait.Go(func() { left = c.below(n, 0, depth) })
	right = c.below(n, 1, depth)
	wait.Wait()
	c.forests[node] = combine(&left, &right, area)
}

// below is the forest of a node's child.
func (c *collapser) below(n *Node, child, depth int) forest {
	b := n.box(child)
	return c.forestOf(n.Child[child], b.halfArea(), depth+1)
}

// forestOf is the forest of a child, which is weighed first if it is a node.
func (c *collapser) forestOf(reference uint32, area float32, depth int) forest {
	if reference == EmptyChild {
		return forest{}
	}
	if reference&LeafBit == 0 {
		c.weigh(reference, area, depth)
		return c.forests[reference]
	}
	_, count := LeafRange(reference)
	f := forest{leaf: reference}
	for i := range f.cost {
		f.cost[i] = area * float32(count) * wideTriangleCost
	}
	return f
}

// combine is the forest of a node with the given children.
func combine(a, b *forest, area float32) forest {
	var f forest
	var shared [wideSlots]float32 // cost of so many slots less one, when both children have some
	for slots := 2; slots <= wideSlots; slots++ {
		best, left := a.cost[0]+b.cost[slots-2], 1
		for k := 2; k < slots; k++ {
			if cost := a.cost[k-1] + b.cost[slots-k-1]; cost < best {
				best, left = cost, k
			}
		}
		shared[slots-1], f.left[slots-1] = best, uint8(left)
	}
	f.cost[0] = shared[wideSlots-1] + area*wideNodeCost
	if leaf, count := joinLeaves(a.leaf, b.leaf); leaf != 0 {
		if cost := area * float32(count) * wideTriangleCost; cost <= f.cost[0] {
			f.cost[0], f.leaf = cost, leaf
		}
	}
	for i := 1; i < wideSlots-1; i++ {
		f.cost[i] = shared[i]
		if !(shared[i] < f.cost[i-1]) {
			f.cost[i], f.left[i] = f.cost[i-1], 0
		}
	}
	return f
}

// joinLeaves is the leaf of two runs that lie side by side; 0 where one is no leaf, or both are too many for a slot.
func joinLeaves(a, b uint32) (reference uint32, count int) {
	if a == 0 || b == 0 {
		return 0, 0
	}
	first, countA := LeafRange(a)
	second, countB := LeafRange(b)
	count = countA + countB
	if count > maxLeafSize || first+countA != second {
		return 0, 0
	}
	return leafReference(first, count), count
}

// children adds to out what the slots of the wide node that stands for a binary node hold.
func (c *collapser) children(out []wideChild, node uint32) []wideChild {
	if c.heights != nil {
		return c.childrenByHeight(out, node)
	}
	f := &c.forests[node]
	n := &c.nodes[node]
	if n.Child[1] == EmptyChild {
		return append(out, wideChild{n.box(0), n.Child[0]})
	}
	left := int(f.left[wideSlots-1])
	out = c.gather(out, wideChild{n.box(0), n.Child[0]}, left)
	return c.gather(out, wideChild{n.box(1), n.Child[1]}, wideSlots-left)
}

// gather appends what stands for a child in at most so many slots.
func (c *collapser) gather(out []wideChild, child wideChild, slots int) []wideChild {
	if child.isLeaf() {
		return append(out, child)
	}
	f := &c.forests[child.reference]
	for slots > 1 && f.left[slots-1] == 0 {
		slots--
	}
	if slots == 1 {
		if f.leaf != 0 {
			child.reference = f.leaf
		}
		return append(out, child)
	}
	n := &c.nodes[child.reference]
	left := int(f.left[slots-1])
	out = c.gather(out, wideChild{n.box(0), n.Child[0]}, left)
	return c.gather(out, wideChild{n.box(1), n.Child[1]}, slots-left)
}

// preferDepth makes children open the highest subtrees first, which takes three binary levels at a time at the least.
func (c *collapser) preferDepth() {
	c.heights = make([]uint8, len(c.nodes))
	for i := len(c.nodes) - 1; i >= 0; i-- { // descendants come after their ancestors
		for _, child := range c.nodes[i].Child {
			if child&LeafBit == 0 {
				c.heights[i] = max(c.heights[i], c.heights[child]+1)
			}
		}
	}
}

func (c *collapser) childrenByHeight(out []wideChild, node uint32) []wideChild {
	open := func(node uint32) {
		n := &c.nodes[node]
		for i, child := range n.Child {
			if child != EmptyChild {
				out = append(out, wideChild{n.box(i), child})
			}
		}
	}
	open(node)
	for len(out) < wideSlots {
		highest := -1
		for i := range out {
			if !out[i].isLeaf() && (highest < 0 || c.heights[out[i].reference] > c.heights[out[highest].reference]) {
				highest = i
			}
		}
		if highest < 0 {
			break
		}
		opened := out[highest].reference
		out[highest] = out[len(out)-1]
		out = out[:len(out)-1]
		open(opened)
	}
	return out
}
