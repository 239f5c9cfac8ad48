package oidn

import (
	"fmt"
	"runtime"
	"unsafe"
)

// Device is a processor or a GPU that denoises.
type Device struct {
	lib    *Library
	handle uintptr
	queued bool // work is queued on the caller's stream, not done at once
	plans  bool // tasks name memory that does not exist, and are only looked at
}

// OIDNDeviceType.
const deviceCPU = 1

// CPU opens the processor, all of its cores.
func (l *Library) CPU() (*Device, error) {
	defer lockThread()()
	d := &Device{lib: l, handle: l.call.NewDevice(deviceCPU)}
	if err := d.open(); err != nil {
		return nil, fmt.Errorf("open OIDN on the CPU: %w", err)
	}
	return d, nil
}

// CUDA opens a GPU by its CUDA ordinal, in the primary context that the caller has made current. Work is queued on stream (a
// CUstream; 0 is the default stream), and tasks name device memory.
func (l *Library) CUDA(ordinal int, stream uintptr) (*Device, error) {
	defer lockThread()()
	number := int32(ordinal)
	if !l.call.IsCUDADeviceSupported(number) {
		return nil, fmt.Errorf("open OIDN on CUDA device %d: %w there: it needs compute capability 7.0 or newer, and the library of the CUDA device beside %s",
			ordinal, ErrUnfit, l.Path)
	}
	d := &Device{lib: l, handle: l.call.NewCUDADevice(&number, &stream, 1), queued: true}
	if err := d.open(); err != nil {
		return nil, fmt.Errorf("open OIDN on CUDA device %d: %w", ordinal, err)
	}
	return d, nil
}

// Planned stands for a device that is not there: tasks are checked, and nothing is done with them.
func (l *Library) Planned() *Device { return &Device{lib: l, plans: true} }

// open commits a new device, or releases it.
func (d *Device) open() error {
	defer lockThread()()
	c := &d.lib.call
	if d.handle != 0 && !d.queued {
		// Pinned threads would include the caller's, which runs other goroutines, too.
		c.SetDeviceBool(d.handle, "setAffinity", false)
	}
	if d.handle != 0 {
		c.CommitDevice(d.handle)
	}
	err := d.failure()
	if err == nil && d.handle == 0 {
		err = fmt.Errorf("%w: %s opens no device, and does not say why: %s", ErrUnfit, d.lib.Path, advice)
	}
	if err == nil && d.Version()/10000 != 2 {
		err = fmt.Errorf("%w: %s says that it is version %d, and glint needs 2: %s", ErrUnfit, d.lib.Path, d.Version()/10000, advice)
	}
	if err != nil && d.handle != 0 {
		c.ReleaseDevice(d.handle)
		d.handle = 0
	}
	return err
}

// Version is the library's version: 10000·major + 100·minor + patch.
func (d *Device) Version() int { return int(d.lib.call.GetDeviceInt(d.handle, "version")) }

// Close waits for the device and gives it back, after its denoisers. Closing again does nothing.
func (d *Device) Close() error {
	if d.handle == 0 {
		return nil
	}
	defer lockThread()()
	d.lib.call.SyncDevice(d.handle)
	err := d.failure()
	d.lib.call.ReleaseDevice(d.handle)
	d.handle = 0
	if err != nil {
		return fmt.Errorf("close OIDN: %w", err)
	}
	return nil
}

// lockThread keeps the goroutine on its thread until the returned function is called: the library remembers errors by thread.
func lockThread() func() {
	runtime.LockOSThread()
	return runtime.UnlockOSThread
}

// OIDNError.
const (
	errorNone        = 0
	errorMemory      = 4
	errorUnsupported = 5
)

// mends say what to do about some errors.
var mends = map[int32]string{
	errorMemory:      ": make the image smaller, or render without denoising",
	errorUnsupported: ": update the driver, or render without denoising",
}

// failure is the first error of this thread since it was last asked for.
func (d *Device) failure() error {
	var message uintptr
	code := d.lib.call.GetDeviceError(d.handle, &message)
	if code == errorNone {
		return nil
	}
	return fmt.Errorf("OIDN says: %s (error %d)%s", text(message), code, mends[code])
}

// text copies a C string.
func text(address uintptr) string {
	if address == 0 {
		return "no message"
	}
	start := *(**byte)(unsafe.Pointer(&address)) // memory of the library's, which the collector does not move
	n := 0
	for *(*byte)(unsafe.Add(unsafe.Pointer(start), n)) != 0 {
		n++
	}
	return string(unsafe.Slice(start, n))
}
