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
		for bounce := range f.Bounces + 1 {
			table = append(table,
				pass{kernel: extension(bounce), turn: turn, indices: perPath},
				pass{kernel: w.shade, turn: turn, indices: perPath},
				pass{kernel: w.shadow, turn: turn, indices: perPath})
			turn++
		}
		table = append(table, pass{kernel: w.end, turn: turn, indices: perPath})
	}
	return table
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
func perBeginning(f *cuda.Frame) int { return int(max(f.PoolSize, 2*cuda.WaveMax)) }

// pool is the memory of paths under way.
type pool struct {
	paths, hits, queues, shadows, lengths buffer
	size                                  int
}

func (p *pool) claims(size int) []claim {
	return []claim{
		{&p.paths, 16 * int(cuda.WavePathPlanes) * size}, {&p.hits, 16 * size}, {&p.queues, 2 * 4 * size},
		{&p.shadows, 16 * int(cuda.WaveShadowPlanes) * size}, {&p.lengths, 2 * 4 * int(cuda.WaveMax)},
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

var compactionOf = map[string]uint32{"off": cuda.CompactionOff, "atomic": cuda.CompactionAtomic}

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
	f.Compaction = compactionOf[s.Compaction]
	return nil
}

// wavePixels is the size of image from which waves are quicker on a GPU: below, launches and the last rays of each wave
// cost more than divergence does (docs/benchmarks.md).
const wavePixels = 1 << 18

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
