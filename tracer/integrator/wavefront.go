package integrator

import (
	"errors"
	"fmt"

	"glint/cuda"
	"glint/tracer/device"
	"glint/tracer/settings"
)

// engines are the kernels that trace one kind of path: one that does it all by name of the engine, where "megakernel" stands in
// for those without, and those of the wavefront engine, nil where it has none.
type engines struct {
	kernels map[string]cuda.Kernel
	waves   *waves
}

var (
	pathEngines = engines{
		kernels: map[string]cuda.Kernel{"megakernel": cuda.TracePaths, "regeneration": cuda.RegeneratePaths},
		waves:   &waves{cuda.BeginPaths, cuda.RenewPaths, cuda.ShadePaths, cuda.ShadowPaths, cuda.EndPaths, 0, 0},
	}
	restirEngines = engines{
		kernels: map[string]cuda.Kernel{"megakernel": cuda.InitialSamples},
		waves:   &waves{cuda.BeginGiPaths, cuda.RenewGiPaths, cuda.ShadeGiPaths, cuda.ShadowGiPaths, cuda.EndGiPaths, int(cuda.WaveGiPlanes), int(cuda.WaveGiShadowPlanes)},
	}
)

// waves are the kernels of the wavefront engine for one kind of path, and what they keep of it.
type waves struct {
	begin, renew, shade, shadow, end cuda.Kernel
	planes, shadowPlanes             int // float4 that a path and a shadow ray have more than any
}

// inWaves tells whether the wavefront engine does the work.
func (e engines) inWaves(t *Task) bool {
	return t.Settings.Exec == "wavefront" && e.waves != nil
}

// passes is how paths are traced: by one kernel that does it all, or by waves of small ones.
func (e engines) passes(f *cuda.Frame, t *Task) []device.Pass {
	if !e.inWaves(t) {
		kernel, ok := e.kernels[t.Settings.Exec]
		if !ok {
			kernel = e.kernels["megakernel"]
		}
		return []device.Pass{{Kernel: kernel, Paths: int(f.Film.TiledPixels)}}
	}
	w := e.waves
	last := wavesOf(f) - 1
	table := []device.Pass{{Kernel: w.begin, Indices: perBeginning, Paths: int(f.Film.TiledPixels)}}
	for wave := range last + 1 {
		if wave > 0 {
			table = append(table, device.Pass{Kernel: cuda.ExtendPaths, Arg: wave, Indices: perPath})
		}
		begins := beginnings(f, wave)
		if wave > 0 && begins > 0 {
			table = append(table, device.Pass{Kernel: w.renew, Arg: wave, Indices: exactly(begins)})
		}
		if begins > 0 {
			table = append(table, device.Pass{Kernel: cuda.ExtendFirst, Arg: wave, Indices: exactly(begins)})
		}
		table = append(table, shading(f, w.shade, wave)...)
		if wave == last {
			break // where the last bounce arrives there is emission, but no light is sampled any more
		}
		table = append(table, compaction(f, wave)...)
		table = append(table, device.Pass{Kernel: w.shadow, Arg: wave, Indices: perPath, Overlap: device.Next})
	}
	return append(table, device.Pass{Kernel: w.end, Indices: perPath})
}

// wavesOf is how many waves a frame takes at most: while there are pixels left no place of the pool is idle, and each of them
// is done with a pixel after as many waves as a path has rays at most.
func wavesOf(f *cuda.Frame) uint32 {
	return (f.Film.TiledPixels + f.Wavefront.PoolSize - 1) / f.Wavefront.PoolSize * raysOf(f)
}

// raysOf is how many rays a path has at most, shadow rays excluded.
func raysOf(f *cuda.Frame) uint32 { return f.Sampling.Bounces + f.Sampling.Panes + 1 }

// beginnings is how many paths begin in a wave at most. By then each place of the pool is done with at least one pixel for each
// so many waves as a path may take.
func beginnings(f *cuda.Frame, wave uint32) int {
	if wave == 0 {
		return int(f.Wavefront.PoolSize)
	}
	begun := int(f.Wavefront.PoolSize) * int((wave-1)/raysOf(f)+1)
	return max(0, min(int(f.Wavefront.PoolSize), int(f.Film.TiledPixels)-begun))
}

