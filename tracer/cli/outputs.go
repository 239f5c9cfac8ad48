package cli

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

// named is a file with the flag or the word that names it.
type named struct{ flag, path string }

// checkOutput refuses, before anything is rendered, a file that could not be written in the end, and one that is among the others:
// what a command reads, and what else it writes.
func checkOutput(out named, others ...named) error {
	if err := imageio.CheckTarget(out.path); err != nil {
		return fmt.Errorf("%s %s: %w", out.flag, out.path, err)
	}
	for _, other := range others {
		if other.path != "" && sameFile(out.path, other.path) {
			return fmt.Errorf("%s %s: that is also the file of %s, which would be lost: name another", out.flag, out.path, other.flag)
		}
	}
	return nil
}

// checkFolderOutput refuses a folder that could not be written in the end, and one that holds what the command reads.
func checkFolderOutput(folder string, others ...named) error {
	if err := checkFolder(folder); err != nil {
		return err
	}
	if err := checkNewFolder(folder); err != nil {
		return err
	}
	for _, other := range others {
		if other.path != "" && within(folder, other.path) {
			return fmt.Errorf("-o %s: the folder is written anew, and %s %s would be lost: name another folder", folder, other.flag, other.path)
		}
	}
	return nil
}

// checkFolder refuses a folder that holds files which glint has not written.
func checkFolder(path string) error {
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

// checkNewFolder tells whether a folder can be made: the nearest one above it that is there must let files be made.
func checkNewFolder(folder string) error {
	above := filepath.Dir(absolute(folder))
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
	probe := hidden(filepath.Join(above, "glint"))
	if err := os.Mkdir(probe, 0o777); err != nil {
		return fmt.Errorf("-o %s: %w: name a folder that glint may make", folder, err)
	}
	return os.Remove(probe)
}

// sameFile tells whether two paths lead to one file, or would once it is there.
func sameFile(a, b string) bool {
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
		if sameFile(folder, path) || path == linksFollowed(folder) {
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
	return absolute(path)
}

// absolute is a path as it is from any folder.
func absolute(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		return abs
	}
	return path
}

// hidden is a temporary name beside path. It keeps the extension, which tells programs the format.
func hidden(path string) string {
	folder, name := filepath.Split(path)
	return filepath.Join(folder, fmt.Sprintf(".%08x.part.%s", rand.Uint32(), name))
}
