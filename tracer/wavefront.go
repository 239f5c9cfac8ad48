package tracer

import (
	"fmt"

	"glint/cuda"
)

// waves are the kernels of the wavefront engine for one kind of path.
type waves struct{ begin, shade, shadow, end cuda.Kernel }

var (
	pathWaves   = waves{cuda.BeginPaths, cuda.ShadePaths, cuda.ShadowPaths, cuda.EndPaths}
	sharedWaves = waves{cuda.BeginShared, cuda.ShadeShared, cuda.ShadowShared, cuda.EndShared}
)

// maxPool bounds the paths under way at once: enough to fill any GPU. Larger images take several turns.
const maxPool = 1 << 21

// tracing is how paths are traced: by one kernel that does it all, or by waves of small ones.
func tracing(f *cuda.Frame, megakernel cuda.Kernel, w waves) []pass {
	if f.PoolSize == 0 {
		return []pass{{kernel: megakernel, paths: int(f.TiledPixels)}}
	}
	var table []pass
	for stretch := uint32(0); stretch*f.PoolSize < f.TiledPixels; stretch++ {
		turn := stretch << 16
		paths := int(min(f.PoolSize, f.TiledPixels-stretch*f.PoolSize))
		table = append(table, pass{kernel: w.begin, turn: turn, indices: perBeginning, paths: paths})
		for wave := range f.Bounces + 1 {
			table = append(table, pass{kernel: extension(wave), turn: turn + wave, indices: perPath})
			table = append(table, shading(f, w.shade, turn+wave)...)
			if wave == f.Bounces {
				break // where the last bounce arrives there is emission, but no light is sampled any more
			}
			table = append(table, compaction(f, turn+wave)...)
			table = append(table, pass{kernel: w.shadow, turn: turn + wave, indices: perPath, beside: true})
		}
		table = append(table, pass{kernel: w.end, turn: turn, indices: perPath})
	}
	return table
}

// shading shades the hits of a wave, in the order that is asked for.
func shading(f *cuda.Frame, shade cuda.Kernel, turn uint32) []pass {
	if f.Sorting == cuda.SortNone {
		return []pass{{kernel: shade, turn: turn, indices: perPath}}
	}
	table := []pass{{kernel: cuda.SortCount, turn: turn, indices: perPath},
		{kernel: cuda.SortStarts, turn: turn, indices: oneBlock(cuda.SortStarts)},
		{kernel: cuda.SortMove, turn: turn, indices: perPath}}
	if f.Sorting == cuda.SortKey {
		return append(table, pass{kernel: shade, turn: turn, indices: perPath})
	}
	for class := range cuda.ClassCount {
		table = append(table, pass{kernel: shade, turn: turn | class<<9, indices: perPath})
	}
	return table
}

// compaction moves the paths that go on together, where shading has not done so itself.
func compaction(f *cuda.Frame, turn uint32) []pass {
	if f.Compaction != cuda.CompactionScan {
		return nil
	}
	return []pass{{kernel: cuda.ScanCount, turn: turn, indices: perScanBlock},
		{kernel: cuda.ScanSums, turn: turn, indices: oneBlock(cuda.ScanSums)},
		{kernel: cuda.ScanMove, turn: turn, indices: perScanBlock}}
}

// scanBlocks is how many blocks scan a pool.
func scanBlocks(size int) int {
	return (size + cuda.ScanCount.Threads() - 1) / cuda.ScanCount.Threads()
}

func perScanBlock(f *cuda.Frame) int { return scanBlocks(int(f.PoolSize)) * cuda.ScanCount.Threads() }

func oneBlock(k cuda.Kernel) func(*cuda.Frame) int {
	return func(*cuda.Frame) int { return k.Threads() }
}

// extension is the kernel for the rays of a wave: those from the eye stay together, later ones scatter.
func extension(wave uint32) cuda.Kernel {
	if wave == 0 {
		return cuda.ExtendFirst
	}
	return cuda.ExtendPaths
}

func perPath(f *cuda.Frame) int { return int(f.PoolSize) }

// perBeginning also empties the queues.
func perBeginning(f *cuda.Frame) int { return int(max(f.PoolSize, 2*cuda.WaveMax, cuda.SortKeys)) }

// pool is the memory of paths under way.
type pool struct {
	paths, hits, queues, shadows, lengths buffer
	survivors, sums, order, table         buffer
	size                                  int
}

func (p *pool) claims(size int) []claim {
	return []claim{
		{&p.paths, 16 * int(cuda.WavePathPlanes) * size}, {&p.hits, 16 * size}, {&p.queues, 2 * 4 * size},
		{&p.shadows, 16 * int(cuda.WaveShadowPlanes) * size}, {&p.lengths, 2 * 4 * int(cuda.WaveMax)},
		{&p.survivors, 4 * size}, {&p.sums, 4 * scanBlocks(size)}, {&p.order, 4 * size}, {&p.table, 3 * 4 * int(cuda.SortKeys)},
	}
}

// fit makes the pool as large as an image needs, up to its bound.
func (p *pool) fit(d device, tiledPixels int) error {
	size := min(tiledPixels, maxPool)
	if size == p.size {
		return nil
	}
	p.free(d)
	if err := take(d, p.claims(size)); err != nil {
		return fmt.Errorf("%d paths under way: %w", size, err)
	}
	p.size = size
	return nil
}

func (p *pool) free(d device) {
	giveBack(d, p.claims(0))
	p.size = 0
}

var compactionOf = map[string]uint32{"off": cuda.CompactionOff, "atomic": cuda.CompactionAtomic, "scan": cuda.CompactionScan}

var sortingOf = map[string]uint32{"none": cuda.SortNone, "key": cuda.SortKey, "class": cuda.SortClass}

// applyWavefront fills in what the wavefront engine reads, where it is to run.
func (r *Renderer) applyWavefront(f *cuda.Frame, s Settings) error {
	if r.engine(s, int(f.Width*f.Height)) != "wavefront" {
		return nil
	}
	p := &r.film.pool
	if err := p.fit(r.device, int(f.TiledPixels)); err != nil {
		return err
	}
	f.Paths, f.PathHits, f.Queues = p.paths.address, p.hits.address, p.queues.address
	f.ShadowRays, f.QueueLengths, f.PoolSize = p.shadows.address, p.lengths.address, uint32(p.size)
	f.Compaction, f.Sorting = compactionOf[s.Compaction], sortingOf[s.Sort]
	f.Survivors, f.ScanSums, f.ShadingOrder, f.SortTable = p.survivors.address, p.sums.address, p.order.address, p.table.address
	return nil
}

// wavePixels is the size of image from which waves are quicker on a GPU: below, launches and the last rays of each wave
// cost more than divergence does (docs/benchmarks.md).
const wavePixels = 1 << 17

// engine is what auto stands for. A processor has no warps to keep full.
func (r *Renderer) engine(s Settings, pixels int) string {
	if s.Exec != "auto" {
		return s.Exec
	}
	if r.device.backend().Kind == "cuda" && pixels >= wavePixels {
		return "wavefront"
	}
	return "megakernel"
}
