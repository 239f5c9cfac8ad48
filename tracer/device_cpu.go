package tracer

import (
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"glint/cuda"
)

// cpuDevice runs the C++ build of the kernels on all cores.
type cpuDevice struct {
	variant cuda.Variant
	why     string
	frame   *cuda.Frame // by itself: cgo refuses memory that holds Go pointers
	sheet   *sheet      // nil: nobody asks for times
}

// chunk is how many indices a worker takes at a time: 8 tiles of 8×4 pixels, and whole blocks where a kernel works as one.
const chunk = 256

func newCPUDevice(why string) *cpuDevice {
	return &cpuDevice{variant: cuda.BestVariant(), why: why}
}

func (d *cpuDevice) backend() Backend {
	build := "baseline"
	if d.variant == cuda.V3 {
		build = "AVX2"
	}
	return Backend{Kind: "cpu", Device: fmt.Sprintf("%d threads, %s", runtime.GOMAXPROCS(0), build), Why: d.why}
}

func (d *cpuDevice) memory() uint64 { return 0 }

// suit does nothing: has() reads the frame on a processor.
func (d *cpuDevice) suit(uint32) {}

func (d *cpuDevice) settle() error { return nil }

func (d *cpuDevice) alloc(bytes int) (buffer, error) {
	m, err := cuda.Alloc(bytes)
	return buffer{address: m.Address(), size: bytes, host: m}, err
}

func (d *cpuDevice) free(b buffer) { b.host.Free() }

func (d *cpuDevice) upload(b buffer, data []byte) error {
	copy(b.host.Bytes(), data)
	return nil
}

func (d *cpuDevice) download(b buffer, data []byte) error {
	copy(data, b.host.Bytes())
	return nil
}

func (d *cpuDevice) zero(b buffer) error {
	clear(b.host.Bytes())
	return nil
}

func (d *cpuDevice) setFrame(f *cuda.Frame) error {
	d.frame = new(*f)
	return nil
}

// launch hands chunks to one goroutine per core until the range or the time is used up. At least one chunk a core runs.
func (d *cpuDevice) launch(k cuda.Kernel, turn uint32, from, to int, deadline time.Time) (int, error) {
	start := time.Now()
	var next atomic.Int64
	next.Store(int64(from))
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for {
				begin := int(next.Add(chunk)) - chunk
				if begin >= to {
					return
				}
				cuda.Run(d.variant, k, d.frame, begin, min(begin+chunk, to), turn)
				if !deadline.IsZero() && time.Now().After(deadline) {
					return
				}
			}
		})
	}
	workers.Wait()
	if d.sheet != nil {
		d.sheet.add(entryOf(k, turn), float64(time.Since(start))/1e6)
	}
	return min(int(next.Load()), to), nil
}

func (d *cpuDevice) play(batch []launch) error {
	for _, l := range batch {
		if _, err := d.launch(l.kernel, l.turn, 0, l.indices, time.Time{}); err != nil {
			return err
		}
	}
	return nil
}

func (d *cpuDevice) sync() error { return nil }

func (d *cpuDevice) time(on *sheet) { d.sheet = on }

var errNoInterop = errors.New("the CPU backend draws into plain memory")

func (d *cpuDevice) attach(uint32) error              { return errNoInterop }
func (d *cpuDevice) detach(uint32) error              { return nil }
func (d *cpuDevice) mapTarget(uint32) (uint64, error) { return 0, errNoInterop }
func (d *cpuDevice) unmapTarget(uint32) error         { return nil }
func (d *cpuDevice) close() error                     { return nil }
