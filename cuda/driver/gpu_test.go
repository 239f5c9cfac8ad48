package driver

import (
	"embed"
	"encoding/binary"
	"errors"
	"math"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"glint/cuda/images"
)

// The folder may hold the test kernels, which `make kernels` compiles.
//
//go:embed testdata
var testdata embed.FS

// testKernels is the test kernels. Tests with a GPU need them.
func testKernels(t *testing.T) images.Archive {
	t.Helper()
	archive, err := testdata.ReadFile("testdata/kernels.tar.zst")
	if err != nil {
		t.Fatal("run `make kernels`: ", err)
	}
	return archive
}

// testPTX is the test kernels as text.
func testPTX(t *testing.T) []byte {
	t.Helper()
	return need(testKernels(t).PTX())(t).Data
}

// openGPU opens the first real GPU, or skips the test and says why.
func openGPU(t *testing.T) *Context {
	t.Helper()
	runtime.LockOSThread()
	t.Cleanup(runtime.UnlockOSThread)
	c, err := Open(Options{})
	if err != nil {
		t.Skip("needs a GPU: ", err)
	}
	t.Cleanup(func() { check(t, c.Close()) })
	return c
}

// kernels loads the test kernels and sets their constant symbol.
func kernels(t *testing.T, c *Context, scale float32, count uint32) *Module {
	t.Helper()
	m := need(c.LoadModule(need(testKernels(t).For(c.Device.Major, c.Device.Minor))(t).Data))(t)
	t.Cleanup(func() { check(t, m.Close()) })
	p, size, err := m.Global("settings")
	check(t, err)
	if size != 8 {
		t.Fatalf("settings has %d bytes, want 8", size)
	}
	settings := binary.LittleEndian.AppendUint32(nil, math.Float32bits(scale))
	check(t, c.CopyToDevice(p, binary.LittleEndian.AppendUint32(settings, count)))
	return m
}

// upload puts floats into new device memory.
func upload(t *testing.T, c *Context, values ...float32) DevicePtr {
	t.Helper()
	var b []byte
	for _, v := range values {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(v))
	}
	p := need(c.Alloc(uint64(len(b))))(t)
	t.Cleanup(func() { check(t, c.Free(p)) })
	check(t, c.CopyToDevice(p, b))
	return p
}

