// Package device is memory and launches, on a GPU through the CUDA driver or on the cores of the processor.
//
//	d, err := device.Open(device.Options{Backend: "auto"})
//	b, err := d.Alloc(bytes)
//	err = d.SetFrame(&frame)                                           // what the following launches read
//	err = d.Submit([]device.Launch{{Kernel: cuda.TracePaths, Indices: n}})
//	err = d.Sync()
//
// A Device belongs to one goroutine that is locked to its OS thread: CUDA and GL contexts are per thread.
package device

import (
	"time"

	"glint/cuda"
)

// The kinds of devices, as Info.Kind names them.
const (
	KindCUDA = "cuda"
	KindCPU  = "cpu"
)

// Info says what renders and why it was taken.
type Info struct {
	Kind   string // KindCUDA or KindCPU
	Device string // the device's own name
	Why    string // why auto did not take CUDA, or empty
	Memory uint64 // bytes, of its own; 0 for the processor
	// Kernels is how a GPU came by the kernels that suit every scene: machine code, or compiled by the driver, and then why.
	Kernels string
	Paths   int // that may be under way at once; 0: as many as suit its memory
}

// Queue runs kernels in order.
type Queue interface {
	// SetFrame fixes what the following launches read.
	SetFrame(f *cuda.Frame) error
	// Submit runs whole launches in order, as one piece of work.
	Submit(batch []Launch) error
	// RunUntil runs a launch from an index on. A device that works piecemeal stops at the deadline, if there is one, or once
	// Launch.Stop is closed, and tells where; others queue the whole launch.
	RunUntil(l Launch, from int, deadline time.Time) (reached int, err error)
	// Sync waits until everything queued is done.
	Sync() error
}

// Interop lets kernels write into memory that is not the device's own.
type Interop interface {
	// Reach gives the address by which kernels write pixels until release is called; ok is false where they cannot, as on a
	// GPU.
	Reach(pixels []byte) (address uint64, release func(), ok bool)
	// The others are for GL buffer objects.
	Attach(gl uint32) error
	Detach(gl uint32) error
	Map(gl uint32) (address uint64, err error) // for one frame
	Unmap(gl uint32) error
}

// Device is one backend.
type Device interface {
	Memory
	Queue
	Interop
	Info() Info
	// Specialize has kernels made for scenes that lack certain features (enum cuda.Feature). The general ones run until they
	// are ready.
	Specialize(missing uint32)
	// WaitForKernels waits for kernels that are being made. Its error is KernelsError's.
	WaitForKernels() error
	// KernelsPending tells whether the kernels last requested by Specialize are still being made; others run meanwhile.
	KernelsPending() bool
	// KernelsError is why the kernels last requested by Specialize could not be made; nil while they are being made.
	KernelsError() error
	// Hardware traces rays. Its error is why there is none, or why it was turned off.
	Hardware() (*Hardware, error)
	// Time has the launches that follow timed, or with nil no longer; their times are there after the next Sync.
	Time(t *Timings)
	// TimeWhole runs what queues work that is part of a frame, for frames that are timed as a whole.
	TimeWhole(work func() error) error
	// Background runs kernels on the same memory for another goroutine. On a GPU, where queuing does not block, it is the
	// device itself.
	Background() Device
	// Access is how libraries that are not part of glint reach the device's memory.
	Access() Access
	Close() error
}

// Access is how libraries that are not part of glint reach a device's memory. The zero value says that they cannot: the device is only
// planned, and its addresses do not exist.
type Access struct {
	Host    bool    // from any thread of the process
	Stream  uintptr // by work that is queued on this stream of a GPU; 0: there is none
	Ordinal int     // of the GPU
}

// Overlap is what a launch may run together with.
type Overlap uint8

// The overlaps.
const (
	None Overlap = iota
	Next         // the launch that follows
	Rest         // whatever follows, to the end of the batch
)

// Launch is a kernel that runs over all of its indices.
type Launch struct {
	Kernel  cuda.Kernel
	Arg     uint32 // the kernel's argument
	Indices int
	Overlap Overlap
	Stop    <-chan struct{} // once closed, a device that works piecemeal stops
}

// Run queues one launch.
func Run(q Queue, l Launch) error {
	_, err := q.RunUntil(l, 0, time.Time{})
	return err
}

// RunAll queues launches one after the other.
func RunAll(q Queue, launches ...Launch) error {
	for _, l := range launches {
		if err := Run(q, l); err != nil {
			return err
		}
	}
	return nil
}

// Pass is one kernel of a frame, run over every pixel.
type Pass struct {
	Kernel  cuda.Kernel
	Arg     uint32                   // the kernel's argument, where it runs several times
	When    func(f *cuda.Frame) bool // nil: always
	Indices func(f *cuda.Frame) int  // of the launch; nil: one a pixel, by whole 8×4 tiles
	Paths   int                      // from the camera that it begins
	Overlap Overlap
	// Frame, if set, makes the frame that the pass runs with from that of the others.
	Frame func(f cuda.Frame) cuda.Frame
}

// Total is how many indices the pass runs over.
func (p Pass) Total(f *cuda.Frame) int {
	if p.Indices != nil {
		return p.Indices(f)
	}
	return Tiled(int(f.Film.Width), int(f.Film.Height))
}

// Tiled is how many launch indices an image has: whole 8×4 tiles.
func Tiled(width, height int) int { return (width + 7) / 8 * 8 * ((height + 3) / 4 * 4) }

// Metering launches a kernel that meters an image's light, then set_exposure.
func Metering(kernel cuda.Kernel, width, height int) []Launch {
	const stride, pixels = int(cuda.MeterStride), int(cuda.MeterPixels) // of a block
	metered := ((width + stride - 1) / stride) * ((height + stride - 1) / stride)
	blocks := (metered + pixels - 1) / pixels
	return []Launch{{Kernel: kernel, Indices: blocks * kernel.Threads()}, {Kernel: cuda.SetExposure, Indices: cuda.SetExposure.Threads()}}
}
