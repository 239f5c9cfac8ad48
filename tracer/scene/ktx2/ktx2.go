// Package ktx2 decodes the images of KTX 2.0 files that glTF textures may have: ETC1S with BasisLZ, UASTC, and plain 8-bit RGB
// and RGBA. It follows the KTX 2.0 specification with its appendices on BasisLZ, and the Khronos Data Format specification.
package ktx2

import (
	"context"
	"image"
	"image/color"
)

// DecodeConfig gives the size of the image.
func DecodeConfig(data []byte) (image.Config, error) {
	f, err := parse(data)
	if err != nil {
		return image.Config{}, err
	}
	return image.Config{ColorModel: color.NRGBAModel, Width: f.width, Height: f.height}, nil
}

// Decode decodes the first level. It ends early when ctx does. Beside the picture it takes as many bytes as the level has
// unpacked, at most 4 a texel or 16 a block of 4 × 4, and a few MiB.
func Decode(ctx context.Context, data []byte) (*image.NRGBA, error) {
	f, err := parse(data)
	if err != nil {
		return nil, err
	}
	if f.model == etc1s {
		return f.decodeETC1S(ctx)
	}
	level, err := f.unpack()
	if err != nil {
		return nil, err
	}
	out := image.NewNRGBA(image.Rect(0, 0, f.width, f.height))
	switch f.model {
	case uastc:
		err = decodeUASTC(ctx, out, level)
	case plainRGBA:
		copy(out.Pix, level)
	default:
		for i := range len(level) / 3 {
			copy(out.Pix[4*i:], level[3*i:3*i+3])
			out.Pix[4*i+3] = 255
		}
	}
	if err != nil {
		return nil, err
	}
	f.arrange(out.Pix)
	return out, nil
}
