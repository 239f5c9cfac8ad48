package guard

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

func TestMemory(t *testing.T) {
	m := NewMemory(100)
	if err := m.Take("a", 60); err != nil {
		t.Fatal(err)
	}
	lease := m.Lease()
	inner := lease.Lease()
	for _, l := range []*Memory{lease, inner} {
		if err := l.Take("b", 20); err != nil {
			t.Fatal(err)
		}
	}
	var refused *MemoryError
	if err := inner.Take("image 3", 1); !errors.As(err, &refused) || refused.Taken != 100 || !strings.Contains(err.Error(), "image 3") {
		t.Errorf("beyond the bound: %v", err)
	}
	inner.Release()
	if m.Left() != 20 || lease.taken.Load() != 20 {
		t.Errorf("%d left, %d of the lease", m.Left(), lease.taken.Load())
	}
	lease.Release()
	for _, bytes := range []int64{-1, math.MinInt64, math.MaxInt64, 41} {
		if m.Take("c", bytes) == nil {
			t.Errorf("%d bytes are taken of %d", bytes, m.Left())
		}
	}
	if m.Left() != 40 {
		t.Errorf("%d left after refusals", m.Left())
	}
	var none *Memory
	if none.Take("d", math.MaxInt64) != nil || none.Lease().Take("d", 1) != nil {
		t.Error("no memory has a bound")
	}
	none.Release()
}

// TestFaults: a panic becomes an error of one line, wherever it happens.
func TestFaults(t *testing.T) {
	err := Safely(func() error {
		var outer, inner Group
		outer.Go(func() {
			inner.Go(func() { panic("\x1b[31mat\nhome") })
			inner.Wait()
		})
		outer.Wait()
		return nil
	})
	var fault *Fault
	if !errors.As(err, &fault) || !strings.Contains(fault.Stack, "TestFaults") || strings.ContainsAny(err.Error(), "\x1b\n") {
		t.Errorf("%v", err)
	}
	if err := Safely(func() error { return errors.ErrUnsupported }); !errors.Is(err, errors.ErrUnsupported) {
		t.Error(err)
	}
}

// TestFaultsOfGoroutines: a panic comes back as an error from one goroutine, and goes on in the goroutine that waits for another.
func TestFaultsOfGoroutines(t *testing.T) {
	failed := make(chan error)
	Go(func() error { panic("here") }, func(err error) { failed <- err })
	if _, fault := errors.AsType[*Fault](<-failed); !fault {
		t.Error("the panic of a goroutine is no fault")
	}
	Go(func() error { return errors.ErrUnsupported }, func(err error) { failed <- err })
	if err := <-failed; !errors.Is(err, errors.ErrUnsupported) {
		t.Error(err)
	}
	work := make(chan func())
	Go(func() error {
		for f := range work {
			f()
		}
		return nil
	}, func(err error) { failed <- err })
	there := func(f func()) { Elsewhere(f, func(f func()) { work <- f }) }
	err := Safely(func() error {
		there(func() { panic("there") })
		return nil
	})
	if _, fault := errors.AsType[*Fault](err); !fault {
		t.Errorf("the panic of work elsewhere: %v", err)
	}
	done := false
	there(func() { done = true })
	close(work)
	if err := <-failed; err != nil || !done {
		t.Errorf("after a panic the goroutine goes on: %v, %v", done, err)
	}
}

// TestGoroutinesAreGuarded: nothing but this package starts goroutines, in which a panic would end the program.
func TestGoroutinesAreGuarded(t *testing.T) {
	root := filepath.Join("..", "..")
	files := 0
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		name := entry.Name()
		switch {
		case err != nil:
			return err
		case entry.IsDir() && path != root && (name[0] == '.' || name == "testdata" || path == filepath.Join(root, "tracer", "guard")):
			return fs.SkipDir
		case entry.IsDir() || filepath.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		files++
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if start, is := n.(*ast.GoStmt); is {
				t.Errorf("%s: go, where guard.Go or a guard.Group turns a panic into an error", set.Position(start.Pos()))
			}
			return true
		})
		return nil
	})
	if err != nil || files < 100 {
		t.Errorf("%d files: %v", files, err)
	}
}

