package tracer_test

import (
	"fmt"
	"math"
	"sync"
	"sync/atomic"
	"testing"

	"glint/cuda"
	"glint/tracer"
	"glint/tracer/device"
	"glint/tracer/profile"
)

// double is a processor that tests look into: it knows the memory that was taken of it, and what kernels read.
type double struct {
	*device.CPU
	kind    string // what it says it is; empty: the processor that it is
	most    int    // bytes of a buffer; 0: any
	held    int    // bytes that were taken and not given back
	cleared int    // bytes of the largest buffer that was cleared
	change  func(f *cuda.Frame)
	buffers map[uint64]device.Buffer // by address
	frames  map[cuda.Kernel]cuda.Frame
	frame   cuda.Frame
	queued  atomic.Int32 // that run in the background
	gate    sync.Mutex   // holds up what runs in the background, while it is locked
}

func newDouble() *double {
	return &double{CPU: device.NewCPU(""), buffers: map[uint64]device.Buffer{}, frames: map[cuda.Kernel]cuda.Frame{}}
}

// studio opens a renderer on the double.
func (d *double) studio(t testing.TB) *studio {
	t.Helper()
	r, err := tracer.OpenOn(d, profile.Policy{})
	if err != nil {
		t.Fatal(err)
	}
	st := newStudio(t, r)
	st.double = d
	return st
}

func (d *double) Info() device.Info {
	info := d.CPU.Info()
	if d.kind != "" {
		info.Kind = d.kind
	}
	return info
}

func (d *double) Alloc(bytes int) (device.Buffer, error) {
	if d.most > 0 && bytes > d.most {
		return device.Buffer{}, fmt.Errorf("no room for %d bytes", bytes)
	}
	b, err := d.CPU.Alloc(bytes)
	if err == nil {
		d.held += bytes
		d.buffers[b.Address] = b
	}
	return b, err
}

func (d *double) Free(b device.Buffer) {
	d.held -= b.Size
	delete(d.buffers, b.Address)
	d.CPU.Free(b)
}

func (d *double) Zero(b device.Buffer) error {
	d.cleared = max(d.cleared, b.Size)
	return d.CPU.Zero(b)
}

func (d *double) SetFrame(f *cuda.Frame) error {
	d.frame = *f
	if d.change != nil {
		d.change(&d.frame)
	}
	return d.CPU.SetFrame(&d.frame)
}

func (d *double) Submit(batch []device.Launch) error {
	for _, l := range batch {
		d.frames[l.Kernel] = d.frame
	}
	return d.CPU.Submit(batch)
}

// gated is a device for the background that waits at the gate.
type gated struct {
	*device.CPU
	of *double
}

func (g gated) Submit(batch []device.Launch) error {
	g.of.queued.Add(1)
	defer g.of.queued.Add(-1)
	g.of.gate.Lock()
	defer g.of.gate.Unlock()
	return g.CPU.Submit(batch)
}

// waiting tells whether something stands at the gate.
func (d *double) waiting() bool { return d.queued.Load() > 0 }

func (d *double) Background() device.Device {
	return gated{&device.CPU{Variant: d.Variant}, d}
}

// read is what a buffer holds, as rows of a plain struct.
func read[T any](t testing.TB, d *double, address uint64) []T {
	t.Helper()
	b, ok := d.buffers[address]
	if !ok {
		t.Fatalf("no buffer begins at %#x", address)
	}
	rows := make([]T, b.Size/device.SizeOf[T]())
	if err := d.Download(b, device.BytesOf(rows)); err != nil {
		t.Fatal(err)
	}
	return rows
}

// write replaces what a buffer holds.
func write[T any](t testing.TB, d *double, address uint64, rows []T) {
	t.Helper()
	if err := d.Upload(d.buffers[address], device.BytesOf(rows)); err != nil {
		t.Fatal(err)
	}
}

// plantNaN spoils what was accumulated for a pixel, and its guides.
func plantNaN(t testing.TB, d *double, f cuda.Frame, pixel int) {
	t.Helper()
	nan := float32(math.NaN())
	for _, address := range []uint64{f.Film.Accumulation, f.Film.Aovs} {
		planes := read[[4]float32](t, d, address)
		for at := pixel; at < len(planes); at += int(f.Film.Width * f.Film.Height) {
			planes[at] = [4]float32{nan, nan, nan, 1}
		}
		write(t, d, address, planes)
	}
}

// openVariant opens the CPU backend on one build of the kernels, whatever this processor would take.
func openVariant(v cuda.Variant) (*tracer.Renderer, error) {
	d := device.NewCPU("")
	d.Variant = v
	return tracer.OpenOn(d, profile.Policy{TimeEvery: 1})
}

// halves is where the half images of the error map are.
func (d *double) halves() uint64 { return d.frames[cuda.AccumulateHalves].ErrorMap.Halves }

// plantHalf multiplies what the first half of the samples has in a rectangle of an image so many pixels wide.
func plantHalf(t testing.TB, d *double, across, x0, y0, width, height int, by float32) {
	t.Helper()
	planes := read[[4]float32](t, d, d.halves())
	for y := y0; y < y0+height; y++ {
		for x := x0; x < x0+width; x++ {
			for c := range 3 {
				planes[y*across+x][c] *= by
			}
		}
	}
	write(t, d, d.halves(), planes)
}
