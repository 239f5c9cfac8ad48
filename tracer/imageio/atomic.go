package imageio

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
)

// WriteAtomic lets write fill a temporary file beside path and then renames it to path, so that path holds either what
// it held before or all that write wrote. On error the temporary file is removed. A link is followed; what is there and is
// no regular file (a device, a pipe, a folder) is an error.
func WriteAtomic(path string, write func(w io.WriteSeeker) error) error {
	path, err := target(path)
	if err != nil {
		return err
	}
	f, err := createBeside(path)
	if err != nil {
		return err
	}
	err = write(f)
	if err == nil {
		err = f.Sync() // a disk that is full, or far away, may tell no sooner
	}
	if err == nil && f.name == "" && link(f.File, path) == nil {
		return f.Close() // nothing was there, and at no moment was there more than the file
	}
	if err == nil {
		err = f.giveName(path)
	}
	var named *fs.PathError
	if errors.As(err, &named) && named.Path == f.Name() {
		err = named.Err // the caller names the file, and this name is another one
	}
	err = errors.Join(err, f.Close())
	if err == nil {
		err = os.Rename(f.name, path)
	}
	if err != nil {
		return errors.Join(err, f.remove())
	}
	return nil
}

// CheckTarget tells, before there is anything to write, whether WriteAtomic could write path now.
func CheckTarget(path string) error {
	path, err := target(path)
	if err != nil {
		return err
	}
	f, err := createBeside(path)
	if err != nil {
		return err
	}
	return errors.Join(f.Close(), f.remove())
}

// target is the file that path leads to by links: one that is new, or a regular file.
func target(path string) (string, error) {
	info, err := os.Lstat(path)
	if err == nil && info.Mode()&fs.ModeSymlink != 0 {
		if path, err = filepath.EvalSymlinks(path); err != nil {
			return "", fmt.Errorf("it is a link that leads nowhere: %w", reason(err))
		}
		info, err = os.Lstat(path)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return path, nil
	case err != nil:
		return "", reason(err)
	case info.IsDir():
		return "", errors.New("it is a folder: name a file")
	case !info.Mode().IsRegular():
		return "", errors.New("it is a device, pipe or socket: name a regular file")
	}
	return path, nil
}

// temporary is a file that will be renamed. Where the system can, it has no name while it is written, so that nothing is left of it
// however the process ends.
type temporary struct {
	*os.File
	name string // empty: it has none yet
}

// remove removes the name, if there is one.
func (t *temporary) remove() error {
	if t.name == "" {
		return nil
	}
	return os.Remove(t.name)
}

// giveName names a file that has no name yet. Call it before Close.
func (t *temporary) giveName(path string) error {
	if t.name != "" {
		return nil
	}
	err := eachName(path, func(name string) error {
		err := link(t.File, name)
		if err == nil {
			t.name = name
		}
		return err
	})
	if err == nil {
		return nil
	}
	named, err := createNamed(path) // where links cannot be made, as without /proc, a copy can
	if err != nil {
		return err
	}
	t.name = named.name
	_, err = t.Seek(0, io.SeekStart)
	if err == nil {
		_, err = io.Copy(named, t.File)
	}
	return errors.Join(err, named.Sync(), named.Close())
}

// createBeside makes a new file in path's folder. os.CreateTemp would hide the result from other users (mode 0600).
func createBeside(path string) (*temporary, error) {
	folder, _ := filepath.Split(path)
	if f, err := openNameless(cmp.Or(folder, ".")); err == nil {
		return &temporary{File: f}, nil
	}
	return createNamed(path)
}

func createNamed(path string) (*temporary, error) {
	folder, _ := filepath.Split(path)
	t := &temporary{}
	err := eachName(path, func(name string) (err error) {
		t.File, err = os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
		t.name = name
		return err
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("the folder %s: %w: make it first", filepath.Clean(folder), reason(err))
	}
	if err != nil {
		return nil, fmt.Errorf("temporary file beside it: %w", reason(err))
	}
	return t, nil
}

// eachName tries hidden names beside path until one is free.
func eachName(path string, try func(name string) error) error {
	const attempts = 100
	folder, name := filepath.Split(path)
	for range attempts {
		err := try(filepath.Join(folder, fmt.Sprintf(".%s.%08x.part", name, rand.Uint32())))
		if !errors.Is(err, os.ErrExist) {
			return err
		}
	}
	return errors.New("no name is free; remove old .part files")
}
