// Package sources names the kernel sources and their hash, by which compiled kernels are known to be fresh or stale.
// The tool that compiles them and the package that embeds what it made read the same folder through it.
package sources

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// Main is the file that includes every kernel.
const Main = "kernels_gen.cuh"

// File is one source, named as an #include names it: from the root of the kernels, with slashes.
type File struct {
	Name string
	Text []byte
}

// Read returns every kernel source of a folder and of those in it, sorted by name. No source at all is an error.
func Read(fsys fs.FS) ([]File, error) {
	var files []File
	err := fs.WalkDir(fsys, ".", func(name string, _ fs.DirEntry, err error) error {
		if err != nil || (path.Ext(name) != ".cuh" && path.Ext(name) != ".h") {
			return err
		}
		text, err := fs.ReadFile(fsys, name)
		files = append(files, File{name, text})
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read kernel sources: %w", err)
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("read kernel sources: %w: the folder holds no *.cuh", fs.ErrNotExist)
	}
	slices.SortFunc(files, func(a, b File) int { return strings.Compare(a.Name, b.Name) })
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
