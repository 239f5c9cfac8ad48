package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"glint/tracer/imageio"
)

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

// inputs are the files that render the scene: itself, what it refers to, and the environment.
func (c *SceneFlags) inputs() []named {
	return append(sceneInputs(c.Scene), named{"--env", c.Env})
}

// sceneInputs are a scene's file and those that it refers to. What cannot be read is left to the loader.
func sceneInputs(scene string) []named {
	files := []named{{"the scene", scene}}
	if !strings.EqualFold(filepath.Ext(scene), ".gltf") {
		return files
	}
	const most = 1 << 28 // bytes
	text, err := imageio.ReadBounded(scene, most)
	if err != nil {
		return files
	}
	var document struct{ Buffers, Images []struct{ URI string } }
	if json.Unmarshal(text, &document) != nil {
		return files
	}
	for _, part := range append(document.Buffers, document.Images...) {
		if part.URI == "" || strings.HasPrefix(part.URI, "data:") {
			continue
		}
		if path, err := url.PathUnescape(part.URI); err == nil {
			files = append(files, named{"the scene", filepath.Join(filepath.Dir(scene), path)})
		}
	}
	return files
}
