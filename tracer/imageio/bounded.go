package imageio

import (
	"errors"
	"fmt"
	"io"
	"os"

	"glint/tracer/guard"
)

// maxFileSize bounds what Read loads: the largest uncompressed picture and some header.
const maxFileSize = 12*maxPixels + 1<<20

// load reads the file of a picture.
func load(path string, memory *guard.Memory) ([]byte, error) {
	return readBounded(path, maxFileSize, memory)
}

// ReadBounded reads a regular file whole if it has at most so many bytes. Devices and pipes, which may never end, are an error at
// once. Errors do not name the path.
func ReadBounded(path string, most int64) ([]byte, error) { return readBounded(path, most, nil) }

func readBounded(path string, most int64, memory *guard.Memory) ([]byte, error) {
	f, err := guard.OpenRegular(path)
	if err != nil {
		return nil, reason(err)
	}
	defer func() { _ = f.Close() }() // only read from
	info, err := f.Stat()
	if err != nil {
		return nil, reason(err)
	}
	if info.Size() > most {
		return nil, fmt.Errorf("%d bytes are above the limit of %d", info.Size(), most)
	}
	if err := memory.Take("the file", info.Size()); err != nil {
		return nil, err
	}
	data := make([]byte, info.Size())
	n, err := io.ReadFull(f, data)
	if errors.Is(err, io.ErrUnexpectedEOF) { // it has become shorter
		err = nil
	}
	return data[:n], reason(err)
}

// reason strips operation and path, which the caller's message has already.
func reason(err error) error {
	var pathErr *os.PathError
	if errors.As(err, &pathErr) {
		return pathErr.Err
	}
	return err
}

// named is an error with what was being done to which file; nil stays nil.
func named(doing, path string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s %s: %w", doing, path, err)
}
