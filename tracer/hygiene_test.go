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

func TestTopLevelIsFixed(t *testing.T) {
	for _, path := range trackedFiles(t) {
		if top, _, _ := strings.Cut(path, "/"); !slices.Contains(topLevel(), top) {
			t.Errorf("%s: the top level is fixed; find its place inside one of the folders", path)
		}
	}
}

// TestMainIsShort: main parses and hands over.
func TestMainIsShort(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(repositoryRoot(t), "main.go"))
	if err != nil {
		t.Fatal(err)
	}
	if lines := bytes.Count(text, []byte("\n")); lines >= 150 {
		t.Errorf("main.go has %d lines; what it does beside parsing and handing over belongs elsewhere", lines)
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
