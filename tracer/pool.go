package tracer

import (
	"fmt"

	"glint/cuda"
)

// The paths under way at once: the more, the fewer waves, but each takes poolBytes of memory. In a larger image the places of
// paths that have ended go to the next pixels.
const (
	fewestPaths = 1 << 20
	mostPaths   = 1 << 23
	poolBytes   = 16 * int(cuda.WavePathPlanes+cuda.WaveShadowPlanes+2)
	poolShare   = 32 // the pool takes one part of so many of the device's memory
)

// pool is the memory of paths under way.
type pool struct {
	paths, hits, queues, shadows, lengths buffer
	indices, ended                        buffer // where places get another pixel
	survivors, sums                       buffer // of compaction by a scan
	order, table                          buffer // of sorting
	shape                                 poolShape
	limit                                 int // paths under way at most; 0: by the device's memory
}

// poolShape is what the memory of a pool depends on.
type poolShape struct {
	size, waves           int
	renews, scans, orders bool
}

func shapeOf(f *cuda.Frame) poolShape {
	w := &f.Wavefront
	return poolShape{int(w.PoolSize), int(w.Waves), f.Film.TiledPixels > w.PoolSize, w.Compaction == cuda.CompactionScan, w.Sorting != cuda.SortNone}
}

// most is how many paths may be under way on a device.
func (p *pool) most(d device) int {
	if p.limit > 0 {
		return p.limit
	}
	return min(max(int(d.memory()/poolShare)/poolBytes, fewestPaths), mostPaths)
}

func (p *pool) claims(s poolShape) []claim {
	each := func(wanted bool, bytes int) int {
		if !wanted {
			return 0
		}
		return bytes
	}
	return []claim{
		{&p.paths, 16 * int(cuda.WavePathPlanes) * s.size}, {&p.hits, 16 * s.size}, {&p.queues, 2 * 4 * s.size},
		{&p.shadows, 16 * int(cuda.WaveShadowPlanes) * s.size}, {&p.lengths, 4 * int(cuda.LengthCount) * s.waves},
		{&p.indices, each(s.renews, 4*s.size)}, {&p.ended, each(s.renews, 4*s.size)},
		{&p.survivors, each(s.scans, 4*s.size)}, {&p.sums, each(s.scans, 4*scanBlocks(s.size))},
		{&p.order, each(s.orders, 4*s.size)}, {&p.table, each(s.orders, 3*4*int(cuda.SortKeys))},
	}
}

// fit makes the pool what a frame needs.
func (p *pool) fit(d device, s poolShape) error {
	if s == p.shape {
		return nil
	}
	p.free(d)
	if err := take(d, p.claims(s)); err != nil {
		return fmt.Errorf("%d paths under way: %w", s.size, err)
	}
	p.shape = s
	return nil
}

func (p *pool) free(d device) {
	giveBack(d, p.claims(poolShape{}))
	p.shape = poolShape{}
}
