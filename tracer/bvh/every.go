package bvh

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
