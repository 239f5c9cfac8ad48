package integrator

import (
	"fmt"
	"math"

	"glint/cuda"
	"glint/tracer/device"
)

// A resting view needs its camera rays traced once where they are always the same. With antialiasing, a lens or surfaces
// that let rays through by chance they are not: then eyeSets different sets of rays are traced and used by turns, and after
// eyeRounds turns replaced by new ones. So an image converges as it does without, only that a pixel has fewer different
// places at a time: eyeSets of them, spread as a net, up to eyeSets·eyeRounds samples.
const (
	eyeSets   = 16
	eyeRounds = 8
)

// Odd constants that keep the seeds of different things apart.
const (
	eyeStride = 0x9e3779b1
	eyeSalt   = 0x7f4a7c15
)

// firstHits keeps the first hits of an image.
type firstHits struct {
	device device.Device
	hits   device.Buffer // cuda.Hit for each launch index, set by set
	pixels int           // tiled
	want   int           // sets
	sets   int           // that there was room for
	tree   uint64        // address of the triangles that hits name, in the order of a BVH
	begun  int           // the sample from which on they do
}

// ensure makes room for as many sets as are wanted, or for half, a quarter, … of them where memory is short.
func (h *firstHits) ensure(pixels, want int) error {
	if pixels == h.pixels && want == h.want {
		return nil
	}
	h.free()
	for sets := want; ; sets /= 2 {
		err := device.Allocate(h.device, []device.Allocation{{Buffer: &h.hits, Bytes: 16 * sets * pixels}})
		if err == nil {
			h.pixels, h.want, h.sets = pixels, want, sets
			return nil
		}
		if sets == 1 {
			return fmt.Errorf("keep first hits: %w", err)
		}
	}
}

func (h *firstHits) free() {
	device.Release(h.device, []device.Allocation{{Buffer: &h.hits}})
	*h = firstHits{device: h.device}
}

// forget has all sets traced anew.
func (h *firstHits) forget() { h.begun = math.MaxInt }

// share has guides and paths of a sample trace their camera rays once: paths keep the hits. Call it last of what fills in the frame: the
// rays must be the sample's own.
func (h *firstHits) share(f *cuda.Frame) error {
	if err := h.ensure(int(f.Film.TiledPixels), 1); err != nil {
		return err
	}
	f.FirstHits.Hits, f.FirstHits.Sample, f.FirstHits.Seed = h.hits.Address, f.Sampling.SampleIndex, f.Sampling.Seed
	return nil
}

// ofFrame has the paths of a frame begin with the same camera rays, those of the frame of a number. The first one traces them.
func (h *firstHits) ofFrame(f *cuda.Frame, frame, path int) error {
	if f.FirstHits.Hits == 0 {
		if err := h.ensure(int(f.Film.TiledPixels), 1); err != nil {
			return err
		}
		f.FirstHits.Hits, f.FirstHits.Sample, f.FirstHits.Seed = h.hits.Address, uint32(frame), f.Sampling.Seed^eyeSalt
	}
	if path > 0 {
		f.Sampling.Flags |= cuda.FrameFirstHits
	}
	return nil
}

// fill says which set of camera rays sample n takes, and whether their hits are known.
func (h *firstHits) fill(f *cuda.Frame, n int) error {
	want := eyeSets
	if f.Sampling.Flags&cuda.FrameAntialias == 0 && f.Scene.Missing&cuda.FeatureAlpha != 0 && f.Camera.ApertureRadius == 0 {
		want = 1 // rays are always the same
	}
	if err := h.ensure(int(f.Film.TiledPixels), want); err != nil {
		return err
	}
	if f.Scene.Triangles != h.tree || n < h.begun {
		h.tree, h.begun = f.Scene.Triangles, n
	}
	cycle := h.cycle()
	f.FirstHits.Hits = h.hits.Address + uint64(16*h.pixels*(n%h.sets))
	f.FirstHits.Sample, f.FirstHits.Seed = h.raysOf(n, f.Sampling.Seed)
	if n%cycle >= h.sets && n-h.begun >= h.sets {
		f.Sampling.Flags |= cuda.FrameFirstHits
	}
	return nil
}

// cycle is for how many samples rays are kept.
func (h *firstHits) cycle() int {
	if h.want == 1 {
		return math.MaxInt
	}
	return h.sets * eyeRounds
}

// raysOf are the camera rays of sample n: a sample of the sampler's, and its seed.
func (h *firstHits) raysOf(n int, seed uint32) (sample, of uint32) {
	// A block of the sampler's sequence: those of 2ⁿ points are nets.
	return uint32(h.sets - 1 + n%h.sets), (seed ^ eyeSalt) + uint32(n/h.cycle())*eyeStride
}

// tracedBy is the sample that traced the camera rays of sample n.
func (h *firstHits) tracedBy(n int) int {
	since := max(n-n%h.cycle(), min(h.begun, n))
	return since + (n-since)%h.sets
}
