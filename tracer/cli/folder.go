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

// output is a file of a folder.
type output struct {
	name  string
	write func(path string) error
}

// listed adds to files of a folder a summary that names them and says no more.
func listed(outputs []output) []output {
	files := []string{summaryFile}
	for _, o := range outputs {
		files = append(files, o.name)
	}
	return append(outputs, output{summaryFile, func(path string) error {
		text, err := json.Marshal(map[string][]string{"files": files})
		if err != nil {
			return err
		}
		return writeText(path, string(text)+"\n")
	}})
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

// writeFolder writes all files of a folder or none. A folder that glint wrote before is replaced.
func writeFolder(p *Program, path string, outputs []output) error {
	path = linksFollowed(path)
	if err := checkFolder(path); err != nil { // it may have changed during the work
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	part := hidden(path)
	defer p.leftovers.add(part, nil)()
	if err := os.Mkdir(part, 0o777); err != nil {
		return err
	}
	for _, o := range outputs {
		if err := o.write(filepath.Join(part, o.name)); err != nil {
			return errors.Join(err, os.RemoveAll(part))
		}
	}
	if err := replaceFolder(path, part); err != nil {
		return errors.Join(err, os.RemoveAll(part))
	}
	return nil
}

// replaceFolder renames part to path, and then removes what was there before.
func replaceFolder(path, part string) error {
	old := hidden(path)
	err := os.Rename(path, old)
	if errors.Is(err, fs.ErrNotExist) {
		return os.Rename(part, path)
	}
	if err != nil {
		return err
	}
	if err := os.Rename(part, path); err != nil {
		return errors.Join(err, os.Rename(old, path))
	}
	return os.RemoveAll(old)
}

// hidden is a temporary name beside path. It keeps the extension, which tells programs the format.
func hidden(path string) string {
	folder, name := filepath.Split(path)
	return filepath.Join(folder, fmt.Sprintf(".%08x.part.%s", rand.Uint32(), name))
}
