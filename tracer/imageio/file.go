package imageio

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
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
var formats = []format{
	{".exr", decodeEXR, encodeEXR},
	{".pfm", decodePFM, encodePFM},
	{".hdr", decodeHDR, nil},
}

// Read loads linear radiance from a .pfm, .exr or .hdr file. The error names the file and what is wrong with it.
func Read(path string) (*Image, error) { return ReadWithin(path, nil) }

// ReadWithin is Read of a file that nobody has checked: memory counts what the picture takes, before it is taken.
func ReadWithin(path string, memory *guard.Memory) (*Image, error) {
	img, err := read(path, memory)
	return img, named("read", path, err)
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
	f, ok := formatOf(path)
	err := img.Validate()
	if !ok || f.encode == nil {
		err = fmt.Errorf("linear images are written to %s files", extensions(func(f format) bool { return f.encode != nil }))
	}
	if err == nil {
		err = WriteAtomic(path, func(w io.WriteSeeker) error { return f.encode(w, img, meta) })
	}
	return named("write", path, err)
}

func formatOf(path string) (format, bool) {
	i := slices.IndexFunc(formats, func(f format) bool { return f.extension == strings.ToLower(filepath.Ext(path)) })
	if i < 0 {
		return format{}, false
	}
	return formats[i], true
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

// ReadNotes reads the text that a .png or an .exr of WriteLayers holds besides the pixels.
func ReadNotes(path string) (Meta, error) {
	if strings.EqualFold(filepath.Ext(path), ".exr") {
		return ReadMeta(path)
	}
	return ReadPNGText(path)
}
