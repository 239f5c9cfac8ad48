package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"glint/tracer/imageio"
)

// output is a file of a folder.
type output struct {
	name    string
	write   func(path string) error
	summary func(files []string) any // in place of write: the JSON object about the folder, given the names of its files
}

// summaryOutput is the summary of a folder.
func summaryOutput(about func(files []string) any) output {
	return output{name: summaryFile, summary: about}
}

// writeFolder writes all files of a folder or none; one of them must be its summary. A folder that glint wrote before is replaced.
func writeFolder(l *leftovers, path string, outputs []output) error {
	if err := writeWhole(l, linksFollowed(path), outputs); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return nil
}

func writeWhole(l *leftovers, path string, outputs []output) error {
	if err := checkFolder(path); err != nil { // it may have changed during the work
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	part := hidden(path)
	defer l.add(part, nil)()
	if err := os.Mkdir(part, 0o777); err != nil {
		return err
	}
	var files []string
	for _, o := range outputs {
		files = append(files, o.name)
	}
	for _, o := range outputs {
		write := o.write
		if o.summary != nil {
			write = func(path string) error { return writeJSON(path, o.summary(files)) }
		}
		if err := write(filepath.Join(part, o.name)); err != nil {
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

// writeText writes a text file, whole or not at all.
func writeText(path, text string) error {
	return imageio.WriteAtomic(path, func(w io.WriteSeeker) error {
		_, err := io.WriteString(w, text)
		return err
	})
}

// writeJSON writes a file of JSON.
func writeJSON(path string, v any) error {
	text, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	return writeText(path, string(text)+"\n")
}

// pictureOf is a titled picture.
func pictureOf(name string, img *image.NRGBA, title string) output {
	return output{name: name, write: func(path string) error { return imageio.WritePNG(path, img, map[string]string{"title": title}) }}
}

// printJSON prints an object as files have it.
func printJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	if err := e.Encode(v); err != nil {
		return fmt.Errorf("print JSON: %w", err)
	}
	return nil
}
