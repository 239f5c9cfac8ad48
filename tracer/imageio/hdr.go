package imageio

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/mdouchement/hdr"
	"github.com/mdouchement/hdr/codec/rgbe"

	"glint/tracer/guard"
)

// decodeHDR reads a Radiance RGBE picture (Ward, "Real Pixels", Graphics Gems II), flat or run-length encoded, rows
// from the top down.
func decodeHDR(data []byte, memory *guard.Memory) (*Image, error) {
	config, err := rgbe.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return nil, radianceError(err)
	}
	if err := CheckSize(config.Width, config.Height); err != nil {
		return nil, err
	}
	if len(data)/smallestScanline(config.Width) < config.Height {
		return nil, errTruncated
	}
	if err := takePixels(memory, config.Width, config.Height, 0); err != nil {
		return nil, err
	}
	// The library takes the end of the file inside a run for the end of the picture: it must not see one.
	decoded, err := rgbe.Decode(io.MultiReader(bytes.NewReader(data), endless{}))
	if err != nil {
		return nil, radianceError(err)
	}
	rgb, ok := decoded.(*hdr.RGB)
	if !ok {
		return nil, errors.New("only the RGBE form of Radiance pictures is supported, not XYZE")
	}
	for _, v := range rgb.Pix {
		if math.IsNaN(float64(v)) || math.IsInf(float64(v), 0) {
			return nil, errors.New("the header's EXPOSURE makes values that are not finite")
		}
	}
	return &Image{Width: config.Width, Height: config.Height, Pix: rgb.Pix}, nil
}

// smallestScanline is the least number of bytes that hold a scanline: flat, or four channels of runs of at most 127.
func smallestScanline(width int) int {
	return min(4*width, 4+4*2*((width+126)/127))
}

// endless is the reader behind a file's last byte: it fails with an error that is not io.EOF.
type endless struct{}

func (endless) Read([]byte) (int, error) { return 0, errTruncated }

func radianceError(err error) error {
	if errors.Is(err, errTruncated) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errTruncated
	}
	return fmt.Errorf("not a Radiance picture that can be read: %w", err)
}
