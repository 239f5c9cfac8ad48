package tracer

import (
	"time"
	"unsafe"

	"glint/cuda"
	"glint/tracer/oidn"
)

// device runs kernels: a GPU through the CUDA driver, or the processor.
type device interface {
	backend() Backend
	memory() uint64 // bytes, of its own; 0 for the processor
	alloc(bytes int) (buffer, error)
	free(b buffer)
	upload(b buffer, data []byte) error
	download(b buffer, data []byte) error
	zero(b buffer) error
	// suit has kernels made for scenes that lack certain features (enum cuda.Feature). Those for all scenes run until they
	// are ready; settle waits for that.
	suit(lacks uint32)
	settle() error
	// setFrame fixes what the following launches read.
	setFrame(f *cuda.Frame) error
	// launch runs indices [from, to) with turn as the kernel's argument. A device that works piecemeal stops at the
	// deadline, if there is one, and tells where; others queue the whole range.
	launch(k cuda.Kernel, turn uint32, from, to int, deadline time.Time) (reached int, err error)
	// play runs whole launches in order, as one piece of work.
	play(batch []launch) error
	// sync waits until everything queued is done.
	sync() error
	// time has the launches that follow timed, each by itself, or no longer; their times are there after the next sync.
	time(on *sheet)
	// attach registers a GL buffer object; mapTarget gives its address for one frame.
	attach(buffer uint32) error
	detach(buffer uint32) error
	mapTarget(buffer uint32) (uint64, error)
	unmapTarget(buffer uint32) error
	// openOIDN opens the denoiser on this device.
	openOIDN(l *oidn.Library) (*oidn.Device, error)
	// aside runs kernels on the same memory, for work in the background.
	aside() device
	// timed runs what queues work that is part of a frame, for frames that are timed as a whole.
	timed(work func() error) error
	close() error
}

// company is what a launch may run together with.
type company uint8

const (
	nothing   company = iota
	following         // the launch that follows
	all               // whatever follows, to the end of the batch
)

// launch is a kernel that runs over all of its indices.
type launch struct {
	kernel  cuda.Kernel
	turn    uint32 // the kernel's argument
	indices int
	beside  company
}

// buffer is device memory.
type buffer struct {
	address uint64
	size    int
	host    cuda.Memory // behind it on the CPU
}

// bytesOf views a slice of plain structs as bytes.
func bytesOf[T any](s []T) []byte {
	if len(s) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&s[0])), len(s)*int(unsafe.Sizeof(s[0])))
}

// bytesIn is the size of a plain struct.
func bytesIn[T any]() int {
	var t T
	return int(unsafe.Sizeof(t))
}
