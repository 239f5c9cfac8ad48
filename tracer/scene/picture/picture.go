// Package picture decodes the images that scenes have: PNG, JPEG, WebP and KTX2. What can be seen of a damaged one is decoded.
//
//	p, err := picture.Judge(data)       // by its header: p.Width, p.Height, p.Bytes, p.Scratch
//	pixels, err := p.Decode(ctx)
package picture

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"slices"

	"glint/tracer/guard"
	"glint/tracer/scene/ktx2"
)

// Picture is an image judged by its header.
type Picture struct {
	Format        string // its name
	Width, Height int
	Bytes         int64 // that its pixels take, at the most
	Scratch       int64 // bytes that decoding takes beside them
	data          []byte
	decode        func(ctx context.Context, data []byte) (image.Image, error)
}

// Pixels is a decoded image.
type Pixels struct {
	RGBA   []byte // not premultiplied, row by row from the top
	Deep   bool   // channels have 16 bits, the lower byte first; else 8
	Damage error  // what is wrong with an image that can be seen all the same
}

// Judge reads the header of an image.
func Judge(data []byte) (*Picture, error) {
	all := formats()
	at := slices.IndexFunc(all, func(f format) bool { return f.matches(data) })
	if at < 0 {
		return nil, errors.New("the image cannot be read: convert it to PNG, JPEG or WebP")
	}
	f := all[at]
	var config image.Config
	err := guard.Safely(func() (err error) {
		config, err = f.config(data)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("the %s image cannot be read: %w", f.name, err)
	}
	if w, h := config.Width, config.Height; w < 1 || h < 1 || w > MaxSide || h > MaxSide {
		return nil, fmt.Errorf("%d × %d pixels: sides of 1 to %d can be read", w, h, MaxSide)
	}
	count := int64(config.Width) * int64(config.Height)
	return &Picture{
		Format: f.name, Width: config.Width, Height: config.Height, data: data, decode: f.decode,
		Bytes: count * texelBytes(config.ColorModel), Scratch: count * f.scratch(data, config.ColorModel),
	}, nil
}

// Decode decodes the image.
func (p *Picture) Decode(ctx context.Context) (out Pixels, err error) {
	err = guard.Safely(func() error { // a decoder's fault on a hostile image concerns that image alone
		decoded, err := p.decode(ctx, p.data)
		if out.Damage = err; decoded == nil {
			return fmt.Errorf("the %s image cannot be decoded: %w", p.Format, err)
		}
		if size := decoded.Bounds().Size(); size.X != p.Width || size.Y != p.Height {
			return errors.New("the image is not as large as its header says")
		}
		out.RGBA, out.Deep = straightRGBA(decoded)
		return nil
	})
	return out, err
}

// format is a kind of image that is read. The table has all of them: what other packages register with the image package,
// which libraries for other purposes do, is not used.
type format struct {
	name    string
	matches func(data []byte) bool
	config  func(data []byte) (image.Config, error)
	decode  func(ctx context.Context, data []byte) (image.Image, error) // both, where the image is damaged but can be seen
	scratch func(data []byte, model color.Model) int64                  // bytes a pixel that decoding takes beside the result
}

func formats() []format {
	starts := func(magic string) func([]byte) bool {
		return func(data []byte) bool { return bytes.HasPrefix(data, []byte(magic)) }
	}
	return []format{
		{"PNG", starts("\x89PNG\r\n\x1a\n"), pngConfig, decodePNG, pngScratch},
		{"JPEG", starts("\xff\xd8"), jpegConfig, decodeJPEG, jpegScratch},
		{"WebP", func(data []byte) bool { return starts("RIFF")(data) && len(data) >= 12 && string(data[8:12]) == "WEBP" },
			webpConfig, decodeWebP, func([]byte, color.Model) int64 { return 8 }},
		{"KTX2", starts(ktx2.Magic), ktx2.DecodeConfig, decodeKTX2, func([]byte, color.Model) int64 { return 4 }},
	}
}

func decodeKTX2(ctx context.Context, data []byte) (image.Image, error) {
	decoded, err := ktx2.Decode(ctx, data)
	if err != nil {
		return nil, err
	}
	return decoded, nil
}

// straightRGBA converts to channels that are not premultiplied, of 16 bits where 8 cannot hold them.
func straightRGBA(src image.Image) (pixels []byte, deep bool) {
	b := src.Bounds()
	switch p := src.(type) {
	case *image.NRGBA:
		if p.Stride == 4*b.Dx() {
			return p.Pix, false
		}
	case *image.RGBA: // the PNG decoder's form of images without alpha
		if p.Stride == 4*b.Dx() && p.Opaque() {
			return p.Pix, false
		}
	case *image.Paletted:
		return paletted(p), false
	case *image.NRGBA64:
		return pixels64(p.Pix)
	case *image.RGBA64: // likewise without alpha
		if p.Opaque() {
			return pixels64(p.Pix)
		}
	case *image.Gray16:
		return pixels64(spreadGray(p.Pix))
	case *image.YCbCr, *image.Gray, *image.CMYK: // opaque, and draw has fast paths
		out := newRGBA(b)
		draw.Draw(out, b, src, b.Min, draw.Src)
		return out.Pix, false
	}
	out := image.NewNRGBA(b)
	draw.Draw(out, b, src, b.Min, draw.Src)
	return out.Pix, false
}

// newRGBA is image.NewRGBA, in large pages.
func newRGBA(b image.Rectangle) *image.RGBA {
	return &image.RGBA{Pix: guard.MakeLarge[byte](4 * b.Dx() * b.Dy()), Stride: 4 * b.Dx(), Rect: b}
}

func paletted(p *image.Paletted) []byte {
	b := p.Bounds()
	var table [256][4]byte
	for i, c := range p.Palette {
		one := image.NewNRGBA(image.Rect(0, 0, 1, 1))
		one.Set(0, 0, c)
		copy(table[i][:], one.Pix)
	}
	out := make([]byte, 0, 4*b.Dx()*b.Dy())
	for y := range b.Dy() {
		for _, i := range p.Pix[y*p.Stride:][:b.Dx()] {
			out = append(out, table[i][:]...)
		}
	}
	return out
}
