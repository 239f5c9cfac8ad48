package scene

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/draw"
	_ "image/jpeg" // decoders register themselves
	_ "image/png"

	_ "golang.org/x/image/webp"

	"github.com/qmuntal/gltf"
)

// decodeImages decodes every image in use in the background and sends the file's indices of those that failed.
func (l *loader) decodeImages() <-chan map[int]bool {
	users := map[int][]int{} // image of the file → images of the scene
	var order []int
	for i, source := range l.textures.sources {
		if users[source] == nil {
			order = append(order, source)
		}
		users[source] = append(users[source], i)
	}
	images := l.out.Images
	done := make(chan map[int]bool, 1)
	go func() {
		errs := make([]error, len(order)) // each image has its own: the others go on
		_ = parallel(len(order), func(n int) error {
			var picture Image
			picture, errs[n] = l.decodeImage(l.doc.Images[order[n]])
			for _, i := range users[order[n]] {
				images[i].Width, images[i].Height, images[i].Pixels = picture.Width, picture.Height, picture.Pixels
			}
			return nil
		})
		failed := map[int]bool{}
		for n, err := range errs {
			if err != nil {
				failed[order[n]] = true
				l.warn.addf("%s: %v: drawn without it", label("image", order[n], l.doc.Images[order[n]].Name), err)
			}
		}
		done <- failed
	}()
	return done
}

func (l *loader) decodeImage(src *gltf.Image) (Image, error) {
	data, err := l.imageBytes(src)
	if err != nil {
		return Image{}, err
	}
	return decodePixels(data, l.pixels)
}

func (l *loader) imageBytes(src *gltf.Image) ([]byte, error) {
	switch {
	case src.BufferView != nil:
		return l.bufferView(*src.BufferView)
	case src.URI != "":
		return fetch(src.URI, l.fetch)
	default:
		return nil, errors.New("has neither uri nor bufferView")
	}
}

// decodePixels decodes PNG, JPEG or WebP, whatever the file calls it; its size is judged before memory is taken.
func decodePixels(data []byte, pixels *budget) (out Image, err error) {
	defer func() {
		if r := recover(); r != nil { // a decoder's fault on a hostile image must not end the program
			out, err = Image{}, fmt.Errorf("the image cannot be decoded: %v", r)
		}
	}()
	config, _, err := image.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return out, fmt.Errorf("the image cannot be read (PNG, JPEG and WebP can): %w", err)
	}
	if config.Width < 1 || config.Height < 1 || config.Width > maxSide || config.Height > maxSide {
		return out, fmt.Errorf("%d × %d pixels: sides of 1 to %d can be read", config.Width, config.Height, maxSide)
	}
	if err := pixels.take(int64(config.Width)*int64(config.Height), 4); err != nil {
		return out, fmt.Errorf("%d × %d pixels: %w", config.Width, config.Height, err)
	}
	picture, _, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		return out, fmt.Errorf("the image cannot be decoded: %w", err)
	}
	size := picture.Bounds().Size()
	if size.X != config.Width || size.Y != config.Height {
		return out, errors.New("the image is not as large as its header says")
	}
	return Image{Width: size.X, Height: size.Y, Pixels: straightRGBA(picture)}, nil
}

// straightRGBA converts to 8 bits per channel, not premultiplied.
func straightRGBA(src image.Image) []byte {
	b := src.Bounds()
	switch p := src.(type) {
	case *image.NRGBA:
		if p.Stride == 4*b.Dx() {
			return p.Pix
		}
	case *image.RGBA: // the PNG decoder's form of images without alpha
		if p.Stride == 4*b.Dx() && p.Opaque() {
			return p.Pix
		}
	case *image.Paletted:
		return paletted(p)
	case *image.NRGBA64:
		return narrow64(p.Pix, p.Stride, b)
	case *image.RGBA64: // likewise without alpha
		if p.Opaque() {
			return narrow64(p.Pix, p.Stride, b)
		}
	case *image.YCbCr, *image.Gray, *image.CMYK: // opaque, and draw has fast paths
		out := image.NewRGBA(b)
		draw.Draw(out, b, src, b.Min, draw.Src)
		return out.Pix
	}
	out := image.NewNRGBA(b)
	draw.Draw(out, b, src, b.Min, draw.Src)
	return out.Pix
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

// narrow64 keeps the nearest 8-bit value of each big-endian 16-bit channel.
func narrow64(pix []byte, stride int, b image.Rectangle) []byte {
	out := make([]byte, 0, 4*b.Dx()*b.Dy())
	for y := range b.Dy() {
		row := pix[y*stride:][:8*b.Dx()]
		for i := 0; i < len(row); i += 2 {
			v := uint32(row[i])<<8 | uint32(row[i+1])
			out = append(out, byte((v*255+32767)/65535))
		}
	}
	return out
}
