package dynlib

import (
	"bytes"
	"debug/elf"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// check looks at a library, at those that it needs from its folder, and at those there that match patterns.
func check(path string, patterns []string) error {
	if !strings.ContainsRune(path, filepath.Separator) {
		if path = search(path); path == "" {
			return nil // the system says that there is none
		}
	}
	folder := filepath.Dir(path)
	files := []string{path}
	for _, pattern := range patterns {
		entries, _ := os.ReadDir(folder) // without a folder there is no library, which is said below
		for _, e := range entries {
			if match, _ := filepath.Match(pattern, e.Name()); match && filepath.Join(folder, e.Name()) != path {
				files = append(files, filepath.Join(folder, e.Name()))
			}
		}
	}
	for i := 0; i < len(files); i++ {
		needed, err := checkFile(files[i])
		if err != nil {
			return err
		}
		for _, name := range needed {
			other := filepath.Join(folder, filepath.Base(name))
			if _, err := os.Stat(other); err == nil && !slices.Contains(files, other) {
				files = append(files, other)
			}
		}
	}
	return nil
}

// checkFile refuses a file that is shorter than its headers say. Needed are the libraries that it names.
func checkFile(path string) (needed []string, err error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a regular file: %w", path, ErrDamaged)
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }() // only read from
	f, err := elf.NewFile(file)
	if err != nil {
		return nil, fmt.Errorf("%s is cut short, or no shared library (%w): %w", path, err, ErrDamaged)
	}
	if size := uint64(info.Size()); end(f) > size {
		return nil, fmt.Errorf("%s is cut short, to %d of at least %d bytes: %w", path, size, end(f), ErrDamaged)
	}
	needed, _ = f.ImportedLibraries() // without a table of them it names none
	return needed, nil
}

// end is how long a file must be for what its headers name.
func end(f *elf.File) (most uint64) {
	reach := func(offset, size uint64) {
		if size > 0 {
			most = max(most, offset+min(size, ^offset)) // without overflow
		}
	}
	for _, p := range f.Progs {
		reach(p.Off, p.Filesz)
	}
	for _, s := range f.Sections {
		if s.Type != elf.SHT_NOBITS {
			reach(s.Offset, s.FileSize)
		}
	}
	return most
}

// search is the file that the system would load by a name; empty where it has none. It looks where the loader looks: in the folders of
// LD_LIBRARY_PATH, among the files that the loader's cache names, and in the folders that all systems have.
func search(name string) string {
	var paths []string
	for _, folder := range filepath.SplitList(os.Getenv("LD_LIBRARY_PATH")) {
		paths = append(paths, filepath.Join(folder, name))
	}
	cache, _ := os.ReadFile("/etc/ld.so.cache") // without one there are still the folders
	for text := range bytes.SplitSeq(cache, []byte{0}) {
		if path := string(text); filepath.IsAbs(path) && filepath.Base(path) == name {
			paths = append(paths, path)
		}
	}
	for _, folder := range []string{"/lib64", "/usr/lib64", "/lib", "/usr/lib"} {
		paths = append(paths, filepath.Join(folder, name))
	}
	for _, path := range paths {
		if info, err := os.Stat(path); err == nil && (!info.Mode().IsRegular() || !forOther(path)) {
			return path
		}
	}
	return ""
}

// machines are ELF's names of processors.
var machines = map[string]elf.Machine{"amd64": elf.EM_X86_64, "arm64": elf.EM_AARCH64}

// forOther tells whether a file is a whole library for another kind of machine, which the loader passes over.
func forOther(path string) bool {
	f, err := elf.Open(path)
	if err != nil {
		return false // it would be loaded, and is damaged
	}
	defer func() { _ = f.Close() }() // only read from
	return f.Machine != machines[runtime.GOARCH]
}
