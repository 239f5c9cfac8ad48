package guard

import (
	"errors"
	"os"
	"syscall"
)

// ErrNotRegular is of pipes, devices and folders, where a file is wanted: reading them may never end.
var ErrNotRegular = errors.New("not a regular file")

// OpenRegular opens a regular file for reading. A pipe that nobody writes to does not hold it up.
func OpenRegular(path string) (*os.File, error) {
	return regular(os.OpenFile(path, withoutWaiting, 0))
}

// OpenRegularIn is OpenRegular of a file below a folder.
func OpenRegularIn(root *os.Root, name string) (*os.File, error) {
	return regular(root.OpenFile(name, withoutWaiting, 0))
}

const withoutWaiting = os.O_RDONLY | syscall.O_NONBLOCK

func regular(f *os.File, err error) (*os.File, error) {
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = &os.PathError{Op: "open", Path: f.Name(), Err: ErrNotRegular}
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}
