package bvh

// sweepSize is the span up to which every split between centroids is tried, instead of bins.
const sweepSize = 16

// sorted is the order of a small span along one axis.
type sorted struct {
	index [sweepSize]uint8
	key   [sweepSize]float32
}

// sort orders the primitives by centroid; insertion sort, as spans are tiny.
func (o *sorted) sort(primitives []primitive, axis int) {
	for i := range primitives {
		key := primitives[i].centroid(axis)
		j := i
		for ; j > 0 && o.key[j-1] > key; j-- {
			o.key[j], o.index[j] = o.key[j-1], o.index[j-1]
		}
		o.key[j], o.index[j] = key, uint8(i)
	}
}

// cut is a way to part a small span: the first count of order go left.
type cut struct {
	order       sorted
	count       int
	cost        float32 // Σ area × faces over both sides
	left, right box
}

// try replaces the cut by the cheapest one along an axis, when that is cheaper.
func (c *cut) try(primitives []primitive, axis int) {
	var order sorted
	order.sort(primitives, axis)
	var right [sweepSize]box
	n := len(primitives)
	grown := emptyBox
	for i := n - 1; i > 0; i-- {
		grown.grow(&primitives[order.index[i]&(sweepSize-1)].box)
		right[i] = grown
	}
	grown = emptyBox
	for i := 1; i < n; i++ {
		grown.grow(&primitives[order.index[i-1]&(sweepSize-1)].box)
		cost := grown.halfArea()*float32(i) + right[i].halfArea()*float32(n-i)
		if c.count == 0 || cost < c.cost {
			c.order, c.count, c.cost, c.left, c.right = order, i, cost, grown, right[i]
		}
	}
}

// sweep parts a small span at the cheapest place; ok is false where a leaf is cheaper.
func (b *builder) sweep(s *span, depth int) (left, right span, ok bool) {
	n := s.size()
	if n == 1 {
		return left, right, false
	}
	primitives := b.primitives[s.begin:s.end]
	if depth >= sahDepth {
		if n <= maxLeafSize {
			return left, right, false
		}
		left, right = b.measure(s.begin, s.begin+n/2), b.measure(s.begin+n/2, s.end)
		return left, right, true
	}
	var best cut
	for axis := range 3 {
		best.try(primitives, axis)
	}
	if s.leafIsCheaper(best.cost) {
		return left, right, false
	}
	var old [sweepSize]primitive
	copy(old[:], primitives)
	for i := range primitives {
		primitives[i] = old[best.order.index[i]&(sweepSize-1)]
	}
	middle := s.begin + best.count
	return span{begin: s.begin, end: middle, box: best.left}, span{begin: middle, end: s.end, box: best.right}, true
}

// leafIsCheaper compares a leaf of all with a split of the given cost, Σ area × faces.
func (s *span) leafIsCheaper(splitCost float32) bool {
	area := s.box.halfArea()
	return s.size() <= maxLeafSize && float32(s.size())*triangleCost*area <= traversalCost*area+triangleCost*splitCost
}
