package device

import (
	"errors"
	"time"

	"glint/cuda"
)

// Planner stands for a device that is not there: it counts the memory that is allocated, runs nothing, and reads back zeros. A renderer
// on it holds what it would hold on the device, so that its memory is known in advance.
type Planner struct {
	atOnce
	withoutGL
	kind   string
	memory uint64
	bytes  int
	peak   int
	next   uint64
}

// NewPlanner stands for a device of a kind with so much memory of its own, bytes: some buffers are larger where there is more.
func NewPlanner(kind string, memory uint64) *Planner {
	return &Planner{withoutGL: withoutGL{errors.New("the device is only planned")}, kind: kind, memory: memory, next: 1 << 32}
}

// Peak is the most that was held at once, bytes.
func (p *Planner) Peak() int { return p.peak }

// Info names the kind.
func (p *Planner) Info() Info { return Info{Kind: p.kind, Device: "planned", Memory: p.memory} }

// Alloc counts.
func (p *Planner) Alloc(bytes int) (Buffer, error) {
	at := p.next
	p.next += uint64(alignedSize(bytes + 1)) // no two begin at the same place
	p.bytes += bytes
	p.peak = max(p.peak, p.bytes)
	return Buffer{Address: at, Size: bytes}, nil
}

// Free counts, too.
func (p *Planner) Free(b Buffer) { p.bytes -= b.Size }

// Lend does as the processor does with memory that is aligned.
func (p *Planner) Lend(data []byte) (Buffer, bool) {
	if p.kind != KindCPU || len(data) < lentBytes {
		return Buffer{}, false
	}
	return Buffer{Address: 1}, true
}

// Upload writes nothing.
func (p *Planner) Upload(Buffer, []byte) error { return nil }

// Download reads zeros.
func (p *Planner) Download(_ Buffer, data []byte) error {
	clear(data)
	return nil
}

// Zero clears nothing.
func (p *Planner) Zero(Buffer) error { return nil }

// SetFrame is of no use.
func (p *Planner) SetFrame(*cuda.Frame) error { return nil }

// Submit runs nothing.
func (p *Planner) Submit([]Launch) error { return nil }

// RunUntil has done everything at once.
func (p *Planner) RunUntil(l Launch, _ int, _ time.Time) (int, error) { return l.Indices, nil }

// Reach refuses.
func (p *Planner) Reach([]byte) (address uint64, release func(), ok bool) { return 0, nil, false }

// Time has no times.
func (p *Planner) Time(*Timings) {}

// Background is itself.
func (p *Planner) Background() Device { return p }

// Access is none.
func (p *Planner) Access() Access { return Access{} }
