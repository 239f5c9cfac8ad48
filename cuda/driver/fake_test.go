package driver

import (
	_ "embed"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/ebitengine/purego"

	"glint/cuda/dynlib"
)

//go:embed testdata/fakecuda.c
var fakeSource []byte

// fake is a stand-in for libcuda that writes down what it is asked.
type fake struct {
	path  string
	calls func() string
	fail  func(entry string, result int32)
	reset func()
}

// buildLibrary compiles C to a shared library.
func buildLibrary(t *testing.T, source []byte) string {
	t.Helper()
	gcc, err := exec.LookPath("gcc")
	if err != nil {
		t.Skip("needs gcc to build a stand-in for libcuda: ", err)
	}
	dir := t.TempDir()
	c, library := filepath.Join(dir, "cuda.c"), filepath.Join(dir, "libcuda.so.1")
	if err := os.WriteFile(c, source, 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(gcc, "-shared", "-fPIC", "-o", library, c).CombinedOutput(); err != nil {
		t.Fatalf("gcc: %v\n%s", err, out)
	}
	return library
}

// newFake builds the stand-in; it lives for one test.
func newFake(t *testing.T) *fake {
	t.Helper()
	f := &fake{path: buildLibrary(t, fakeSource)}
	library := need(dynlib.Open(f.path))(t)
	purego.RegisterFunc(&f.calls, need(library.Symbol("fakeCalls"))(t))
	purego.RegisterFunc(&f.fail, need(library.Symbol("fakeFail"))(t))
	purego.RegisterFunc(&f.reset, need(library.Symbol("fakeReset"))(t))
	return f
}

// open opens device 1 of the stand-in and forgets the calls that took.
func (f *fake) open(t *testing.T) *Context {
	t.Helper()
	c, err := Open(Options{Ordinal: 1, Library: f.path})
	if err != nil {
		t.Fatal(err)
	}
	f.reset()
	return c
}

// signed and float are arguments of kernels.
func signed(v int32) Arg  { return Arg(uint32(v)) }
func float(v float32) Arg { return Arg(math.Float32bits(v)) }

// check fails the test when a call failed.
func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// need is the value of a call that must succeed: need(c.Alloc(64))(t).
func need[T any](v T, err error) func(*testing.T) T {
	return func(t *testing.T) T {
		t.Helper()
		check(t, err)
		return v
	}
}
