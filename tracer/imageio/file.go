package imageio

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"glint/tracer/guard"
)

// maxFileSize bounds what Read loads: the largest uncompressed picture and some header.
const maxFileSize = 12*maxPixels + 1<<20

// Meta says how a picture was made (scene, camera, samples, seconds, settings…). OpenEXR files carry it as string
// attributes; PFM has no place for it.
type Meta map[string]string

// format is one kind of file for linear radiance. A nil function means that glint does not go in that direction.
type format struct {
	extension string
	decode    func(data []byte, memory *guard.Memory) (*Image, error)
	encode    func(w io.WriteSeeker, img *Image, meta Meta) error
}

// formats lists every file format for linear radiance.
var formats = [...]format{
	{".exr", decodeEXR, encodeEXR},
	{".pfm", decodePFM, encodePFM},
	{".hdr", decodeHDR, nil},
}

// Read loads linear radiance from a .pfm, .exr or .hdr file. The error names the file and what is wrong with it.
func Read(path string) (*Image, error) { return ReadWithin(path, nil) }

// ReadWithin is Read of a file that nobody has checked: memory counts what the picture takes, before it is taken.
func ReadWithin(path string, memory *guard.Memory) (*Image, error) {
	img, err := read(path, memory)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	return img, nil
}

func read(path string, memory *guard.Memory) (*Image, error) {
	f, ok := formatOf(path)
	if !ok || f.decode == nil {
		return nil, fmt.Errorf("linear images are read from %s files", extensions(func(f format) bool { return f.decode != nil }))
	}
	whileReading := memory.Lease()
	defer whileReading.Release()
	data, err := load(path, whileReading)
	if err != nil {
		return nil, err
	}
	return safely(func() (*Image, error) { return f.decode(data, memory) })
}

// Write stores linear radiance as .exr (32-bit float) or .pfm, whole or not at all. Only OpenEXR keeps meta.
func Write(path string, img *Image, meta Meta) error {
	if err := write(path, img, meta); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return nil
}

func write(path string, img *Image, meta Meta) error {
	f, ok := formatOf(path)
	if !ok || f.encode == nil {
		return fmt.Errorf("linear images are written to %s files", extensions(func(f format) bool { return f.encode != nil }))
	}
	if err := img.Validate(); err != nil {
		return err
	}
	return WriteAtomic(path, func(w io.WriteSeeker) error { return f.encode(w, img, meta) })
}

func formatOf(path string) (format, bool) {
	ext := strings.ToLower(filepath.Ext(path))
	for _, f := range formats {
		if f.extension == ext {
			return f, true
		}
	}
	return format{}, false
}

func extensions(wanted func(format) bool) string {
	var names []string
	for _, f := range formats {
		if wanted(f) {
			names = append(names, f.extension)
		}
	}
	return strings.Join(names, ", ")
}

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

// safely turns a panic inside a decoder into an error: the decoders of others index before they check.
func safely(decode func() (*Image, error)) (img *Image, err error) {
	var fault *guard.Fault
	err = guard.Safely(func() (err error) {
		img, err = decode()
		return err
	})
	if errors.As(err, &fault) {
		return nil, fmt.Errorf("malformed file: %s", guard.Name(fmt.Sprint(fault.Problem)))
	}
	return img, err
}
