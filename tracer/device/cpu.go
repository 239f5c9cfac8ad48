package device

import (
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	"glint/cuda"
	"glint/tracer/guard"
)

// CPU runs the C++ build of the kernels on all cores.
type CPU struct {
	atOnce // has() reads the frame on a processor
	withoutGL
	Variant cuda.Variant // the build of the kernels
	why     string
	frame   *cuda.Frame // allocated separately: cgo refuses memory that holds Go pointers
	timings *Timings    // nil: launches are not timed
}

// chunk is how many indices a worker takes at a time: 8 tiles of 8×4 pixels, and whole blocks where a kernel works as one.
const chunk = 256

// NewCPU is the processor with the best build for it. Why says why it was taken, where a GPU was hoped for.
func NewCPU(why string) *CPU { return newCPU(cuda.BestVariant(), why) }

func newCPU(build cuda.Variant, why string) *CPU {
	return &CPU{withoutGL: withoutGL{errors.New("the CPU backend draws into plain memory")}, Variant: build, why: why}
}

// Info tells what renders.
func (d *CPU) Info() Info {
	build := "baseline"
	if d.Variant == cuda.V3 {
		build = "AVX2"
	}
	return Info{Kind: KindCPU, Device: fmt.Sprintf("%d threads, %s", runtime.GOMAXPROCS(0), build), Why: d.why}
}

// Alloc takes memory that kernels can address.
func (d *CPU) Alloc(bytes int) (Buffer, error) {
	m, err := cuda.Alloc(bytes)
	return Buffer{Address: m.Address(), Size: bytes, host: m}, err
}

// What is worth lending, bytes, and how kernels want it aligned.
const (
	lentBytes = 1 << 20
	lentUnit  = 64
)

// Lend spares the copy of what is large.
func (d *CPU) Lend(data []byte) (Buffer, bool) {
	if len(data) < lentBytes || uintptr(unsafe.Pointer(unsafe.SliceData(data)))%lentUnit != 0 {
		return Buffer{}, false
	}
	m := cuda.Lend(data)
	return Buffer{Address: m.Address(), Size: len(data), host: m}, true
}

// Free gives memory back.
func (d *CPU) Free(b Buffer) { b.host.Free() }

// Upload copies data into a buffer.
func (d *CPU) Upload(b Buffer, data []byte) error {
	to := b.host.Bytes()
	guard.InChunks(len(data), func(_, begin, end int) { copy(to[begin:end], data[begin:end]) })
	return nil
}

// Download copies what a buffer holds.
func (d *CPU) Download(b Buffer, data []byte) error {
	copy(data, b.host.Bytes())
	return nil
}

// Zero clears a buffer.
func (d *CPU) Zero(b Buffer) error {
	clear(b.host.Bytes())
	return nil
}

// SetFrame keeps a copy of the frame.
func (d *CPU) SetFrame(f *cuda.Frame) error {
	d.frame = new(*f)
	return nil
}

// RunUntil hands chunks to one goroutine per core until the range or the time is used up. At least one chunk a core runs.
func (d *CPU) RunUntil(l Launch, from int, deadline time.Time) (int, error) {
	start := time.Now()
	var next atomic.Int64
	next.Store(int64(from))
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for {
				begin := int(next.Add(chunk)) - chunk
				if begin >= l.Indices {
					return
				}
				cuda.Run(d.Variant, l.Kernel, d.frame, begin, min(begin+chunk, l.Indices), l.Arg)
				if !deadline.IsZero() && time.Now().After(deadline) || closed(l.Stop) {
					return
				}
			}
		})
	}
	workers.Wait()
	if d.timings != nil {
		d.timings.add(SlotOf(l.Kernel, l.Arg), float64(time.Since(start))/1e6)
	}
	return min(int(next.Load()), l.Indices), nil
}

// closed tells whether a channel is closed, on which nothing is sent.
func closed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// Submit runs launches one after the other.
func (d *CPU) Submit(batch []Launch) error { return RunAll(d, batch...) }

// Time notes the times of what follows.
func (d *CPU) Time(t *Timings) { d.timings = t }

// Background is the same processor and memory with a frame of its own.
func (d *CPU) Background() Device { return newCPU(d.Variant, "") }

// Access is the host's.
func (d *CPU) Access() Access { return Access{Host: true} }

// Reach pins pixels, which kernels write as whole words.
func (d *CPU) Reach(pixels []byte) (address uint64, release func(), ok bool) {
	start := unsafe.Pointer(unsafe.SliceData(pixels))
	if start == nil || uintptr(start)%4 != 0 {
		return 0, nil, false
	}
	var pin runtime.Pinner
	pin.Pin(start)
	return uint64(uintptr(start)), pin.Unpin, true
}
