package driver

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestLaunchPacksArguments(t *testing.T) {
	f := newFake(t)
	c := f.open(t)
	s := need(c.NewStream())(t)
	k := need(need(c.LoadModule([]byte("ok")))(t).Function("kernel"))(t)
	grid := LaunchConfig{Grid: Dim3{1, 2, 3}, Block: Dim3{4, 5, 6}, SharedBytes: 7, Stream: s}
	check(t, k.Launch(grid, Arg(0x7fff_1234_5678), Arg(1<<63), U32(1<<31+9), float(-2.5)))
	check(t, k.Launch(Linear(257, 128, nil), Arg(1), Arg(2), signed(-1), float(0.25)))
	want := "launch 1 2 3, 4 5 6, 7, 0x50, 0: 7fff12345678 8000000000000000 2147483657 -2.5\n" +
		"launch 3 1 1, 128 1 1, 0, (nil), 0: 1 2 4294967295 0.25\n"
	if diff := cmp.Diff("verbose 1\n"+want, f.calls()); diff != "" {
		t.Error(diff)
	}
	if err := k.Launch(grid, make([]Arg, maxArgs+1)...); err == nil || !strings.Contains(err.Error(), "17 arguments") {
		t.Error(err)
	}
	f.fail("cuLaunchKernel", 1)
	if err := k.Launch(grid, 0, 0, 0, 0); err == nil || !strings.Contains(err.Error(), "launch kernel (grid {1 2 3}, block {4 5 6})") {
		t.Error(err)
	}
}

func TestLinearCoversAllThreads(t *testing.T) {
	for _, c := range []struct{ threads, block, want uint32 }{
		{1, 128, 1}, {128, 128, 1}, {129, 128, 2}, {0, 128, 0}, {1<<32 - 1, 256, 1 << 24}, {5, 0, 4},
	} {
		if got := Linear(c.threads, c.block, nil); got.Grid != (Dim3{c.want, 1, 1}) || got.Block != (Dim3{c.block, 1, 1}) {
			t.Errorf("%d by %d: %+v", c.threads, c.block, got)
		}
	}
}

func TestLaunchTakesLittleMemory(t *testing.T) {
	f := newFake(t)
	c := f.open(t)
	k := need(need(c.LoadModule([]byte("ok")))(t).Function("kernel"))(t)
	launch := func() {
		if err := k.Launch(Linear(1, 1, nil), Arg(1), Arg(2), U32(3), float(4)); err != nil {
			t.Fatal(err)
		}
	}
	if n := testing.AllocsPerRun(100, launch); n > 1 { // the list of SyscallN's arguments
		t.Errorf("%v allocations a launch, want at most 1", n)
	}
}

func TestModule(t *testing.T) {
	f := newFake(t)
	c := f.open(t)
	m := need(c.LoadModule([]byte("ok2")))(t)
	if m.Log != "used 3 registers" {
		t.Errorf("log %q", m.Log)
	}
	p, size, err := m.Global("frame")
	if err != nil || p == 0 || size != 16 {
		t.Errorf("global at %x, %d bytes: %v", p, size, err)
	}
	info := need(need(m.Function("kernel"))(t).Info())(t)
	if want := (FunctionInfo{Registers: 104, LocalBytes: 103, SharedBytes: 101, MaxBlockThreads: 100}); info != want {
		t.Errorf("%+v, want %+v", info, want)
	}
	if _, err := m.Function("kernels"); err == nil || !strings.Contains(err.Error(), `no kernel "kernels"`) {
		t.Error(err)
	}
	if _, _, err := m.Global("fram"); err == nil || !strings.Contains(err.Error(), `no variable "fram"`) {
		t.Error(err)
	}
	if _, err := c.LoadModule([]byte("bad")); err == nil || !strings.Contains(err.Error(), "line 1: unexpected 'bad'") {
		t.Errorf("the compiler's log is not in %v", err)
	}
}

func TestMemory(t *testing.T) {
	f := newFake(t)
	c := f.open(t)
	s := need(c.NewStream())(t)
	a := need(c.Alloc(8))(t)
	check(t, c.CopyToDevice(a, []byte("abcdefgh")))
	check(t, c.Memset(a+6, '!', 2))
	got := make([]byte, 8)
	check(t, c.CopyToHost(got, a))
	if string(got) != "abcdef!!" {
		t.Errorf("%q", got)
	}
	h := need(c.AllocHost(8))(t)
	copy(h.Bytes(), "ABCDEFGH")
	check(t, s.CopyToDevice(a, h.Slice(2, 6)))
	check(t, c.CopyToHost(got, a))
	if string(got) != "CDEFef!!" {
		t.Errorf("%q", got)
	}
	if diff := cmp.Diff("copy 0x50\n", f.calls()); diff != "" {
		t.Error(diff)
	}
	check(t, errors.Join(c.Free(a), c.Free(0), c.FreeHost(h), c.FreeHost(HostMemory{})))
	check(t, errors.Join(c.CopyToDevice(0, nil), c.CopyToHost(nil, 0), c.Memset(0, 0, 0)))
}

