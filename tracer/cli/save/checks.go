// Package save checks, before anything is rendered, where a command is to write, and writes files and folders whole or not at all.
package save

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"

	"glint/tracer/imageio"
)

// summaryFile is in every folder that glint writes and names the files in it, so that glint recognises its own folders.
const summaryFile = "summary.json"

// Named is a file with the flag or the word that names it.
type Named struct{ Flag, Path string }

// CheckFile refuses, before anything is rendered, a file that could not be written in the end, and one that is among the others:
// what a command reads, and what else it writes.
func CheckFile(out Named, others ...Named) error {
	if err := imageio.CheckTarget(out.Path); err != nil {
		return fmt.Errorf("%s %s: %w", out.Flag, out.Path, err)
	}
	for _, other := range others {
		if other.Path != "" && SameFile(out.Path, other.Path) {
			return fmt.Errorf("%s %s: that is also the file of %s, which would be lost: name another", out.Flag, out.Path, other.Flag)
		}
	}
	return nil
}

// CheckFolder refuses a folder that could not be written in the end, and one that holds what the command reads.
func CheckFolder(folder string, others ...Named) error {
	if err := checkOwn(folder); err != nil {
		return err
	}
	if err := CheckNewFolder(folder); err != nil {
		return err
	}
	for _, other := range others {
		if other.Path != "" && within(folder, other.Path) {
			return fmt.Errorf("-o %s: the folder is replaced, and %s %s would be lost: name another folder", folder, other.Flag,
				other.Path)
		}
	}
	return nil
}

// checkOwn refuses a folder that holds files which glint has not written.
func checkOwn(path string) error {
	entries, err := os.ReadDir(path)
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(entries) == 0 {
		return nil
	}
	if err != nil {
		return fmt.Errorf("-o %s: %w: name a folder that glint may make", path, err)
	}
	var summary struct{ Files []string }
	const most = 1 << 26
	if text, err := imageio.ReadBounded(filepath.Join(path, summaryFile), most); err == nil {
		_ = json.Unmarshal(text, &summary) // what is not ours names no files
	}
	for _, e := range entries {
		if !slices.Contains(summary.Files, e.Name()) {
			return fmt.Errorf("-o %s: it holds %s, which glint has not made: name another folder", path, e.Name())
		}
	}
	return nil
}

// CheckNewFolder tells whether a folder can be made: the nearest one above it that is there must let files be made.
func CheckNewFolder(folder string) error {
	above := filepath.Dir(Absolute(folder))
	for {
		_, err := os.Stat(above)
		if err == nil {
			break
		}
		if !errors.Is(err, fs.ErrNotExist) || above == filepath.Dir(above) {
			return fmt.Errorf("-o %s: %w: name a folder that glint may make", folder, err)
		}
		above = filepath.Dir(above)
	}
	probe := Hidden(filepath.Join(above, "glint"))
	if err := os.Mkdir(probe, 0o777); err != nil {
		return fmt.Errorf("-o %s: %w: name a folder that glint may make", folder, err)
	}
	return os.Remove(probe)
}

// SameFile tells whether two paths lead to one file, or would once it is there.
func SameFile(a, b string) bool {
	x, errX := os.Stat(a)
	y, errY := os.Stat(b)
	if errX == nil && errY == nil {
		return os.SameFile(x, y)
	}
	if errX == nil || errY == nil || filepath.Base(a) != filepath.Base(b) {
		return false
	}
	x, errX = os.Stat(filepath.Dir(a))
	y, errY = os.Stat(filepath.Dir(b))
	return errX == nil && errY == nil && os.SameFile(x, y)
}

// within tells whether a path is a folder or lies below it, links followed.
func within(folder, path string) bool {
	for path = linksFollowed(path); ; path = filepath.Dir(path) {
		if SameFile(folder, path) || path == linksFollowed(folder) {
			return true
		}
		if path == filepath.Dir(path) {
			return false
		}
	}
}

func linksFollowed(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	return Absolute(path)
}

// Absolute is a path as it is from any folder.
func Absolute(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		return abs
	}
	return path
}

// Hidden is a temporary name beside path. It keeps the extension, which tells programs the format.
func Hidden(path string) string {
	folder, name := filepath.Split(path)
	return filepath.Join(folder, fmt.Sprintf(".%08x.part.%s", rand.Uint32(), name))
}
