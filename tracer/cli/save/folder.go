package save

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

// File is a file of a folder.
type File struct {
	Name    string
	Write   func(path string) error
	summary func(files []string) any // in place of write: the JSON object about the folder, given the names of its files
}

// Summary is the summary of a folder.
func Summary(about func(files []string) any) File {
	return File{Name: summaryFile, summary: about}
}

// Folder writes all files of a folder or none; one of them must be its summary. A folder that glint wrote before is replaced.
func Folder(l *Leftovers, path string, outputs []File) error {
	if err := writeWhole(l, linksFollowed(path), outputs); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return nil
}

func writeWhole(l *Leftovers, path string, outputs []File) error {
	if err := checkOwn(path); err != nil { // it may have changed during the work
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	part := Hidden(path)
	defer l.Add(part, nil)()
	if err := os.Mkdir(part, 0o777); err != nil {
		return err
	}
	var files []string
	for _, o := range outputs {
		files = append(files, o.Name)
	}
	for _, o := range outputs {
		write := o.Write
		if o.summary != nil {
			write = func(path string) error { return JSON(path, o.summary(files)) }
		}
		if err := write(filepath.Join(part, o.Name)); err != nil {
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
	old := Hidden(path)
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

// Text writes a text file, whole or not at all.
func Text(path, text string) error {
	return imageio.WriteAtomic(path, func(w io.WriteSeeker) error {
		_, err := io.WriteString(w, text)
		return err
	})
}

// JSON writes a file of JSON.
func JSON(path string, v any) error {
	text, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	return Text(path, string(text)+"\n")
}

// Picture is a titled picture.
func Picture(name string, img *image.NRGBA, title string) File {
	return File{Name: name, Write: func(path string) error { return imageio.WritePNG(path, img, map[string]string{"title": title}) }}
}

// PrintJSON prints an object as files have it.
func PrintJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	if err := e.Encode(v); err != nil {
		return fmt.Errorf("print JSON: %w", err)
	}
	return nil
}
