package dynlib

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// build compiles a library that needs others of its folder.
func build(t *testing.T, folder, name, source string, needs ...string) string {
	t.Helper()
	gcc, err := exec.LookPath("gcc")
	if err != nil {
		t.Skip("needs gcc to build libraries: ", err)
	}
	path, c := filepath.Join(folder, name), filepath.Join(t.TempDir(), "a.c")
	if err := os.WriteFile(c, []byte(source), 0o644); err != nil {
		t.Fatal(err)
	}
	args := append([]string{"-shared", "-fPIC", "-Wl,-rpath,$ORIGIN", "-Wl,--no-as-needed", "-o", path, c}, needs...)
	if out, err := exec.Command(gcc, args...).CombinedOutput(); err != nil {
		t.Fatalf("gcc: %v\n%s", err, out)
	}
	return path
}

// cut shortens a file to a share of its length.
func cut(t *testing.T, path string, share float64) {
	t.Helper()
	info, err := os.Stat(path)
	if err == nil {
		err = os.Truncate(path, int64(share*float64(info.Size())))
	}
	if err != nil {
		t.Fatal(err)
	}
}

// family is a library with one that it needs and one that it would load later.
func family(t *testing.T) (folder, head string) {
	t.Helper()
	folder = t.TempDir()
	const data = "char filler[65536] = {1}; int part(void) { return filler[0]; }\n"
	needed := build(t, folder, "libneeded.so", data)
	build(t, folder, "libhead_part.so", data)
	return folder, build(t, folder, "libhead.so", "int part(void); int head(void) { return 41 + part(); }\n", needed)
}

func TestWholeLibrary(t *testing.T) {
	_, path := family(t)
	l, err := Open(path, "libhead_*")
	if err != nil {
		t.Fatal(err)
	}
	if address, err := l.Symbol("head"); err != nil || address == 0 {
		t.Error(address, err)
	}
	if _, err := l.Symbol("tail"); err == nil {
		t.Error("it has a symbol that it has not")
	}
}

// TestCutLibrary: whichever file is cut, and wherever, opening says which it is. Without that look the process dies of SIGBUS.
func TestCutLibrary(t *testing.T) {
	for _, name := range []string{"libhead.so", "libneeded.so", "libhead_part.so"} {
		for _, share := range []float64{0, 0.001, 0.1, 0.5, 0.9, 0.999} {
			folder, path := family(t)
			cut(t, filepath.Join(folder, name), share)
			if _, err := Open(path, "libhead_*"); !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), name) {
				t.Errorf("%s cut to %g: %v", name, share, err)
			}
		}
	}
}

// TestNoLibrary: neither pipes nor folders nor texts are opened, and nobody waits for them.
func TestNoLibrary(t *testing.T) {
	folder := t.TempDir()
	pipe, text := filepath.Join(folder, "pipe.so"), filepath.Join(folder, "text.so")
	if err := errors.Join(syscall.Mkfifo(pipe, 0o600), os.WriteFile(text, []byte("not a library"), 0o644)); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{pipe, folder, text} {
		if _, err := Open(path); !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: %v", path, err)
		}
	}
	if _, err := Open(filepath.Join(folder, "none.so")); err == nil || errors.Is(err, ErrDamaged) {
		t.Error(err)
	}
}

// TestLibraryOfTheSystem: a name alone is looked for where the loader looks.
func TestLibraryOfTheSystem(t *testing.T) {
	if _, err := Open("libc.so.6"); err != nil {
		t.Error(err)
	}
	if path := search("libc.so.6"); !filepath.IsAbs(path) || forOther(path) {
		t.Errorf("libc.so.6 is found as %q", path)
	}
	folder, _ := family(t)
	t.Setenv("LD_LIBRARY_PATH", folder)
	cut(t, filepath.Join(folder, "libhead.so"), 0.5)
	if _, err := Open("libhead.so"); !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), folder) {
		t.Error(err)
	}
}
