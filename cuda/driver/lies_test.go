package driver

import (
	"bytes"
	"errors"
	"runtime"
	"strings"
	"testing"
)

// TestNothingGiven: calls that succeed and give nothing end in an error that says so, not in a panic.
func TestNothingGiven(t *testing.T) {
	f := newFake(t)
	c := f.open(t)
	s := need(c.NewStream())(t)
	m := need(c.LoadModule([]byte("ok")))(t)
	b := need(c.RegisterGLBuffer(17))(t)
	for entry, ask := range map[string]func() error{
		"cuCtxCreate_v2":                        func() error { return c.CompileApart([]byte("ok")) },
		"cuModuleLoadDataEx":                    func() error { _, err := c.LoadModule([]byte("ok")); return err },
		"cuModuleGetFunction":                   func() error { _, err := m.Function("kernel"); return err },
		"cuModuleGetGlobal_v2":                  func() error { _, _, err := m.Global("frame"); return err },
		"cuMemAlloc_v2":                         func() error { _, err := c.Alloc(64); return err },
		"cuMemAllocHost_v2":                     func() error { _, err := c.AllocHost(64); return err },
		"cuStreamCreate":                        func() error { _, err := c.NewStream(); return err },
		"cuEventCreate":                         func() error { _, err := c.NewEvent(); return err },
		"cuGraphInstantiateWithFlags":           func() error { _, err := s.Capture(func() error { return nil }); return err },
		"cuGraphicsGLRegisterBuffer":            func() error { _, err := c.RegisterGLBuffer(18); return err },
		"cuGraphicsResourceGetMappedPointer_v2": func() error { _, _, err := b.Map(s); return err },
		"cuDevicePrimaryCtxRetain":              func() error { _, err := Open(Options{Library: f.path}); return err },
		"cuDeviceGetAttribute":                  func() error { _, err := Devices(Options{Library: f.path}); return err },
	} {
		f.fail(entry, 0) // which succeeds, and does nothing
		if err := ask(); !errors.Is(err, ErrBadAnswer) || !IsDeviceError(err) || !strings.Contains(err.Error(), entry) {
			t.Errorf("%s: %v", entry, err)
		}
	}
}

// TestImpossibleCounts: nothing is allocated for as many GPUs as no machine has.
func TestImpossibleCounts(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	for honest, lie := range map[string]string{
		"*n = 2;":               "*n = 2000000000;",
		"attribute == 16 ? 132": "attribute == 16 ? 2000000000",
		"attribute == 75 ? 9":   "attribute == 75 ? -9",
	} {
		if !bytes.Contains(fakeSource, []byte(honest)) {
			t.Fatal(honest)
		}
		library := buildLibrary(t, bytes.Replace(fakeSource, []byte(honest), []byte(lie), 1))
		if _, err := Devices(Options{Library: library}); !errors.Is(err, ErrBadAnswer) {
			t.Errorf("%s: %v", lie, err)
		}
		if _, err := Open(Options{Library: library}); !errors.Is(err, ErrBadAnswer) {
			t.Errorf("%s: %v", lie, err)
		}
	}
}

// TestNullFunction: a function whose address is 0 is none.
func TestNullFunction(t *testing.T) {
	const null = "__asm__(\".globl cuCtxSetCurrent\\n.set cuCtxSetCurrent, 0\");\n"
	source := bytes.Replace(fakeSource, []byte("CUresult cuCtxSetCurrent(Handle c) { BEGIN(); record(\"current %p\\n\", c); return 0; }"), []byte(null), 1)
	if _, err := Open(Options{Library: buildLibrary(t, source)}); !errors.Is(err, ErrTooOld) || !strings.Contains(err.Error(), "cuCtxSetCurrent") {
		t.Error(err)
	}
}
