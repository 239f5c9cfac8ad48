// Package sources names the kernel sources and their hash, by which committed PTX is known to be fresh or stale.
// The tool that compiles the PTX and the test that checks it read the same folder through it.
package sources

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"path"
	"slices"
)

// Main is the file that includes every kernel.
const Main = "kernels.cuh"

// patterns name what the kernels may include, seen from the folder cuda.
var patterns = []string{"*.cuh", "*.h", "lobes/*.cuh", "lobes/*.h"}

// File is one source, named as an #include names it: from the folder cuda, with slashes.
type File struct {
	Name string
	Text []byte
}

// Read returns every kernel source of a folder laid out like cuda, sorted by name. No source at all is an error.
func Read(fsys fs.FS) ([]File, error) {
	var names []string
	for _, pattern := range patterns {
		found, err := fs.Glob(fsys, pattern)
		if err != nil {
			return nil, fmt.Errorf("list kernel sources %s: %w", pattern, err)
		}
		names = append(names, found...)
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("list kernel sources: %w: the folder holds no *.cuh", fs.ErrNotExist)
	}
	slices.Sort(names)
	files := make([]File, len(names))
	for i, name := range names {
		text, err := fs.ReadFile(fsys, name)
		if err != nil {
			return nil, fmt.Errorf("read kernel source: %w", err)
		}
		files[i] = File{path.Clean(name), text}
	}
	return files, nil
}

// Hash is the SHA-256, in hexadecimal, of the files' names, lengths and contents. Line ends do not count, so a checkout
// with CRLF has the same hash.
func Hash(files []File) string {
	h := sha256.New()
	for _, f := range files {
		text := bytes.ReplaceAll(f.Text, []byte("\r\n"), []byte("\n"))
		fmt.Fprintf(h, "%s %d\n", f.Name, len(text))
		h.Write(text)
	}
	return hex.EncodeToString(h.Sum(nil))
}

const stampPrefix = "// sources: sha256 "

// Stamp puts the first line, which names the sources' hash, before PTX.
func Stamp(ptx []byte, hash string) []byte {
	return append([]byte(stampPrefix+hash+"\n"), ptx...)
}

// Stamped is the hash that the first line of PTX names; empty when it names none.
func Stamped(ptx []byte) string {
	line, _, _ := bytes.Cut(ptx, []byte("\n"))
	hash, ok := bytes.CutPrefix(line, []byte(stampPrefix))
	if !ok {
		return ""
	}
	return string(bytes.TrimSpace(hash))
}
