package imageio

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"glint/tracer/guard"
)

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