func TestStreamsAndEvents(t *testing.T) {
	f := newFake(t)
	c := f.open(t)
	s := need(c.NewStream())(t)
	e := need(c.NewEvent())(t)
	check(t, errors.Join(e.Record(s), e.Record(nil), s.Wait(e)))
	if ms := need(ElapsedMs(e, e))(t); ms != 1.5 {
		t.Errorf("%v ms", ms)
	}
	check(t, errors.Join(s.Synchronize(), e.Close(), s.Close()))
	want := "record 0x70 0x50\nrecord 0x70 (nil)\n0x50 after 0x70\nwait 0x50\n" +
		"destroy event 0x70\ndestroy stream 0x50\n"
	if diff := cmp.Diff(want, f.calls()); diff != "" {
		t.Error(diff)
	}
}

func TestGraph(t *testing.T) {
	f := newFake(t)
	c := f.open(t)
	s := need(c.NewStream())(t)
	a, h := need(c.Alloc(8))(t), need(c.AllocHost(8))(t)
	g := need(s.Capture(func() error { return s.CopyToDevice(a, h) }))(t)
	check(t, errors.Join(g.Launch(s), g.Close()))
	want := "capture 0x50 1\ncopy 0x50\ncaptured 0x50\ninstantiate 0x60 0\ndestroy graph 0x60\n" +
		"replay 0x61 0x50\ndestroy replay 0x61\n"
	if diff := cmp.Diff(want, f.calls()); diff != "" {
		t.Error(diff)
	}

	f.reset()
	failure := errors.New("no passes")
	if _, err := s.Capture(func() error { return failure }); !errors.Is(err, failure) {
		t.Error(err)
	}
	if diff := cmp.Diff("capture 0x50 1\ncaptured 0x50\ndestroy graph 0x60\n", f.calls()); diff != "" {
		t.Errorf("a failed recording is left open: %s", diff)
	}
	f.fail("cuGraphInstantiateWithFlags", 2)
	if _, err := s.Capture(func() error { return nil }); !errors.Is(err, ErrOutOfMemory) {
		t.Error(err)
	}
	f.fail("cuStreamEndCapture", 901)
	if _, err := s.Capture(func() error { return failure }); !errors.Is(err, failure) || !IsDeviceError(err) {
		t.Errorf("one of both failures is lost: %v", err)
	}
}

func TestGLBuffer(t *testing.T) {
	f := newFake(t)
	c := f.open(t)
	s := need(c.NewStream())(t)
	b := need(c.RegisterGLBuffer(17))(t)
	p, size, err := b.Map(s)
	if err != nil || p != 0xAB00000000 || size != 4096 {
		t.Errorf("mapped at %x, %d bytes: %v", p, size, err)
	}
	check(t, errors.Join(b.Unmap(s), b.Close()))
	want := "register 17 2\nmap 1 0x80 0x50\nunmap 1 0x80 0x50\nunregister 0x80\n"
	if diff := cmp.Diff(want, f.calls()); diff != "" {
		t.Error(diff)
	}
	f.reset()
	f.fail("cuGraphicsResourceGetMappedPointer_v2", 1)
	if _, _, err := b.Map(s); err == nil || !strings.Contains(f.calls(), "unmap") {
		t.Errorf("a buffer without address stays mapped: %v", err)
	}
}

func TestGLElsewhereIsNoDeviceFailure(t *testing.T) {
	f := newFake(t)
	c := f.open(t)
	for _, result := range []int32{100, 219, 304, 999} {
		f.fail("cuGraphicsGLRegisterBuffer", result)
		_, err := c.RegisterGLBuffer(18)
		if err == nil || !strings.Contains(err.Error(), "OpenGL buffer 18") || !strings.Contains(err.Error(), "has to be copied") {
			t.Errorf("%d: %v", result, err)
		}
		if errors.Is(err, ErrNoDevice) || errors.Is(err, ErrDeviceLost) {
			t.Errorf("%d: taken for a failure of the GPU: %v", result, err)
		}
	}
	f.fail("cuGraphicsGLRegisterBuffer", 700)
	if _, err := c.RegisterGLBuffer(18); !errors.Is(err, ErrDeviceLost) {
		t.Errorf("a lost context is taken for OpenGL's fault: %v", err)
	}
}
