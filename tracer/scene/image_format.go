package scene

import (
	"bytes"
	"context"
	"image"
	"image/color"
	"image/draw"

	"glint/tracer/guard"
	"glint/tracer/scene/ktx2"
)

// imageFormat is a kind of image that is read. The table has all of them: what other packages register with the image package,
// which libraries for other purposes do, is not used.
type imageFormat struct {
	name    string
	matches func(data []byte) bool
	config  func(data []byte) (image.Config, error)
	decode  func(ctx context.Context, data []byte) (image.Image, error) // both, where the image is damaged but can be seen
	scratch func(data []byte, model color.Model) int64                  // bytes a pixel that decoding takes beside the result
}

func imageFormats() []imageFormat {
	starts := func(magic string) func([]byte) bool {
		return func(data []byte) bool { return bytes.HasPrefix(data, []byte(magic)) }
	}
	return []imageFormat{
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