// shading shades the hits of a wave, in the order that is asked for.
func shading(f *cuda.Frame, shade cuda.Kernel, wave uint32) []device.Pass {
	if f.Wavefront.Sorting == cuda.SortNone {
		return []device.Pass{{Kernel: shade, Arg: wave, Indices: perPath}}
	}
	table := []device.Pass{{Kernel: cuda.OrderCount, Arg: wave, Indices: perPath},
		{Kernel: cuda.OrderStarts, Arg: wave, Indices: oneBlock(cuda.OrderStarts)},
		{Kernel: cuda.OrderMove, Arg: wave, Indices: perPath}}
	if f.Wavefront.Sorting == cuda.SortKey {
		return append(table, device.Pass{Kernel: shade, Arg: wave, Indices: perPath})
	}
	for class := range cuda.ClassCount {
		table = append(table, device.Pass{Kernel: shade, Arg: wave | (class+1)<<cuda.ClassShift, Indices: perPath})
	}
	return table
}

// compaction moves the paths that go on together, where shading has not done so itself.
func compaction(f *cuda.Frame, wave uint32) []device.Pass {
	if f.Wavefront.Compaction != cuda.CompactionScan {
		return nil
	}
	return []device.Pass{{Kernel: cuda.ScanCount, Arg: wave, Indices: perScanBlock},
		{Kernel: cuda.ScanSums, Arg: wave, Indices: oneBlock(cuda.ScanSums)},
		{Kernel: cuda.ScanMove, Arg: wave, Indices: perScanBlock}}
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

// fill fills in what the wavefront engine reads. Where a device's memory is short the pool is half as large, and half of that again: its
// places go to more pixels one after another, and the picture is the same.
func (p *pool) fill(f *cuda.Frame, w *waves, s *settings.Settings) error {
	err := p.claim(f, w, s)
	for errors.Is(err, device.ErrOutOfMemory) && f.Wavefront.PoolSize > leastPaths {
		p.limit = int(f.Wavefront.PoolSize) / 2
		err = p.claim(f, w, s)
	}
	if err != nil {
		return fmt.Errorf("%d paths under way: %w", f.Wavefront.PoolSize, err)
	}
	f.Wavefront.Paths, f.Wavefront.Hits, f.Wavefront.Queues = p.paths.Address, p.hits.Address, p.queues.Address
	f.Wavefront.ShadowRays, f.Wavefront.QueueLengths = p.shadows.Address, p.lengths.Address
	f.Wavefront.PathIndices, f.Wavefront.FreeSlots = p.indices.Address, p.ended.Address
	f.Wavefront.Survivors, f.Wavefront.ScanSums, f.Wavefront.ShadingOrder, f.Wavefront.SortTable = p.survivors.Address, p.sums.Address, p.order.Address, p.table.Address
	return nil
}

// claim decides how large the pool is, and takes the memory.
func (p *pool) claim(f *cuda.Frame, w *waves, s *settings.Settings) error {
	f.Wavefront.PoolSize = uint32(min(int(f.Film.TiledPixels), p.most()))
	f.Wavefront.Waves = wavesOf(f) + 1
	f.Wavefront.Compaction, f.Wavefront.Sorting = compactionOf[s.Compaction], sortingOf[s.Sort]
	shape := poolShape{size: int(f.Wavefront.PoolSize), waves: int(f.Wavefront.Waves), renews: f.Film.TiledPixels > f.Wavefront.PoolSize,
		scans: f.Wavefront.Compaction == cuda.CompactionScan, orders: f.Wavefront.Sorting != cuda.SortNone,
		planes: int(cuda.WavePathPlanes) + w.planes, shadowPlanes: int(cuda.WaveShadowPlanes) + w.shadowPlanes}
	if cuda.KeepsPassage(f.Scene.Missing) {
		shape.planes += int(cuda.WavePassagePlanes)
	}
	if cuda.CrossesVolumes(f.Scene.Missing) {
		shape.shadowPlanes += int(cuda.WaveMediaPlanes)
	}
	if _, err := p.set.Ensure(p.device, shape.waves, p.counts); err != nil {
		return err
	}
	return p.scratch.Take(p, p.allocations(shape))
}

// wavePixels is the size of image from which waves are quicker on a GPU: below, launches and the last rays of each wave
// cost more than divergence does (docs/measurements.md).
const wavePixels = 1 << 17

// Engine is what --exec auto stands for. A processor has no warps to keep full.
func Engine(exec string, gpu bool, pixels int) string {
	if exec != "auto" {
		return exec
	}
	if gpu && pixels >= wavePixels {
		return "wavefront"
	}
	return "megakernel"
}

// The paths under way at once: the more, the fewer waves, but each takes up to poolBytes of memory. In a larger image the places of
// paths that have ended go to the next pixels.
const (
	leastPaths  = 1 << 16 // where memory is short
	fewestPaths = 1 << 20
	mostPaths   = 1 << 23
	poolBytes   = 16*int(cuda.WavePathPlanes+cuda.WavePassagePlanes+cuda.WaveGiPlanes+cuda.WaveShadowPlanes+cuda.WaveMediaPlanes+cuda.WaveGiShadowPlanes) + 32
	poolShare   = 32 // the pool takes one part of so many of the device's memory
)

// pool is the memory of paths under way.
type pool struct {
	device                                device.Device
	scratch                               *device.Scratch // for all that nobody looks at after a sample
	set                                   device.Set[int] // of counts, by waves
	limit                                 int             // of paths, for which there was room; 0: there was for all
	paths, hits, queues, shadows, lengths device.Buffer
	indices, ended                        device.Buffer // where places get another pixel
	survivors, sums                       device.Buffer // of compaction by a scan
	order, table                          device.Buffer // of sorting
}

// poolShape is what the memory of a pool depends on.
type poolShape struct {
	size, waves           int
	planes, shadowPlanes  int // float4 of each path, and of its shadow ray
	renews, scans, orders bool
}

// free gives the memory back. The next pool may find more room.
func (p *pool) free() {
	p.scratch.Leave(p)
	p.set.Free(p.device)
	p.limit = 0
}

// most is how many paths may be under way on a device.
func (p *pool) most() int {
	info := p.device.Info()
	most := min(max(int(info.Memory/poolShare)/poolBytes, fewestPaths), mostPaths)
	if info.Paths > 0 {
		most = info.Paths
	}
	if p.limit > 0 {
		most = min(most, p.limit)
	}
	return most
}

// bytes is what it holds, in its turns or for good.
func (p *pool) bytes() int { return p.scratch.Wanted(p) + p.set.Bytes() }

// counts are read back after the frame.
func (p *pool) counts(waves int) []device.Allocation {
	return []device.Allocation{{Buffer: &p.lengths, Bytes: 4 * int(cuda.LengthCount) * waves}}
}

func (p *pool) allocations(s poolShape) []device.Allocation {
	each := func(wanted bool, bytes int) int {
		if !wanted {
			return 0
		}
		return bytes
	}
	return []device.Allocation{
		{Buffer: &p.paths, Bytes: 16 * s.planes * s.size}, {Buffer: &p.hits, Bytes: 16 * s.size},
		{Buffer: &p.queues, Bytes: 2 * 4 * s.size}, {Buffer: &p.shadows, Bytes: 16 * s.shadowPlanes * s.size},
		{Buffer: &p.indices, Bytes: each(s.renews, 4*s.size)}, {Buffer: &p.ended, Bytes: each(s.renews, 4*s.size)},
		{Buffer: &p.survivors, Bytes: each(s.scans, 4*s.size)}, {Buffer: &p.sums, Bytes: each(s.scans, 4*scanBlocks(s.size))},
		{Buffer: &p.order, Bytes: each(s.orders, 4*s.size)}, {Buffer: &p.table, Bytes: each(s.orders, 3*4*int(cuda.SortKeys))},
	}
}

// lengthsOf reads back how many rays stood in the queues of the last frame, wave by wave. Paths that begin in a wave stand in
// its queue, too.
func (p *pool) lengthsOf() (extension, shadow []float64, err error) {
	if p.lengths.Size == 0 {
		return nil, nil, nil
	}
	stride := p.set.Shape()
	raw := make([]uint32, p.lengths.Size/4)
	if err := p.device.Download(p.lengths, device.BytesOf(raw)); err != nil {
		return nil, nil, fmt.Errorf("read the queues: %w", err)
	}
	of := func(row uint32, wave int) float64 { return float64(raw[int(row)*stride+wave]) }
	for wave := range stride - 1 {
		begun := of(cuda.LengthBegun, wave+1) - of(cuda.LengthBegun, wave)
		e, s := of(cuda.LengthExtension, wave)+begun, of(cuda.LengthShadow, wave)
		if e == 0 && s == 0 {
			break
		}
		extension, shadow = append(extension, e), append(shadow, s)
	}
	return extension, shadow, nil
}
