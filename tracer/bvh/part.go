package bvh

// splitOrPart parts a span in two at the cheapest place, by whole primitives or through them; ok is false where a leaf is
// cheaper.
func (b *builder) splitOrPart(s *span) (left, right span, ok bool) {
	if s.size() == 1 {
		return left, right, false
	}
	o := b.bestObjectSplit(s)
	r := newRuler(s)
	if s.room > 0 && s.box != o.left && overlap(&o.left, &o.right) >= b.leastOverlap {
		if p, found := b.bestParting(s, &r); found && p.cost < o.cost && !s.leafIsCheaper(p.cost) {
			if left, right = b.part(s, &p, &r); left.size() > 0 && right.size() > 0 {
				return left, right, true
			}
			o = b.bestObjectSplit(s) // all were better off whole, on one side; their order has changed
		}
	}
	if s.leafIsCheaper(o.cost) {
		return left, right, false
	}
	left, right = o.apply()
	b.shareRoom(s, &left, &right, nil)
	return left, right, true
}

// objectSplit is a split that keeps primitives whole.
type objectSplit struct {
	left, right box
	cost        float32 // Σ area × faces over both sides
	apply       func() (left, right span)
}

func (b *builder) bestObjectSplit(s *span) objectSplit {
	if s.size() <= sweepSize {
		primitives := b.primitives[s.begin:s.end]
		c := bestCut(primitives)
		return objectSplit{c.left, c.right, c.cost, func() (span, span) {
			left, right := c.apply(s, primitives)
			return b.measure(left.begin, left.end), b.measure(right.begin, right.end)
		}}
	}
	if p, found := b.bestPlane(s); found {
		return objectSplit{p.left, p.right, p.cost, func() (span, span) { return b.partition(s, p) }}
	}
	return objectSplit{s.box, s.box, s.box.halfArea() * float32(s.size()), func() (span, span) { return b.halve(s) }}
}

// part applies a spatial split.
func (b *builder) part(s *span, p *parting, r *ruler) (left, right span) {
	var added []primitive // right pieces of what stays left
	plane := r.plane(p.axis, p.slab)
	i, j := s.begin, s.end
	for i < j {
		primitive := &b.primitives[i]
		first, last := r.index(primitive.lo[p.axis], p.axis), r.index(primitive.hi[p.axis], p.axis)
		goesLeft := last < p.slab
		if first < p.slab && last >= p.slab {
			piece, rest := clip(b.corners(int(primitive.face)), &primitive.box, p.axis, plane)
			switch whole := p.unparted(&primitive.box); {
			case rest.isEmpty() || whole == leftSide:
				goesLeft = true
			case piece.isEmpty() || whole == rightSide:
			default:
				goesLeft = true
				added = append(added, *primitive)
				added[len(added)-1].box, primitive.box = rest, piece
			}
		}
		if goesLeft {
			i++
			continue
		}
		j--
		b.primitives[i], b.primitives[j] = b.primitives[j], b.primitives[i]
	}
	left, right = b.measure(s.begin, i), b.measure(i, s.end)
	b.shareRoom(s, &left, &right, added)
	return left, right
}

type wholeSide int

const (
	bothSides wholeSide = iota
	leftSide
	rightSide
)

// unparted tells on which side a primitive is cheaper in whole than its pieces are on both (Stich et al., §4.4).
func (p *parting) unparted(b *box) wholeSide {
	left, right := p.left, p.right
	left.grow(b)
	right.grow(b)
	nLeft, nRight := float32(p.nLeft), float32(p.nRight)
	parted := p.left.halfArea()*nLeft + p.right.halfArea()*nRight
	inLeft := left.halfArea()*nLeft + p.right.halfArea()*(nRight-1)
	inRight := p.left.halfArea()*(nLeft-1) + right.halfArea()*nRight
	switch {
	case inLeft < parted && inLeft <= inRight:
		return leftSide
	case inRight < parted:
		return rightSide
	}
	return bothSides
}

// shareRoom gives both halves of a span their part of its room, in proportion to their sizes, and adds to the right one.
func (b *builder) shareRoom(s, left, right *span, added []primitive) {
	if s.room == 0 {
		return
	}
	for i := range added {
		right.box.grow(&added[i].box)
		right.centroids.growPoint(added[i].centroids())
	}
	size, room := right.size(), s.room-len(added)
	left.room = room * left.size() / (left.size() + size + len(added))
	right.room = room - left.room
	right.begin = left.end + left.room
	right.end = right.begin + size + len(added)
	copy(b.primitives[right.begin:], b.primitives[left.end:left.end+size])
	copy(b.primitives[right.begin+size:], added)
}
