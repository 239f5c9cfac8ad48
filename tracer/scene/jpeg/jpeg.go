// Package jpeg decodes the JPEG images that the standard library refuses: sampling factors of any kind, arithmetic coding, and files
// that end early or are damaged, as far as they go. It follows ITU-T T.81, baseline, extended and progressive, of 8 bits.
//
//	picture, err := jpeg.Decode(ctx, data) // both, where the file is damaged
package jpeg

import (
	"cmp"
	"context"
	"errors"
	"image"
	"image/color"
)

// DecodeConfig reads the size of an image.
func DecodeConfig(data []byte) (image.Config, error) {
	d := newDecoder(data)
	for d.kind == 0 {
		if _, err := d.segment(); err != nil {
			return image.Config{}, err
		}
	}
	return image.Config{ColorModel: color.NRGBAModel, Width: d.width, Height: d.height}, nil
}

// Decode reads an image. What it has decoded of a damaged one comes with an error.
func Decode(ctx context.Context, data []byte) (*image.NRGBA, error) {
	d := newDecoder(data)
	var damage error
	for {
		marker, err := d.segment()
		damage = cmp.Or(damage, err)
		if err != nil || marker == end {
			break
		}
		if marker == scanStart {
			damage = cmp.Or(damage, d.pass(ctx))
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	if !d.seen {
		return nil, cmp.Or(damage, errors.New("it has no pixels"))
	}
	picture, err := d.picture(ctx)
	return picture, cmp.Or(err, damage)
}