func TestNames(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"wheel ü 車", "wheel ü 車"},
		{"", ""},
		{"\x1b[31mRED", `"\x1b[31mRED"`},
		{"a\nglint: all is well", `"a\nglint: all is well"`},
		{"\u202egnp.exe", `"\u202egnp.exe"`},
		{"\u009b31m", `"\u009b31m"`},
		{"\xff", `"\xff"`},
		{strings.Repeat("é", 60), strings.Repeat("é", 40) + "…"},
	} {
		if got := Name(c.in); got != c.want {
			t.Errorf("%q: %s, want %s", c.in, got, c.want)
		}
	}
}

func FuzzName(f *testing.F) {
	f.Add("\x1b]0;pwned\x07\u202e\u009b\r\n\x7f")
	f.Fuzz(func(t *testing.T, s string) {
		for _, out := range []string{Name(s), Quoted(s)} {
			for _, r := range out {
				if r < ' ' || r >= 0x7f && r < 0xa0 || r >= 0x202a && r <= 0x202e {
					t.Fatalf("%q holds %U", out, r)
				}
			}
		}
	})
}

// TestInChunks: each item is worked on once, and those of a chunk by one goroutine in order.
func TestInChunks(t *testing.T) {
	for _, n := range []int{0, 1, chunkSize - 1, 4*chunkSize + 3} {
		times := MakeLarge[int32](n)
		pieces := make([]int, Chunks(n))
		InChunks(n, func(c, begin, end int) {
			pieces[c]++
			for i := begin; i < end; i++ {
				times[i]++
			}
		})
		if i := slices.IndexFunc(times, func(k int32) bool { return k != 1 }); i >= 0 {
			t.Errorf("%d items: item %d was worked on %d times", n, i, times[i])
		}
		if c := slices.IndexFunc(pieces, func(k int) bool { return k != 1 }); c >= 0 {
			t.Errorf("%d items: chunk %d was worked on %d times", n, c, pieces[c])
		}
	}
}

// TestOfChunks: what is made of pieces comes in their order.
func TestOfChunks(t *testing.T) {
	for _, n := range []int{0, 1, 4*chunkSize + 3} {
		next := 0
		for i, piece := range OfChunks(n, func(begin, end int) [2]int { return [2]int{begin, end} }) {
			if piece[0] != next {
				t.Errorf("%d items: piece %d begins at %d, want %d", n, i, piece[0], next)
			}
			next = piece[1]
		}
		if next != n {
			t.Errorf("%d items: the last piece ends at %d", n, next)
		}
	}
}

// TestMakeLarge: memory in large pages is zero and as long as asked for.
func TestMakeLarge(t *testing.T) {
	for _, n := range []int{0, 1, largeBytes/4 + 1} {
		made := MakeLarge[int32](n)
		if len(made) != n || slices.ContainsFunc(made, func(k int32) bool { return k != 0 }) {
			t.Errorf("%d of %d", len(made), n)
		}
	}
}

// TestOpenRegular: a pipe without a writer is refused at once, as folders and devices are; a file is read.
func TestOpenRegular(t *testing.T) {
	dir := t.TempDir()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	for name, make := range map[string]func(path string) error{
		"file":   func(path string) error { return os.WriteFile(path, []byte("text"), 0o666) },
		"pipe":   func(path string) error { return syscall.Mkfifo(path, 0o666) },
		"folder": func(path string) error { return os.Mkdir(path, 0o777) },
	} {
		path := filepath.Join(dir, name)
		if err := make(path); err != nil {
			t.Fatal(err)
		}
		for how, open := range map[string]func() (*os.File, error){
			"by its path": func() (*os.File, error) { return OpenRegular(path) },
			"in a folder": func() (*os.File, error) { return OpenRegularIn(root, name) },
		} {
			f, err := open()
			if name != "file" {
				if !errors.Is(err, ErrNotRegular) {
					t.Errorf("%s %s: %v", name, how, err)
				}
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			if text, err := io.ReadAll(f); err != nil || string(text) != "text" {
				t.Errorf("%s: %q, %v", how, text, err)
			}
			f.Close()
		}
	}
	if _, err := OpenRegular("/dev/zero"); !errors.Is(err, ErrNotRegular) {
		t.Errorf("a device: %v", err)
	}
}
