package picture

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"

	anyjpeg "glint/tracer/scene/jpeg"
)

// mostScans of a JPEG image: usual progressive ones have ten. Each goes over the whole picture, and may take a few bytes.
const mostScans = 100

func jpegConfig(data []byte) (image.Config, error) {
	if n := jpegScans(data); n > mostScans {
		return image.Config{}, fmt.Errorf("it has %d scans, more than %d", n, mostScans)
	}
	config, err := jpeg.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return anyjpeg.DecodeConfig(data)
	}
	return config, nil
}

// decodeJPEG decodes a JPEG image: usual ones by the standard library, which is the faster, and what it refuses by our own.
func decodeJPEG(ctx context.Context, data []byte) (image.Image, error) {
	decoded, err := jpeg.Decode(wantedReader{ctx, bytes.NewReader(data)})
	if err == nil {
		return decoded, nil
	}
	picture, err := anyjpeg.Decode(ctx, data)
	if picture == nil {
		return nil, err
	}
	return picture, err
}

// jpegScans counts the scans of a JPEG image (ITU-T T.81, B.1).
func jpegScans(data []byte) (scans int) {
	const scan = 0xda
	for at := 2; at+4 <= len(data); {
		next := bytes.IndexByte(data[at:], 0xff)
		if next < 0 || at+next+4 > len(data) {
			break
		}
		at += next
		switch marker := data[at+1]; {
		case marker == 0xff: // fill
			at++
		case marker == 0 || marker == 1 || marker >= 0xd0 && marker <= 0xd9: // no segment follows
			at += 2
		default:
			if marker == scan {
				scans++
			}
			at += 2 + int(binary.BigEndian.Uint16(data[at+2:]))
		}
	}
	return scans
}

// jpegScratch is the planes, and all coefficients of a progressive one.
func jpegScratch(data []byte, _ color.Model) int64 {
	const planes, coefficients = 4, 4 * 4 // four components at the most, coefficients of 32 bits
	if bytes.Contains(data, []byte{0xff, 0xc2}) || bytes.Contains(data, []byte{0xff, 0xca}) {
		return planes + coefficients
	}
	return planes
}
