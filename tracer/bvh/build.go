package bvh

import "glint/tracer/guard"

// subtree builds the tree of a span and returns the reference to it. Its nodes go into the slots from slot on.
func (b *builder) subtree(s span, slot, depth int) uint32 {
	if s.size() >= spawnSize && b.ctx.Err() != nil {
		return EmptyChild
	}
	left, right, ok := b.split(&s, depth)
	if !ok {
		return leafReference(s.begin, s.size())
	}
	node := &b.nodes[slot]
	node.setBoxes(left.box.padded(), right.box.padded())
	if s.size() < spawnSize {
		node.Child[0] = b.subtree(left, slot+1, depth+1)
		node.Child[1] = b.subtree(right, slot+left.size(), depth+1)
		return uint32(slot)
	}
	var wait guard.Group
	wait.Go(func() { node.Child[0] = b.subtree(left, slot+1, depth+1) })
	node.Child[1] = b.subtree(right, slot+left.size(), depth+1)
	wait.Wait()
	return uint32(slot)
}

// split parts a span in two, reordering its primitives; ok is false where a leaf is cheaper.
func (b *builder) split(s *span, depth int) (left, right span, ok bool) {
	if s.size() <= sweepSize {
		return b.sweep(s, depth)
	}
	if depth < sahDepth {
		if plane, found := b.bestPlane(s); found {
			left, right = b.partition(s, plane)
			return left, right, true
		}
	}
	left, right = b.halve(s)
	return left, right, true
}

// chop makes the nodes over leaves [begin, end) of maxLeafSize faces each, in the order of the file. Every box is the given
// one, so that a ray that meets it comes to every triangle: what a tree saves can be measured against that.
func (b *builder) chop(all box, begin, end, slot int) uint32 {
	if end-begin == 1 {
		first := begin * maxLeafSize
		return leafReference(first, min(maxLeafSize, b.faces-first))
	}
	node, middle := &b.nodes[slot], (begin+end)/2
	node.setBoxes(all, all)
	node.Child[0] = b.chop(all, begin, middle, slot+1)
	node.Child[1] = b.chop(all, middle, end, slot+middle-begin)
	return uint32(slot)
}
