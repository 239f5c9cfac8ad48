package bvh

import (
	"math/bits"
	"sort"

	"glint/tracer/guard"
)

// Linear BVH after Lauterbach et al., "Fast BVH Construction on GPUs" (2009): faces are sorted along a curve through space, and spans
// are parted where the curve enters the other half of a cell.

const (
	curveBits = 21 // of a cell's place along an axis
	// curveCells are along an axis; the factor keeps the last centroid within them.
	curveCells = float32(1<<curveBits) * 0.999999
)

// place is where a face lies on the curve.
type place struct {
	key  uint64 // Morton code of its centroid
	face uint32
}

// sortAlongCurve puts the primitives in their order on the curve, and returns where they lie.
func (b *builder) sortAlongCurve(root *span) []place {
	var scale [3]float32
	for a := range scale {
		if s := curveCells / (root.centroids.hi[a] - root.centroids.lo[a]); s < 1e30 { // false where there is no extent
			scale[a] = s
		}
	}
	places := guard.MakeLarge[place](b.faces)
	guard.All(b.faces, func(i int) {
		c := b.primitives[i].centroids()
		key := uint64(0)
		for a := range c {
			key |= spreadBits(uint64((c[a]-root.centroids.lo[a])*scale[a])) << a
		}
		places[i] = place{key, uint32(i)}
	})
	places = sortPlaces(places)
	guard.All(b.faces, func(i int) { // recomputed, which takes less time than memory for a second list
		face := int(places[i].face)
		b.primitives[i] = newPrimitive(face, b.corners(face))
	})
	return places
}

// spreadBits puts two zeros between the 21 lowest bits.
func spreadBits(x uint64) uint64 {
	x &= 1<<curveBits - 1
	x = (x | x<<32) & 0x001f00000000ffff
	x = (x | x<<16) & 0x001f0000ff0000ff
	x = (x | x<<8) & 0x100f00f00f00f00f
	x = (x | x<<4) & 0x10c30c30c30c30c3
	return (x | x<<2) & 0x1249249249249249
}

const (
	digitBits = 11
	digits    = 1 << digitBits
)

// sortPlaces sorts by key, those of one key in the order they had; it may use the given memory for that.
func sortPlaces(from []place) []place {
	to := guard.MakeLarge[place](len(from))
	for shift := 0; shift < 3*curveBits; shift += digitBits {
		digit := func(p *place) int { return int(p.key>>shift) & (digits - 1) }
		counts := make([][digits]int, guard.Chunks(len(from)))
		guard.InChunks(len(from), func(c, begin, end int) {
			for i := begin; i < end; i++ {
				counts[c][digit(&from[i])]++
			}
		})
		next := 0 // counts become where the first of each digit of each chunk goes
		for d := range digits {
			for c := range counts {
				counts[c][d], next = next, next+counts[c][d]
			}
		}
		guard.InChunks(len(from), func(c, begin, end int) {
			for i := begin; i < end; i++ {
				d := digit(&from[i])
				to[counts[c][d]] = from[i]
				counts[c][d]++
			}
		})
		from, to = to, from
	}
	return from
}

// branch is what a subtree is to the node above it.
type branch struct {
	reference uint32
	box       box
}

// alongCurve builds the tree of a run of primitives that are sorted along the curve.
func (b *builder) alongCurve(places []place, begin, end, slot, depth int) branch {
	size := end - begin
	if size == 1 {
		return branch{leafReference(begin, 1), b.primitives[begin].box}
	}
	middle := begin + size/2
	if depth < sahDepth {
		middle = turn(places, begin, end)
	}
	var left, right branch
	switch {
	case size < spawnSize:
		left = b.alongCurve(places, begin, middle, slot+1, depth+1)
		right = b.alongCurve(places, middle, end, slot+middle-begin, depth+1)
	case b.ctx.Err() == nil:
		left, right = b.bothAlongCurve(places, begin, middle, end, slot, depth)
	}
	whole := span{begin: begin, end: end, box: left.box}
	whole.box.grow(&right.box)
	if whole.leafIsCheaper(left.box.halfArea()*float32(middle-begin) + right.box.halfArea()*float32(end-middle)) {
		return branch{leafReference(begin, size), whole.box}
	}
	node := &b.nodes[slot]
	node.setBoxes(left.box.padded(), right.box.padded())
	node.Child = [2]uint32{left.reference, right.reference}
	return branch{uint32(slot), whole.box}
}

// bothAlongCurve builds two subtrees at once. It is a separate function since what goroutines write to is allocated.
func (b *builder) bothAlongCurve(places []place, begin, middle, end, slot, depth int) (left, right branch) {
	var wait guard.Group
	wait.Go(func() { left = b.alongCurve(places, begin, middle, slot+1, depth+1) })
	right = b.alongCurve(places, middle, end, slot+middle-begin, depth+1)
	wait.Wait()
	return left, right
}

// turn is where the keys of a run begin to have the highest bit in which they differ; the middle where they are all the same.
func turn(places []place, begin, end int) int {
	differ := places[begin].key ^ places[end-1].key
	if differ == 0 {
		return begin + (end-begin)/2
	}
	bit := uint64(1) << (bits.Len64(differ) - 1)
	return begin + sort.Search(end-begin, func(i int) bool { return places[begin+i].key&bit != 0 })
}
