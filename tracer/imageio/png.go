package imageio

import (
	"bytes"
	"errors"
	"image"
	"image/png"
	"io"
	"slices"
)

// WritePNG stores a display-referred (sRGB-encoded) picture, whole or not at all, with text chunks that say how it was
// made. A key is 1 to 79 Latin-1 characters; a value is any UTF-8 text without NUL. ReadPNGText reads them back.
func WritePNG(path string, img *image.NRGBA, text map[string]string) error {
	encoded, err := EncodePNG(img, text)
	if err == nil {
		err = WriteAtomic(path, func(w io.WriteSeeker) error {
			_, err := w.Write(encoded)
			return err
		})
	}
	return named("write", path, err)
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
func ReadPNGText(path string) (text map[string]string, err error) {
	data, err := load(path, nil)
	if err == nil {
		text, err = parseText(data)
	}
	return text, named("read", path, err)
}
