package driver

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

func TestErrorText(t *testing.T) {
	f := newFake(t)
	c := f.open(t)
	s := need(c.NewStream())(t)
	for _, test := range []struct {
		result int32
		kind   error
		text   string
	}{
		{700, ErrDeviceLost, "cuStreamSynchronize: fake failure (CUDA_ERROR_FAKE, 700): a kernel failed"},
		{719, ErrDeviceLost, "the GPU context is lost"},
		{4242, nil, "cuStreamSynchronize: fake failure (CUDA_ERROR_FAKE, 4242)"},
		{12345, nil, "cuStreamSynchronize: the driver has no description (unknown CUDA error, 12345)"},
	} {
		f.fail("cuStreamSynchronize", test.result)
		err := fmt.Errorf("render: %w", s.Synchronize())
		var e *Error
		if !errors.As(err, &e) || e.Result != Result(test.result) || !strings.Contains(err.Error(), test.text) {
			t.Errorf("%d: %v, want %q", test.result, err, test.text)
		}
		if test.kind != nil && !errors.Is(err, test.kind) || !IsDeviceError(err) {
			t.Errorf("%d: %v is not %v", test.result, err, test.kind)
		}
		for _, other := range []error{ErrNotFound, ErrTooOld, ErrNoDevice, ErrOutOfMemory, ErrDeviceLost} {
			if !errors.Is(test.kind, other) && errors.Is(err, other) {
				t.Errorf("%d: also %v", test.result, other)
			}
		}
	}
	if IsDeviceError(errors.New("scene.glb: no such file")) || IsDeviceError(nil) {
		t.Error("any error is a device error")
	}
}

func TestKnownResultsGiveAdvice(t *testing.T) {
	for result, known := range knownResults {
		if known.advice == "" {
			t.Errorf("%d: no advice", result)
		}
		if result == success {
			t.Errorf("%d is no failure", result)
		}
	}
}

func TestOutOfMemory(t *testing.T) {
	f := newFake(t)
	c := f.open(t)
	f.fail("cuMemAlloc_v2", 2)
	_, err := c.Alloc(3<<30 + 1)
	var full *OutOfMemoryError
	if !errors.As(err, &full) || !errors.Is(err, ErrOutOfMemory) || !IsDeviceError(err) {
		t.Fatal(err)
	}
	if full.Asked != 3<<30+1 || full.Free != 1<<30 || full.Total != 6<<30 {
		t.Errorf("%+v", full)
	}
	if want := "3073 MiB asked, 1024 MiB of 6144 MiB free"; !strings.Contains(err.Error(), want) {
		t.Errorf("%q lacks %q", err, want)
	}
	f.fail("cuMemAllocHost_v2", 2)
	if _, err := c.AllocHost(64); !errors.Is(err, ErrOutOfMemory) {
		t.Error(err)
	}
}

func TestEveryCallIsChecked(t *testing.T) {
	f := newFake(t)
	c := f.open(t)
	s := need(c.NewStream())(t)
	e := need(c.NewEvent())(t)
	m := need(c.LoadModule([]byte("ok")))(t)
	k := need(m.Function("kernel"))(t)
	b := need(c.RegisterGLBuffer(1))(t)
	g := need(s.Capture(func() error { return nil }))(t)
	p := need(c.Alloc(64))(t)
	h := need(c.AllocHost(64))(t)
	for entry, call := range map[string]func() error{
		"cuMemFree_v2":                 func() error { return c.Free(p) },
		"cuMemFreeHost":                func() error { return c.FreeHost(h) },
		"cuMemcpyHtoD_v2":              func() error { return c.CopyToDevice(p, h.Bytes()) },
		"cuMemcpyDtoH_v2":              func() error { return c.CopyToHost(h.Bytes(), p) },
		"cuMemsetD8_v2":                func() error { return c.Memset(p, 1, 64) },
		"cuMemcpyHtoDAsync_v2":         func() error { return s.CopyToDevice(p, h) },
		"cuStreamCreate":               func() error { _, err := c.NewStream(); return err },
		"cuStreamSynchronize":          s.Synchronize,
		"cuStreamWaitEvent":            func() error { return s.Wait(e) },
		"cuStreamDestroy_v2":           s.Close,
		"cuEventCreate":                func() error { _, err := c.NewEvent(); return err },
		"cuEventRecord":                func() error { return e.Record(s) },
		"cuEventElapsedTime":           func() error { _, err := ElapsedMs(e, e); return err },
		"cuEventDestroy_v2":            e.Close,
		"cuModuleGetGlobal_v2":         func() error { _, _, err := m.Global("frame"); return err },
		"cuModuleUnload":               m.Close,
		"cuFuncGetAttribute":           func() error { _, err := k.Info(); return err },
		"cuLaunchKernel":               func() error { return k.Launch(Linear(1, 1, s), 0, 0, 0, 0) },
		"cuStreamBeginCapture_v2":      func() error { _, err := s.Capture(func() error { return nil }); return err },
		"cuGraphLaunch":                func() error { return g.Launch(s) },
		"cuGraphExecDestroy":           g.Close,
		"cuGraphicsMapResources":       func() error { _, _, err := b.Map(s); return err },
		"cuGraphicsUnmapResources":     func() error { return b.Unmap(s) },
		"cuGraphicsUnregisterResource": b.Close,
		"cuDevicePrimaryCtxRelease_v2": c.Close,
	} {
		f.fail(entry, 999)
		var refused *Error
		if err := call(); !errors.As(err, &refused) || refused.Call != entry || refused.Result != 999 {
			t.Errorf("%s: %v", entry, err)
		}
	}
}
