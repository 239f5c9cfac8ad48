package tracer_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// topLevel names all that may stand in the repository's root.
func topLevel() []string {
	return []string{
		"go.mod", "go.sum", "main.go", "viewer", "tracer", "cuda", "shaders", "assets", "docs", "README.md", "LICENSE",
		"Makefile", ".ci", ".golangci.yml", ".clang-format", ".gitignore", ".gitattributes",
	}
}

// longest is the number of lines that a source file may have; 0 where it does not matter.
func longest(path string) int {
	generated := strings.Contains(filepath.Base(path), "_gen.")
	switch ext := filepath.Ext(path); {
	case path == "main.go":
		return 149
	case !generated && slices.Contains([]string{".go", ".cuh", ".h", ".cpp", ".glsl"}, ext):
		return 400
	}
	return 0
}

func TestTopLevelIsFixed(t *testing.T) {
	for _, path := range trackedFiles(t) {
		if top, _, _ := strings.Cut(path, "/"); !slices.Contains(topLevel(), top) {
			t.Errorf("%s: the top level is fixed; find its place inside one of the folders", path)
		}
	}
}

func TestFilesAreShort(t *testing.T) {
	root := repositoryRoot(t)
	for _, path := range trackedFiles(t) {
		limit := longest(path)
		if limit == 0 {
			continue
		}
		text, err := os.ReadFile(filepath.Join(root, path))
		if os.IsNotExist(err) {
			continue // deleted, not yet committed
		}
		if err != nil {
			t.Fatal(err)
		}
		if lines := bytes.Count(text, []byte("\n")); lines > limit {
			t.Errorf("%s has %d lines; more than %d is more than one idea", path, lines, limit)
		}
	}
}

// trackedFiles are the repository's files as git knows them, relative to its root.
func trackedFiles(t *testing.T) []string {
	t.Helper()
	list := exec.Command("git", "-c", "safe.directory=*", "ls-files", "-z")
	list.Dir = repositoryRoot(t)
	out, err := list.Output()
	if err != nil {
		t.Skipf("needs a git checkout: %v", err)
	}
	files := strings.Split(strings.TrimRight(string(out), "\x00"), "\x00")
	if !slices.Contains(files, "go.mod") {
		t.Fatalf("git lists %d files but no go.mod", len(files))
	}
	return files
}
