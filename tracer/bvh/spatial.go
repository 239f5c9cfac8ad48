package bvh

import "glint/tracer/guard"

// Spatial splits after Stich, Friedrich and Dietrich, "Spatial Splits in Bounding Volume Hierarchies" (2009): a plane parts
// the triangles that it meets, so that the boxes of the children do not overlap. Room for the additional pieces is shared
// out from the root down, which bounds them.

// MaxGrowth is how many more triangles than faces spatial splits may make, as a share of the faces.
const MaxGrowth = 0.3

const (
	maxSlabs = 16 // planes tried along an axis, plus one; fewer in small spans
	// overlapShare is the overlap of two children from which a spatial split is tried, as a share of the root's area.
	overlapShare = 1e-5
)

// slab gathers the pieces of primitives between two planes.
type slab struct {
	box         box
	enter, exit uint32 // primitives whose first and last piece is here
}

type slabs [3][maxSlabs]slab

// ruler divides the box of a span into slabs.
type ruler struct {
	lo, scale, step [3]float32
	count           int
}

func newRuler(s *span) (r ruler) {
	r.count = min(max(4, s.size()/4), maxSlabs)
	for a := range 3 {
		extent := s.box.hi[a] - s.box.lo[a]
		r.lo[a], r.step[a] = s.box.lo[a], extent/float32(r.count)
		if scale := float32(r.count) / extent; scale < 1e30 { // false for no extent and for a denormal one
			r.scale[a] = scale
		}
	}
	return r
}

func (r *ruler) index(x float32, axis int) int {
	return min(max(int((x-r.lo[axis])*r.scale[axis]), 0), r.count-1)
}

// plane is the lower end of a slab.
func (r *ruler) plane(axis, slab int) float32 { return r.lo[axis] + float32(slab)*r.step[axis] }

// parting is a spatial split: at the lower end of a slab.
type parting struct {
	axis, slab    int
	cost          float32 // Σ area × pieces over both sides
	left, right   box
	nLeft, nRight uint32
}

// bestParting finds the cheapest spatial split for which there is room; found is false when there is none.
func (b *builder) bestParting(s *span, r *ruler) (best parting, found bool) {
	partial := make([]slabs, guard.Chunks(s.size()))
	guard.InChunks(s.size(), func(c, begin, end int) {
		b.fillSlabs(&partial[c], r, b.primitives[s.begin+begin:s.begin+end])
	})
	all := &partial[0]
	for i := range partial[1:] {
		all.merge(&partial[i+1])
	}
	for axis := range 3 {
		if r.scale[axis] == 0 {
			continue
		}
		if p := cheapestParting(all[axis][:r.count], uint32(s.size()+s.room)); p.slab > 0 && (!found || p.cost < best.cost) {
			p.axis = axis
			best, found = p, true
		}
	}
	return best, found
}

// cheapestParting sweeps the slabs of one axis; its slab is 0 when no plane leaves something on both sides, and no more
// pieces than most.
func cheapestParting(row []slab, most uint32) (best parting) {
	var right [maxSlabs]slab
	sum := slab{box: emptyBox}
	for i := len(row) - 1; i > 0; i-- {
		sum.box.grow(&row[i].box)
		sum.exit += row[i].exit
		right[i] = sum
	}
	sum = slab{box: emptyBox}
	for i := 1; i < len(row); i++ {
		sum.box.grow(&row[i-1].box)
		sum.enter += row[i-1].enter
		if sum.enter == 0 || right[i].exit == 0 || sum.enter+right[i].exit > most {
			continue
		}
		cost := sum.box.halfArea()*float32(sum.enter) + right[i].box.halfArea()*float32(right[i].exit)
		if best.slab == 0 || cost < best.cost {
			best = parting{slab: i, cost: cost, left: sum.box, right: right[i].box, nLeft: sum.enter, nRight: right[i].exit}
		}
	}
	return best
}

func (all *slabs) clear() {
	for a := range all {
		for i := range all[a] {
			all[a][i] = slab{box: emptyBox}
		}
	}
}

func (all *slabs) merge(other *slabs) {
	for a := range all {
		for i := range all[a] {
			to, from := &all[a][i], &other[a][i]
			to.box.grow(&from.box)
			to.enter, to.exit = to.enter+from.enter, to.exit+from.exit
		}
	}
}

// fillSlabs cuts primitives along every plane that they meet.
func (b *builder) fillSlabs(all *slabs, r *ruler, primitives []primitive) {
	all.clear()
	for i := range primitives {
		p := &primitives[i]
		corners := b.corners(int(p.face))
		for axis := range 3 {
			row := &all[axis]
			first, last := r.index(p.lo[axis], axis), r.index(p.hi[axis], axis)
			row[first].enter++
			row[last].exit++
			rest := p.box
			for k := first; k < last; k++ {
				var piece box
				if piece, rest = clip(corners, &rest, axis, r.plane(axis, k+1)); !piece.isEmpty() {
					row[k].box.grow(&piece)
				}
				if rest.isEmpty() {
					break
				}
			}
			if !rest.isEmpty() {
				row[last].box.grow(&rest)
			}
		}
	}
}
