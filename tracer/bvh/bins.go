package bvh

import (
	"cmp"
	"slices"

	"glint/tracer/guard"
)

// Binned SAH after Wald, "On fast Construction of SAH-based Bounding Volume Hierarchies" (2007).

const maxBins = 32

// bin gathers the primitives whose centroids fall into one slice of the centroid box.
type bin struct {
	box   box
	count uint32
}

type bins [3][maxBins]bin

// plane splits a span: primitives whose centroid falls below bin go left.
type plane struct {
	axis, bin int
	grid      grid
	cost      float32 // Σ area × faces over both sides
	left      box
	right     box
}

// grid maps centroids to bins.
type grid struct {
	lo, scale [3]float32
	count     int // bins per axis
}

// newGrid spreads bins over the centroids. The scale stays a hair below count bins so that the upper bound does not
// fall beyond the last; an axis without extent has scale 0.
func newGrid(s *span) grid {
	g := grid{lo: s.centroids.lo, count: 8}
	if s.size() >= 128 {
		g.count = 16
	}
	if s.size() >= 4096 {
		g.count = maxBins
	}
	for a := range 3 {
		scale := 0.99999 * float32(g.count) / (s.centroids.hi[a] - s.centroids.lo[a])
		if scale < 1e30 { // false for 0/0 and for denormal extents too
			g.scale[a] = scale
		}
	}
	return g
}

// index is the bin of a centroid; the mask only tells the compiler what the scale ensures.
func (g *grid) index(c float32, axis int) int {
	return int((c-g.lo[axis])*g.scale[axis]) & (maxBins - 1)
}

// bestPlane finds the split of least SAH cost over all axes; found is false when all centroids fall into one bin.
func (b *builder) bestPlane(s *span) (best plane, found bool) {
	g := newGrid(s)
	var all bins
	if guard.Chunks(s.size()) > 1 {
		all = b.fillParallel(s, &g)
	} else {
		all.fill(&g, b.primitives[s.begin:s.end])
	}
	for axis := range 3 {
		if g.scale[axis] == 0 {
			continue
		}
		if p := cheapest(all[axis][:g.count]); p.bin > 0 && (!found || p.cost < best.cost) {
			p.axis, p.grid = axis, g
			best, found = p, true
		}
	}
	return best, found
}

// fillParallel fills bins by pieces. Counts and bounds come out the same in whatever way the span is cut.
func (b *builder) fillParallel(s *span, g *grid) bins {
	partial := make([]bins, guard.Chunks(s.size()))
	guard.InChunks(s.size(), func(c, begin, end int) {
		partial[c].fill(g, b.primitives[s.begin+begin:s.begin+end])
	})
	for i := range partial[1:] {
		partial[0].merge(&partial[i+1], g.count)
	}
	return partial[0]
}

func (all *bins) fill(g *grid, primitives []primitive) {
	for a := range 3 {
		for i := range g.count {
			all[a][i].box = emptyBox
		}
	}
	for i := range primitives {
		p := &primitives[i]
		c := p.centroids()
		for a := range 3 {
			slot := &all[a][g.index(c[a], a)]
			slot.box.grow(&p.box)
			slot.count++
		}
	}
}

func (all *bins) merge(other *bins, count int) {
	for a := range 3 {
		for i := range count {
			all[a][i].box.grow(&other[a][i].box)
			all[a][i].count += other[a][i].count
		}
	}
}

// cheapest sweeps the bins of one axis; its plane has bin 0 when no split leaves primitives on both sides.
func cheapest(row []bin) (best plane) {
	var right [maxBins]bin
	box, count := emptyBox, uint32(0)
	for i := len(row) - 1; i > 0; i-- {
		box.grow(&row[i].box)
		count += row[i].count
		right[i].box, right[i].count = box, count
	}
	box, count = emptyBox, 0
	for i := 1; i < len(row); i++ {
		box.grow(&row[i-1].box)
		count += row[i-1].count
		if count == 0 || right[i].count == 0 {
			continue
		}
		c := box.halfArea()*float32(count) + right[i].box.halfArea()*float32(right[i].count)
		if best.bin == 0 || c < best.cost {
			best = plane{bin: i, cost: c, left: box, right: right[i].box}
		}
	}
	return best
}

// partition moves the primitives below the plane to the front, in place.
func (b *builder) partition(s *span, p plane) (left, right span) {
	left = span{begin: s.begin, box: p.left, centroids: emptyBox}
	right = span{end: s.end, box: p.right, centroids: emptyBox}
	i, j := s.begin, s.end
	for i < j {
		primitive := &b.primitives[i]
		c := primitive.centroids()
		if p.grid.index(c[p.axis], p.axis) < p.bin {
			left.centroids.growPoint(c)
			i++
			continue
		}
		right.centroids.growPoint(c)
		j--
		b.primitives[i], b.primitives[j] = b.primitives[j], b.primitives[i]
	}
	left.end, right.begin = i, i
	return left, right
}

// halve parts a span into equal halves along the widest axis of its centroids: the way out where SAH finds no plane
// or would grow too deep.
func (b *builder) halve(s *span) (left, right span) {
	if axis := s.centroids.widestAxis(); s.centroids.hi[axis] > s.centroids.lo[axis] {
		sortByCentroid(b.primitives[s.begin:s.end], axis)
	}
	middle := s.begin + s.size()/2
	return b.measure(s.begin, middle), b.measure(middle, s.end)
}

func sortByCentroid(primitives []primitive, axis int) {
	slices.SortFunc(primitives, func(p, q primitive) int {
		return cmp.Or(cmp.Compare(p.centroid(axis), q.centroid(axis)), cmp.Compare(p.face, q.face))
	})
}
