//go:build linux

package main

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"glint/cuda/images"
)

// kept is how many versions of the sources a cache holds: a few branches and what was tried last. One takes 50 MB with all targets.
const kept = 10

// cache is a folder that holds, for each version of the sources and the compilers, a folder with the images that were made of them.
type cache struct {
	folder   string          // empty: there is none
	manifest images.Manifest // which version
}

// version is the folder of this version.
func (c cache) version() string {
	return filepath.Join(c.folder, c.manifest.Sources+"-"+c.manifest.Compilers[:16])
}

// read returns the target's image, where it is there.
func (c cache) read(target images.Target) (data []byte, found bool) {
	if c.folder == "" {
		return nil, false
	}
	data, err := os.ReadFile(filepath.Join(c.version(), target.File()))
	now := time.Now()
	_ = os.Chtimes(c.version(), now, now) // in use: the oldest are removed
	return data, err == nil
}

// write keeps an image, and removes the versions that were not used for longest.
func (c cache) write(i images.Image) error {
	if c.folder == "" {
		return nil
	}
	if err := write(filepath.Join(c.version(), i.Target.File()), i.Data); err != nil {
		return err
	}
	versions, err := os.ReadDir(c.folder)
	if err != nil {
		return fmt.Errorf("tidy the cache of kernels: %w", err)
	}
	used := func(e os.DirEntry) time.Time {
		info, err := e.Info()
		if err != nil {
			return time.Time{}
		}
		return info.ModTime()
	}
	slices.SortFunc(versions, func(a, b os.DirEntry) int { return used(b).Compare(used(a)) })
	for _, old := range versions[min(kept, len(versions)):] {
		if err := os.RemoveAll(filepath.Join(c.folder, old.Name())); err != nil {
			return fmt.Errorf("tidy the cache of kernels: %w", err)
		}
	}
	return nil
}

// hashOf is the SHA-256, in hexadecimal, of what decides on the code besides the sources: the compilers, and this program's options for them.
func hashOf(compilers ...string) (string, error) {
	h := sha256.New()
	fmt.Fprintln(h, strings.Join(options, " "), shortened)
	for _, path := range compilers {
		f, err := os.Open(path)
		if err != nil {
			return "", fmt.Errorf("hash the compilers: %w", err)
		}
		_, err = io.Copy(h, f)
		_ = f.Close()
		if err != nil {
			return "", fmt.Errorf("hash the compilers: %w", err)
		}
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// write replaces a file whole or not at all.
func write(path string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return fmt.Errorf("write the kernels: %w", err)
	}
	temporary := path + ".tmp"
	if err := os.WriteFile(temporary, data, 0o644); err != nil {
		return fmt.Errorf("write the kernels: %w", err)
	}
	if err := os.Rename(temporary, path); err != nil {
		return fmt.Errorf("write the kernels: %w", err)
	}
	return nil
}
