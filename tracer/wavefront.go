package tracer

import "glint/cuda"

// waves are the kernels of the wavefront engine for one kind of path.
type waves struct{ begin, renew, shade, shadow, end cuda.Kernel }

var (
	pathWaves   = waves{cuda.BeginPaths, cuda.RenewPaths, cuda.ShadePaths, cuda.ShadowPaths, cuda.EndPaths}
	sharedWaves = waves{cuda.BeginGiPaths, cuda.RenewGiPaths, cuda.ShadeGiPaths, cuda.ShadowGiPaths, cuda.EndGiPaths}
)

// tracing is how paths are traced: by one kernel that does it all, or by waves of small ones.
func tracing(f *cuda.Frame, megakernel cuda.Kernel, w waves) []pass {
	if f.Wavefront.PoolSize == 0 {
		return []pass{{kernel: megakernel, paths: int(f.Film.TiledPixels)}}
	}
	last := wavesOf(f) - 1
	table := []pass{{kernel: w.begin, indices: perBeginning, paths: int(f.Film.TiledPixels)}}
	for wave := range last + 1 {
		if wave > 0 {
			table = append(table, pass{kernel: cuda.ExtendPaths, turn: wave, indices: perPath})
		}
		begins := beginnings(f, wave)
		if wave > 0 && begins > 0 {
			table = append(table, pass{kernel: w.renew, turn: wave, indices: exactly(begins)})
		}
		if begins > 0 {
			table = append(table, pass{kernel: cuda.ExtendFirst, turn: wave, indices: exactly(begins)})
		}
		table = append(table, shading(f, w.shade, wave)...)
		if wave == last {
			break // where the last bounce arrives there is emission, but no light is sampled any more
		}
		table = append(table, compaction(f, wave)...)
		table = append(table, pass{kernel: w.shadow, turn: wave, indices: perPath, beside: following})
	}
	return append(table, pass{kernel: w.end, indices: perPath})
}

// wavesOf is how many waves a frame takes at most: while there are pixels left no place of the pool is idle, and each of them
// is done with a pixel after as many waves as a path has rays at most.
func wavesOf(f *cuda.Frame) uint32 {
	return (f.Film.TiledPixels + f.Wavefront.PoolSize - 1) / f.Wavefront.PoolSize * (f.Sampling.Bounces + 1)
}

// beginnings is how many paths begin in a wave at most. By then each place of the pool is done with at least one pixel for each
// so many waves as a path may take.
func beginnings(f *cuda.Frame, wave uint32) int {
	if wave == 0 {
		return int(f.Wavefront.PoolSize)
	}
	begun := int(f.Wavefront.PoolSize) * int((wave-1)/(f.Sampling.Bounces+1)+1)
	return max(0, min(int(f.Wavefront.PoolSize), int(f.Film.TiledPixels)-begun))
}

// shading shades the hits of a wave, in the order that is asked for.
func shading(f *cuda.Frame, shade cuda.Kernel, turn uint32) []pass {
	if f.Wavefront.Sorting == cuda.SortNone {
		return []pass{{kernel: shade, turn: turn, indices: perPath}}
	}
	table := []pass{{kernel: cuda.OrderCount, turn: turn, indices: perPath},
		{kernel: cuda.OrderStarts, turn: turn, indices: oneBlock(cuda.OrderStarts)},
		{kernel: cuda.OrderMove, turn: turn, indices: perPath}}
	if f.Wavefront.Sorting == cuda.SortKey {
		return append(table, pass{kernel: shade, turn: turn, indices: perPath})
	}
	for class := range cuda.ClassCount {
		table = append(table, pass{kernel: shade, turn: turn | (class+1)<<classShift, indices: perPath})
	}
	return table
}

// compaction moves the paths that go on together, where shading has not done so itself.
func compaction(f *cuda.Frame, turn uint32) []pass {
	if f.Wavefront.Compaction != cuda.CompactionScan {
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

func perScanBlock(f *cuda.Frame) int {
	return scanBlocks(int(f.Wavefront.PoolSize)) * cuda.ScanCount.Threads()
}

func exactly(n int) func(*cuda.Frame) int { return func(*cuda.Frame) int { return n } }

func oneBlock(k cuda.Kernel) func(*cuda.Frame) int { return exactly(k.Threads()) }

func perPath(f *cuda.Frame) int { return int(f.Wavefront.PoolSize) }

// perBeginning also empties the queues.
func perBeginning(f *cuda.Frame) int {
	return int(max(f.Wavefront.PoolSize, cuda.LengthCount*f.Wavefront.Waves, cuda.SortKeys))
}

var compactionOf = map[string]uint32{"off": cuda.CompactionOff, "atomic": cuda.CompactionAtomic, "scan": cuda.CompactionScan}

var sortingOf = map[string]uint32{"none": cuda.SortNone, "key": cuda.SortKey, "class": cuda.SortClass}

// applyWavefront fills in what the wavefront engine reads, where it is to run.
func (r *Renderer) applyWavefront(f *cuda.Frame, s Settings) error {
	if r.engine(s, int(f.Film.Width*f.Film.Height)) != "wavefront" {
		return nil
	}
	p := &r.film.pool
	f.Wavefront.PoolSize = uint32(min(int(f.Film.TiledPixels), p.most(r.device)))
	f.Wavefront.Waves = wavesOf(f) + 1
	f.Wavefront.Compaction, f.Wavefront.Sorting = compactionOf[s.Compaction], sortingOf[s.Sort]
	if err := p.fit(r.device, shapeOf(f)); err != nil {
		return err
	}
	f.Wavefront.Paths, f.Wavefront.Hits, f.Wavefront.Queues = p.paths.address, p.hits.address, p.queues.address
	f.Wavefront.ShadowRays, f.Wavefront.QueueLengths = p.shadows.address, p.lengths.address
	f.Wavefront.PathIndices, f.Wavefront.FreeSlots = p.indices.address, p.ended.address
	f.Wavefront.Survivors, f.Wavefront.ScanSums, f.Wavefront.ShadingOrder, f.Wavefront.SortTable = p.survivors.address, p.sums.address, p.order.address, p.table.address
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
