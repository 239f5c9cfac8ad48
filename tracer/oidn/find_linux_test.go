package oidn

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestFindWithoutLibrary(t *testing.T) {
	paths := []string{filepath.Join(t.TempDir(), libraryFolder, libraryName), "libNobodyHasThis.so.2"}
	_, err := find(paths)
	if !errors.Is(err, ErrNotFound) {
		t.Fatal(err)
	}
	for _, want := range append(paths, "make oidn", "OIDN_DIR") {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q does not mention %s", err, want)
		}
	}
}

// TestFindUnfitLibrary: a file that is there but cannot be used is named, and why.
func TestFindUnfitLibrary(t *testing.T) {
	path := filepath.Join(t.TempDir(), libraryName)
	if err := os.WriteFile(path, []byte("not a library"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := find([]string{path, "libNobodyHasThis.so.2"}); !errors.Is(err, ErrUnfit) || !strings.Contains(err.Error(), path) {
		t.Errorf("%v does not say that %s is unfit", err, path)
	}
}

// TestFindAnotherLibrary: one without the functions is no OIDN 2.
func TestFindAnotherLibrary(t *testing.T) {
	if _, err := load("libc.so.6"); !errors.Is(err, ErrUnfit) || !strings.Contains(err.Error(), "oidnNewDevice") {
		t.Error(err)
	}
}

// TestCandidates: who names a folder gets what lies there, or nothing.
func TestCandidates(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("OIDN_DIR", dir)
	if paths := candidates(); len(paths) != 1 || paths[0] != filepath.Join(dir, libraryFolder, libraryName) {
		t.Errorf("looks in %q", paths)
	}
	t.Setenv("OIDN_DIR", "")
	if paths := candidates(); len(paths) != 2 || paths[1] != libraryName {
		t.Errorf("looks in %q", paths)
	}
}