func download(t *testing.T, c *Context, p DevicePtr, count int) []float32 {
	t.Helper()
	b := make([]byte, 4*count)
	check(t, c.CopyToHost(b, p))
	values := make([]float32, count)
	for i := range values {
		values[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
	}
	return values
}

func TestGPUDevice(t *testing.T) {
	c := openGPU(t)
	d := c.Device
	t.Log(d)
	if d.Name == "" || d.Major < 5 || d.TotalMemory < 1<<30 || d.Multiprocessors < 1 || d.DriverVersion < 12010 {
		t.Errorf("%+v", d)
	}
	free, total, err := c.MemInfo()
	check(t, err)
	if free == 0 || free > total {
		t.Errorf("%d of %d bytes free", free, total)
	}
	if _, err := Open(Options{Ordinal: 1000}); !errors.Is(err, ErrNoDevice) {
		t.Error(err)
	}
}

func TestGPUCopies(t *testing.T) {
	c := openGPU(t)
	s := need(c.NewStream())(t)
	const size = 5<<20 + 3
	host := need(c.AllocHost(size))(t)
	for i := range host.Bytes() {
		host.Bytes()[i] = byte(i * 7 >> 3)
	}
	want := append([]byte(nil), host.Bytes()...)
	a := need(c.Alloc(size))(t)
	check(t, s.CopyToDevice(a, host))
	check(t, s.Synchronize())
	check(t, c.Memset(a+100, 0xEE, 50))
	got := make([]byte, size)
	check(t, c.CopyToHost(got, a))
	copy(want[100:150], strings.Repeat("\xEE", 50))
	if !cmp.Equal(want, got) {
		t.Error("the round trip changed the bytes")
	}
	check(t, errors.Join(c.Free(a), c.FreeHost(host), s.Close()))
}

// The compiler's log is that of PTX: machine code is compiled already.
func TestGPUCompilerSpeaks(t *testing.T) {
	c := openGPU(t)
	m := need(c.LoadModule(testPTX(t)))(t)
	if t.Log(m.Log); !strings.Contains(m.Log, "registers") {
		t.Error("no registers in the log")
	}
	check(t, m.Close())
}

func TestGPUKernel(t *testing.T) {
	c := openGPU(t)
	m := kernels(t, c, 2, 5)
	sum := need(m.Function("scaledSum"))(t)
	a := upload(t, c, 1, 2, 3, 4, 5, 6)
	b := upload(t, c, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5)
	out := upload(t, c, -1, -1, -1, -1, -1, -1)
	check(t, sum.Launch(Linear(6, 4, nil), Arg(out), Arg(a), Arg(b), U32(1)))
	if diff := cmp.Diff([]float32{-1, 4.5, 6.5, 8.5, 10.5, -1}, download(t, c, out, 6)); diff != "" {
		t.Error(diff)
	}
	info := need(sum.Info())(t)
	if info.Registers < 4 || info.LocalBytes != 0 || info.MaxBlockThreads < 256 {
		t.Errorf("%+v", info)
	}
}

func TestGPUArguments(t *testing.T) {
	c := openGPU(t)
	echo := need(kernels(t, c, 0, 0).Function("echo"))(t)
	out := need(c.Alloc(32))(t)
	check(t, echo.Launch(Linear(1, 1, nil), Arg(out), U32(1<<31), signed(-3), float(1.5), Arg(1<<63+1)))
	got := make([]byte, 32)
	check(t, c.CopyToHost(got, out))
	for i, want := range []uint64{1 << 31, 1<<64 - 3, 1536, 1<<63 + 1} {
		if v := binary.LittleEndian.Uint64(got[8*i:]); v != want {
			t.Errorf("argument %d arrived as %x, want %x", i+1, v, want)
		}
	}
	check(t, c.Free(out))
}

func TestGPUEvents(t *testing.T) {
	c := openGPU(t)
	spin := need(kernels(t, c, 0, 0).Function("spin"))(t)
	s := need(c.NewStream())(t)
	start, end := need(c.NewEvent())(t), need(c.NewEvent())(t)
	out := upload(t, c, 1)
	begin := time.Now()
	check(t, start.Record(s))
	check(t, spin.Launch(Linear(1, 1, s), Arg(out), U32(10_000_000)))
	check(t, end.Record(s))
	check(t, s.Synchronize())
	wall := time.Since(begin).Seconds() * 1e3
	ms := need(ElapsedMs(start, end))(t)
	t.Logf("%.3f ms on the GPU, %.3f ms here", ms, wall)
	if ms < 1 || ms > wall {
		t.Errorf("%.3f ms on the GPU within %.3f ms here", ms, wall)
	}
	check(t, errors.Join(start.Close(), end.Close(), s.Close()))
}

func TestGPUGraphReplays(t *testing.T) {
	c := openGPU(t)
	m := kernels(t, c, 1, 2)
	settings, _, err := m.Global("settings")
	check(t, err)
	sum := need(m.Function("scaledSum"))(t)
	s := need(c.NewStream())(t)
	a, out := upload(t, c, 1, 10), upload(t, c, 0, 0)
	g := need(s.Capture(func() error {
		// out = scale · a + out, twice
		return errors.Join(sum.Launch(Linear(2, 32, s), Arg(out), Arg(a), Arg(out), U32(0)),
			sum.Launch(Linear(2, 32, s), Arg(out), Arg(a), Arg(out), U32(0)))
	}))(t)
	if got := download(t, c, out, 2); got[0] != 0 {
		t.Errorf("recording has run the kernels: %v", got)
	}
	check(t, g.Launch(s))
	check(t, s.Synchronize())
	check(t, c.CopyToDevice(settings, binary.LittleEndian.AppendUint32(nil, math.Float32bits(3))))
	check(t, g.Launch(s))
	check(t, s.Synchronize())
	if diff := cmp.Diff([]float32{8, 80}, download(t, c, out, 2)); diff != "" {
		t.Error(diff)
	}
	check(t, errors.Join(g.Close(), s.Close()))
}

func TestGPUErrors(t *testing.T) {
	c := openGPU(t)
	bad := strings.Replace(string(testPTX(t)), "mad.lo.s32", "mad.no.s32", 1)
	if _, err := c.LoadModule([]byte(bad)); err == nil || !strings.Contains(err.Error(), "line ") {
		t.Errorf("bad PTX: no line in %v", err)
	} else {
		t.Log(err)
	}
	future := strings.Replace(string(testPTX(t)), ".version 8.1", ".version 99.0", 1)
	if _, err := c.LoadModule([]byte(future)); err == nil {
		t.Error("PTX of the future was compiled")
	} else {
		t.Log(err)
	}
	m := kernels(t, c, 0, 0)
	if _, err := m.Function("nosuch"); err == nil || !strings.Contains(err.Error(), `no kernel "nosuch"`) {
		t.Error(err)
	}
	spin := need(m.Function("spin"))(t)
	if err := spin.Launch(Linear(1, 4096, nil), 0, 0); err == nil || !IsDeviceError(err) {
		t.Errorf("a block of 4096 threads: %v", err)
	}
	_, err := c.Alloc(1 << 50)
	var full *OutOfMemoryError
	if !errors.As(err, &full) || full.Free == 0 || full.Total == 0 {
		t.Errorf("a petabyte: %v", err)
	} else {
		t.Log(err)
	}
	check(t, need(c.NewStream())(t).Synchronize()) // none of these breaks the context
}

func TestGPUStreamsWaitForEachOther(t *testing.T) {
	c := openGPU(t)
	m := kernels(t, c, 1, 1)
	spin, sum := need(m.Function("spin"))(t), need(m.Function("scaledSum"))(t)
	first, second := need(c.NewStream())(t), need(c.NewStream())(t)
	e := need(c.NewEvent())(t)
	x, zero, out := upload(t, c, 0), upload(t, c, 0), upload(t, c, -1)
	check(t, spin.Launch(Linear(1, 1, first), Arg(x), U32(5_000_000))) // tends to 1
	check(t, e.Record(first))
	check(t, second.Wait(e))
	check(t, sum.Launch(Linear(1, 1, second), Arg(out), Arg(x), Arg(zero), U32(0)))
	check(t, second.Synchronize())
	if got := download(t, c, out, 1)[0]; got < 0.99 || got > 1.01 {
		t.Errorf("the second stream read %v, want 1", got)
	}
	check(t, errors.Join(e.Close(), first.Close(), second.Close()))
}
