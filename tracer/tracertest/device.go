package tracertest

import (
	"fmt"
	"math"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"glint/cuda"
	"glint/tracer/device"
)

// Device wraps a device for tests to look into: it knows the memory that was taken of it, and what kernels read.
type Device struct {
	device.Device
	Kind           string              // what it says it is; empty: what it is
	Paths          int                 // that may be under way at once; 0: as many as suit the device
	Room           uint64              // bytes of memory that it says it has; 0: what it has
	MaxBuffer      int                 // bytes of a buffer that it refuses to exceed; 0: any
	ChangeFrame    func(f *cuda.Frame) // nil, or changes what kernels read
	BeforeLaunch   func(k cuda.Kernel) // nil, or is called when a kernel is about to run, by LastFrame
	Held           int                 // bytes that were taken and not given back
	LargestCleared int                 // bytes of the largest buffer that was cleared
	LastFrame      cuda.Frame          // as it was set last
	Gate           sync.Mutex          // holds up what runs in the background, while it is locked

	buffers map[uint64]device.Buffer   // by address
	frames  map[cuda.Kernel]cuda.Frame // that kernels read when they last ran
	waiting atomic.Int32               // batches at the gate
}

// NewDevice is a CPU to look into.
func NewDevice() *Device { return newDevice(device.NewCPU("")) }

func newDevice(d device.Device) *Device {
	return &Device{Device: d, buffers: map[uint64]device.Buffer{}, frames: map[cuda.Kernel]cuda.Frame{}}
}

// Info tells what the device says it is.
func (d *Device) Info() device.Info {
	info := d.Device.Info()
	if d.Kind != "" {
		info.Kind = d.Kind
	}
	if d.Paths > 0 {
		info.Paths = d.Paths
	}
	if d.Room > 0 {
		info.Memory = d.Room
	}
	return info
}

// Alloc takes memory and keeps account of it.
func (d *Device) Alloc(bytes int) (device.Buffer, error) {
	if d.MaxBuffer > 0 && bytes > d.MaxBuffer {
		return device.Buffer{}, fmt.Errorf("no room for %d bytes: %w", bytes, device.ErrOutOfMemory)
	}
	b, err := d.Device.Alloc(bytes)
	if err == nil {
		d.Held += bytes
		d.buffers[b.Address] = b
	}
	return b, err
}

// Free gives memory back.
func (d *Device) Free(b device.Buffer) {
	d.Held -= b.Size
	delete(d.buffers, b.Address)
	d.Device.Free(b)
}

// Zero clears a buffer and notes its size.
func (d *Device) Zero(b device.Buffer) error {
	d.LargestCleared = max(d.LargestCleared, b.Size)
	return d.Device.Zero(b)
}

// SetFrame notes what the kernels that follow read.
func (d *Device) SetFrame(f *cuda.Frame) error {
	d.LastFrame = *f
	if d.ChangeFrame != nil {
		d.ChangeFrame(&d.LastFrame)
	}
	return d.Device.SetFrame(&d.LastFrame)
}

// Submit notes which kernels read the frame.
func (d *Device) Submit(batch []device.Launch) error {
	for _, l := range batch {
		d.frames[l.Kernel] = d.LastFrame
	}
	if d.BeforeLaunch == nil {
		return d.Device.Submit(batch)
	}
	for _, l := range batch {
		d.BeforeLaunch(l.Kernel)
		if err := d.Device.Submit([]device.Launch{l}); err != nil {
			return err
		}
	}
	return nil
}

// RunUntil notes which kernel reads the frame.
func (d *Device) RunUntil(l device.Launch, from int, deadline time.Time) (int, error) {
	d.frames[l.Kernel] = d.LastFrame
	if d.BeforeLaunch != nil {
		d.BeforeLaunch(l.Kernel)
	}
	return d.Device.RunUntil(l, from, deadline)
}

// FrameOf is what a kernel read when it last ran.
func (d *Device) FrameOf(k cuda.Kernel) cuda.Frame { return d.frames[k] }

// Background is the device for another goroutine, which waits at the gate.
func (d *Device) Background() device.Device { return gated{d.Device.Background(), d} }

// Waiting tells whether something in the background stands at the gate, or runs.
func (d *Device) Waiting() bool { return d.waiting.Load() > 0 }

type gated struct {
	device.Device
	of *Device
}

func (g gated) Submit(batch []device.Launch) error {
	g.of.waiting.Add(1)
	defer g.of.waiting.Add(-1)
	g.of.Gate.Lock()
	defer g.of.Gate.Unlock()
	return g.Device.Submit(batch)
}

// ReadBuffer is what a buffer holds, as rows of a plain struct.
func ReadBuffer[T any](t testing.TB, d *Device, address uint64) []T {
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

// WriteBuffer replaces what a buffer holds.
func WriteBuffer[T any](t testing.TB, d *Device, address uint64, rows []T) {
	t.Helper()
	if err := d.Upload(d.buffers[address], device.BytesOf(rows)); err != nil {
		t.Fatal(err)
	}
}

// PlantNaN spoils what was accumulated for a pixel, and its guides: f is a frame of the image, with both.
func PlantNaN(t testing.TB, d *Device, f cuda.Frame, pixel int) {
	t.Helper()
	nan := float32(math.NaN())
	for _, address := range []uint64{f.Film.Accumulation, f.Film.Aovs} {
		planes := ReadBuffer[[4]float32](t, d, address)
		for at := pixel; at < len(planes); at += int(f.Film.Width * f.Film.Height) {
			planes[at] = [4]float32{nan, nan, nan, 1}
		}
		WriteBuffer(t, d, address, planes)
	}
}
