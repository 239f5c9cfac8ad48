package driver

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestOpenWithoutLibrary(t *testing.T) {
	notELF := filepath.Join(t.TempDir(), "libcuda.so.1")
	check(t, os.WriteFile(notELF, []byte("not a library"), 0o644))
	for _, path := range []string{"/nowhere/libcuda.so.1", notELF} {
		_, err := Open(Options{Library: path})
		if !errors.Is(err, ErrNotFound) || !IsDeviceError(err) {
			t.Errorf("%s: %v", path, err)
		}
		if err == nil || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), "install the NVIDIA driver") {
			t.Errorf("%s: no path or no advice in %q", path, err)
		}
	}
}

func TestOpenOldDriver(t *testing.T) {
	library := buildLibrary(t, []byte("int cuInit(unsigned flags) { return 0; }\n"))
	_, err := Open(Options{Library: library})
	if !errors.Is(err, ErrTooOld) || !strings.Contains(err.Error(), "cuDriverGetVersion") {
		t.Error(err)
	}
}

func TestOpenDescribesTheDevice(t *testing.T) {
	f := newFake(t)
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	c := need(Open(Options{Ordinal: 1, Library: f.path}))(t)
	want := Device{
		Ordinal: 1, Name: "Fake 41", Major: 9, Minor: 1, TotalMemory: 6 << 30, Multiprocessors: 132, DriverVersion: 13010,
	}
	if diff := cmp.Diff(want, c.Device); diff != "" {
		t.Error(diff)
	}
	check(t, c.Close())
	check(t, c.Close())
	if diff := cmp.Diff("retain 41\ncurrent 0xc0\nrelease 41\n", f.calls()); diff != "" {
		t.Error(diff)
	}
	if devices := need(Devices(Options{Library: f.path}))(t); len(devices) != 2 || devices[0].Name != "Fake 40" {
		t.Errorf("%+v", devices)
	}
}

func TestOpenRefused(t *testing.T) {
	for _, c := range []struct {
		name    string
		ordinal int
		entry   string
		result  int32
		kind    error
		text    string
	}{
		{"no GPU", 0, "cuInit", 100, ErrNoDevice, "nvidia-smi"},
		{"stub library", 0, "cuInit", 34, ErrNotFound, "LD_LIBRARY_PATH"},
		{"versions differ", 0, "cuInit", 803, ErrTooOld, "restart the machine"},
		{"ordinal too big", 2, "", 0, ErrOrdinal, "no GPU has the number 2: this machine has 0 (Fake 40), 1 (Fake 41)"},
		{"ordinal negative", -1, "", 0, ErrOrdinal, "no GPU has the number -1"},
		{"count fails", 0, "cuDeviceGetCount", 3, nil, "count CUDA devices"},
		{"name fails", 0, "cuDeviceGetName", 101, ErrNoDevice, "query CUDA device 0"},
		{"device in use", 0, "cuDevicePrimaryCtxRetain", 46, ErrNoDevice, "Fake 40"},
		{"full device", 0, "cuDevicePrimaryCtxRetain", 2, ErrOutOfMemory, "close other programs"},
		{"no current", 0, "cuCtxSetCurrent", 201, nil, "make the CUDA context current"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newFake(t)
			f.fail(c.entry, c.result)
			ctx, err := Open(Options{Ordinal: c.ordinal, Library: f.path})
			if err == nil || ctx != nil {
				t.Fatal("opened")
			}
			if c.kind != nil && !errors.Is(err, c.kind) || IsDeviceError(err) == errors.Is(c.kind, ErrOrdinal) || !strings.Contains(err.Error(), c.text) {
				t.Errorf("%v is not %v with %q", err, c.kind, c.text)
			}
		})
	}
}
