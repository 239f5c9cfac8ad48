package imageio

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/png"
	"io"
	"slices"
)

// WritePNG stores a display-referred (sRGB-encoded) picture, whole or not at all, with text chunks that say how it was
// made. A key is 1 to 79 Latin-1 characters; a value is any UTF-8 text without NUL. ReadPNGText reads them back.
func WritePNG(path string, img *image.NRGBA, text map[string]string) error {
	if err := writePNG(path, img, text); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return nil
}

func writePNG(path string, img *image.NRGBA, text map[string]string) error {
	encoded, err := EncodePNG(img, text)
	if err != nil {
		return err
	}
	return WriteAtomic(path, func(w io.WriteSeeker) error {
		_, err := w.Write(encoded)
		return err
	})
}

// EncodePNG is the file that WritePNG writes.
func EncodePNG(img *image.NRGBA, text map[string]string) ([]byte, error) {
	if img == nil {
		return nil, errors.New("no image")
	}
	if err := CheckSize(img.Rect.Dx(), img.Rect.Dy()); err != nil {
		return nil, err
	}
	chunks, err := textChunks(text)
	if err != nil {
		return nil, err
	}
	var encoded bytes.Buffer
	// A screenshot must not hold up the window: speed before size.
	encoder := png.Encoder{CompressionLevel: png.BestSpeed}
	if err := encoder.Encode(&encoded, img); err != nil {
		return nil, err
	}
	return slices.Insert(encoded.Bytes(), pngHeaderSize, chunks...), nil
}

// ReadPNGText returns the uncompressed text chunks (tEXt and iTXt) of a PNG file by key.
func ReadPNGText(path string) (map[string]string, error) {
	data, err := load(path, nil)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	text, err := parseText(data)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	return text, nil
}
