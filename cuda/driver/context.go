package driver

import (
	"fmt"
	"strconv"
	"strings"
	"unsafe"
)

// Options of [Open] and [Devices].
type Options struct {
	Ordinal int    // which GPU, from 0, in the driver's order (CUDA_DEVICE_ORDER, CUDA_VISIBLE_DEVICES)
	Library string // path of the driver's library; empty for the system's
}

// Device describes one GPU.
type Device struct {
	Ordinal         int
	Name            string
	Major, Minor    int    // compute capability
	TotalMemory     uint64 // bytes
	Multiprocessors int
	DriverVersion   int // newest CUDA version that the driver runs: 1000·major + 10·minor
}

// Context is the primary context of one GPU, which other libraries in the process (a denoiser) share.
type Context struct {
	Device Device
	lib    *library
	device uintptr // CUdevice
	handle uintptr // CUcontext
	args   launchArgs
}

// Devices lists the GPUs that the driver sees; it makes no context. Ordinal is ignored. With a driver but no GPU the
// error is [ErrNoDevice].
func Devices(o Options) ([]Device, error) {
	lib, count, err := initialize(o.Library)
	if err != nil {
		return nil, err
	}
	devices := make([]Device, count)
	for i := range devices {
		if devices[i], _, err = lib.describeDevice(i); err != nil {
			return nil, err
		}
	}
	return devices, nil
}

// Open loads the driver and makes the primary context of a GPU current on the calling thread, to which the goroutine
// must be locked. Errors: [ErrNotFound], [ErrTooOld], [ErrNoDevice], [ErrOrdinal], or another [*Error].
func Open(o Options) (*Context, error) {
	lib, count, err := initialize(o.Library)
	if err != nil {
		return nil, err
	}
	if err := lib.checkOrdinal(o.Ordinal, count); err != nil {
		return nil, err
	}
	c := &Context{lib: lib}
	if c.Device, c.device, err = lib.describeDevice(o.Ordinal); err != nil {
		return nil, err
	}
	err = lib.call(cuDevicePrimaryCtxRetain, uintptr(unsafe.Pointer(&c.handle)), c.device)
	if err = answered(err, cuDevicePrimaryCtxRetain, &c.handle); err != nil {
		return nil, fmt.Errorf("open CUDA device %d (%s): %w", o.Ordinal, c.Device.Name, err)
	}
	if err := c.MakeCurrent(); err != nil {
		return nil, fmt.Errorf("open CUDA device %d (%s): %w", o.Ordinal, c.Device.Name, err)
	}
	return c, nil
}

// CheckOrdinal tells whether a driver that works has no GPU of that number ([ErrOrdinal]); it makes no context. What else is wrong, Open
// tells.
func CheckOrdinal(o Options) error {
	lib, count, err := initialize(o.Library)
	if err != nil {
		return nil //nolint:nilerr // as said
	}
	return lib.checkOrdinal(o.Ordinal, count)
}

func (l *library) checkOrdinal(ordinal, count int) error {
	if ordinal >= 0 && ordinal < count {
		return nil
	}
	all := make([]string, count)
	for i := range all {
		all[i] = strconv.Itoa(i)
		if d, _, err := l.describeDevice(i); err == nil {
			all[i] += " (" + d.Name + ")"
		}
	}
	return fmt.Errorf("%w %d: this machine has %s", ErrOrdinal, ordinal, strings.Join(all, ", "))
}

// initialize loads and starts the driver, and counts the GPUs; none at all is an error.
func initialize(path string) (lib *library, count int, err error) {
	if lib, err = loadLibrary(path); err != nil {
		return nil, 0, err
	}
	if err := lib.call(cuInit, 0); err != nil {
		return nil, 0, fmt.Errorf("start the CUDA driver: %w", err)
	}
	var n int32
	if err := lib.call(cuDeviceGetCount, uintptr(unsafe.Pointer(&n))); err != nil {
		return nil, 0, fmt.Errorf("count CUDA devices: %w", err)
	}
	if n <= 0 {
		return nil, 0, fmt.Errorf("count CUDA devices: %w: %s", ErrNoDevice, checkDevice)
	}
	if n > maxDevices {
		return nil, 0, fmt.Errorf("count CUDA devices: %w", badAnswer(cuDeviceGetCount, n))
	}
	return lib, int(n), nil
}

// maxDevices is more than any machine has.
const maxDevices = 1024

// The device attributes read here (CUdevice_attribute).
const (
	attributeMultiprocessors = 16
	attributeMajor           = 75
	attributeMinor           = 76
	maxAttribute             = 1 << 16 // is more than any of them
)

func (l *library) describeDevice(ordinal int) (Device, uintptr, error) {
	var device, version int32
	fail := func(err error) (Device, uintptr, error) {
		return Device{}, 0, fmt.Errorf("query CUDA device %d: %w", ordinal, err)
	}
	err := l.call(cuDriverGetVersion, uintptr(unsafe.Pointer(&version)))
	if err == nil {
		err = l.call(cuDeviceGet, uintptr(unsafe.Pointer(&device)), uintptr(ordinal))
	}
	d := Device{Ordinal: ordinal, DriverVersion: int(version)}
	name := make([]byte, 256)
	if err == nil {
		err = l.call(cuDeviceGetName, uintptr(unsafe.Pointer(unsafe.SliceData(name))), uintptr(len(name)), uintptr(device))
	}
	if err == nil {
		err = l.call(cuDeviceTotalMem, uintptr(unsafe.Pointer(&d.TotalMemory)), uintptr(device))
	}
	if err != nil {
		return fail(err)
	}
	d.Name = cString(name)
	for attribute, field := range map[uintptr]*int{
		attributeMultiprocessors: &d.Multiprocessors, attributeMajor: &d.Major, attributeMinor: &d.Minor,
	} {
		var value int32
		err := l.call(cuDeviceGetAttribute, uintptr(unsafe.Pointer(&value)), attribute, uintptr(device))
		if err != nil {
			return fail(err)
		}
		if value < 0 || value > maxAttribute || value == 0 && attribute != attributeMinor {
			return fail(badAnswer(cuDeviceGetAttribute, value))
		}
		*field = int(value)
	}
	return d, uintptr(device), nil
}

// MakeCurrent makes the context current on the calling thread, to which the goroutine must be locked.
func (c *Context) MakeCurrent() error {
	return during("make the CUDA context current", c.lib.call(cuCtxSetCurrent, c.handle))
}

// Close gives the context back. What was made from it is gone unless another library still holds the primary context.
func (c *Context) Close() error {
	if c.handle == 0 {
		return nil
	}
	c.handle = 0
	return during("release the CUDA context", c.lib.call(cuDevicePrimaryCtxRelease, c.device))
}
