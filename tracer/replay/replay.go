// Package replay traces single samples of pixels again, by the kernels that traced them, with a note of each step. What the notes say
// adds up to the sample, bit for bit.
package replay

import (
	"fmt"
	"math/bits"

	"glint/cuda"
	"glint/tracer/device"
)

// Path is a sample of a pixel.
type Path struct {
	Query    cuda.ReplayQuery
	Answer   cuda.ReplayAnswer
	Vertices []cuda.ReplayVertex // from the camera on; fewer than Answer.Vertices where there was no room
}

// Sum is what the vertices add to the sample [nit], added up as the kernels do.
func (p *Path) Sum() (sum [3]float32) {
	for _, v := range p.Vertices {
		for k := range sum {
			sum[k] += v.Emitted[k]
		}
		for k := range sum {
			sum[k] += v.Direct[k]
		}
	}
	return sum
}

// Shared is what ReSTIR's last frame shaded at a pixel.
type Shared struct {
	Query   cuda.ReplayQuery
	Answer  cuda.ReplayAnswer
	Samples []cuda.ReplayShared // of the pixel's neighbours and, last, its own
}

// Left tells whether a path leaves the scene there: its position is a direction.
func Left(v *cuda.ReplayVertex) bool { return v.Event == cuda.ReplayLeft }

// InMedium tells whether a vertex is in a medium, and on no surface.
func InMedium(v *cuda.ReplayVertex) bool {
	return v.Event == cuda.ReplayInMedium || v.Event == cuda.ReplayAbsorbed
}

// FromAfar tells whether a shared sample has a direction in place of a point.
func FromAfar(s cuda.ReplayShared) bool { return s.Kind == cuda.SampleDistant }

// Replayer has the memory for it.
type Replayer struct {
	device  device.Device
	set     device.Set[shape]
	queries device.Buffer
	answers device.Buffer
	notes   device.Buffer
}

// shape is what its memory depends on.
type shape struct{ count, bytes int }

// New takes memory when it is used first.
func New(d device.Device) *Replayer { return &Replayer{device: d} }

func (r *Replayer) allocations(s shape) []device.Allocation {
	return []device.Allocation{
		{Buffer: &r.queries, Bytes: device.SizeOf[cuda.ReplayQuery]() * s.count},
		{Buffer: &r.answers, Bytes: device.SizeOf[cuda.ReplayAnswer]() * s.count},
		{Buffer: &r.notes, Bytes: s.bytes},
	}
}

// Paths traces paths again. Of each, so many vertices are noted at most; with 0 none.
func (r *Replayer) Paths(f cuda.Frame, queries []cuda.ReplayQuery, most int) ([]Path, error) {
	vertices, answers, err := run[cuda.ReplayVertex](r, &f, cuda.ReplayPaths, queries, most)
	if err != nil {
		return nil, fmt.Errorf("trace a path again: %w", err)
	}
	paths := make([]Path, len(queries))
	for i, a := range answers {
		paths[i] = Path{queries[i], a, vertices[i*most:][:min(int(a.Vertices), most)]}
	}
	return paths, nil
}

// Shared shades the samples of ReSTIR's last frame again, whose frame it is.
func (r *Replayer) Shared(f cuda.Frame, queries []cuda.ReplayQuery) ([]Shared, error) {
	most := int(f.Restir.NeighborPlanes) + 1
	samples, answers, err := run[cuda.ReplayShared](r, &f, cuda.ReplayReuse, queries, most)
	if err != nil {
		return nil, fmt.Errorf("shade a sample again: %w", err)
	}
	shared := make([]Shared, len(queries))
	for i, a := range answers {
		shared[i] = Shared{queries[i], a, samples[i*most:][:min(int(a.Vertices), most)]}
	}
	return shared, nil
}

// run answers queries by a kernel, which leaves up to `most` notes for each.
func run[Note any](r *Replayer, f *cuda.Frame, kernel cuda.Kernel, queries []cuda.ReplayQuery, most int) ([]Note, []cuda.ReplayAnswer, error) {
	n := len(queries)
	if n == 0 {
		return nil, nil, nil
	}
	need := shape{roomFor(n), roomFor(max(n*most, 1) * device.SizeOf[Note]())}
	if has := r.set.Shape(); r.set.Held() { // it only grows
		need = shape{max(need.count, has.count), max(need.bytes, has.bytes)}
	}
	if _, err := r.set.Ensure(r.device, need, r.allocations); err != nil {
		return nil, nil, err
	}
	f.Replay = cuda.ReplayParams{Queries: r.queries.Address, Answers: r.answers.Address, Count: uint32(n), Most: uint32(most)}
	if most > 0 {
		f.Replay.Vertices, f.Replay.Shared = r.notes.Address, r.notes.Address
	}
	notes, answers := make([]Note, n*most), make([]cuda.ReplayAnswer, n)
	for _, step := range []func() error{
		func() error { return r.device.Upload(r.queries, device.BytesOf(queries)) },
		func() error { return r.device.SetFrame(f) },
		func() error { return device.Run(r.device, device.Launch{Kernel: kernel, Indices: n}) },
		r.device.Sync,
		func() error { return r.device.Download(r.answers, device.BytesOf(answers)) },
	} {
		if err := step(); err != nil {
			return nil, nil, err
		}
	}
	if most == 0 {
		return notes, answers, nil
	}
	return notes, answers, r.device.Download(r.notes, device.BytesOf(notes))
}

// roomFor is how many there is room for: the next power of two, so that memory is seldom taken again.
func roomFor(n int) int { return 1 << bits.Len(uint(n-1)) }

// Free gives the memory back.
func (r *Replayer) Free() { r.set.Free(r.device) }
