package imageio

import (
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
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
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
	return errors.Join(f.Close(), os.Remove(f.Name()))
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

// createBeside makes a new file in path's folder. os.CreateTemp would hide the result from other users (mode 0600).
func createBeside(path string) (*os.File, error) {
	const attempts = 100
	folder, name := filepath.Split(path)
	for range attempts {
		temporary := filepath.Join(folder, fmt.Sprintf(".%s.%08x.part", name, rand.Uint32()))
		f, err := os.OpenFile(temporary, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
		if errors.Is(err, os.ErrExist) {
			continue
		}
		if errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("the folder %s: %w: make it first", filepath.Clean(folder), reason(err))
		}
		if err != nil {
			return nil, fmt.Errorf("temporary file beside it: %w", reason(err))
		}
		return f, nil
	}
	return nil, errors.New("no free name for a temporary file beside it; remove old .part files")
}
