package gpuscene

import (
	"fmt"
	"sync"

	"glint/cuda"
	"glint/tracer/device"
	"glint/tracer/scene"
)

// smallestTexture is what textures are not scaled below, pixels a side.
const smallestTexture = 256

// uploadTextures uploads each distinct set of pixels once and returns the textures that refer to them. None is longer than longest
// pixels a side: longer ones are halved until they fit. Behind the scene's textures come the levels of those that have mipmaps.
func (s *Scene) uploadTextures(d device.Device, longest int) ([]cuda.Texture, error) {
	of := s.prepared.drawn
	uploaded := map[*byte][]cuda.Texture{}
	textures := make([]cuda.Texture, len(of.Textures))
	for i, t := range of.Textures {
		img := &of.Images[t.Image]
		levels, ok := uploaded[&img.Pixels[0]]
		if !ok {
			var err error
			if levels, err = s.uploadImage(d, img, longest); err != nil {
				return nil, err
			}
			uploaded[&img.Pixels[0]] = levels
		}
		texture := cuda.Texture{WrapS: uint32(t.WrapS), WrapT: uint32(t.WrapT)}
		if img.SRGB {
			texture.Flags |= cuda.TextureSrgb
		}
		if img.Deep {
			texture.Flags |= cuda.TextureDeep
		}
		if t.Nearest {
			texture.Flags |= cuda.TextureNearest
			levels = levels[:1]
		}
		for level, of := range levels {
			texture.Texels, texture.Width, texture.Height, texture.Mips = of.Texels, of.Width, of.Height, 0
			if level > 0 {
				textures = append(textures, texture)
				continue
			}
			if len(levels) > 1 {
				texture.Mips = uint32(len(textures))
			}
			textures[i] = texture
		}
	}
	return textures, nil
}

// uploadImage uploads an image, and its mipmaps where it is to have them. It returns where each level lies and its size.
func (s *Scene) uploadImage(d device.Device, img *scene.Image, longest int) ([]cuda.Texture, error) {
	small := scaled(img, longest)
	var below []*scene.Image
	var pixels []byte
	if cutout, ok := s.prepared.mipmapped[&img.Pixels[0]]; ok {
		below, pixels = mipmaps(small, cutout)
	}
	levels := make([]cuda.Texture, 1+len(below))
	rows := []device.Rows{{Address: &levels[0].Texels, Data: small.Pixels, Stays: true}}
	if len(below) > 0 {
		rows = append(rows, device.Rows{Address: &levels[1].Texels, Data: pixels, Stays: true})
	}
	buffers, err := device.UploadAll(d, rows)
	if err != nil {
		return nil, err
	}
	s.buffers = append(s.buffers, buffers...)
	for i, level := range append([]*scene.Image{small}, below...) {
		if i > 1 {
			levels[i].Texels = levels[i-1].Texels + uint64(len(below[i-2].Pixels))
		}
		levels[i].Width, levels[i].Height = uint32(level.Width), uint32(level.Height)
	}
	return levels, nil
}

// textureBytes is what textures take that are scaled to a longest side, with their mipmaps, excluding those that the device is lent.
func (p *Prepared) textureBytes(d device.Memory, longest int) (bytes int64) {
	p.eachImage(func(img *scene.Image) {
		w, h := scaledSize(img.Width, img.Height, longest)
		if w != img.Width || !lends(d, img.Pixels) {
			bytes += int64(img.TexelBytes()) * int64(w) * int64(h)
		}
		if _, ok := p.mipmapped[&img.Pixels[0]]; ok {
			bytes += mipmapBytes(w, h, img.TexelBytes())
		}
	})
	return bytes
}

// eachImage visits each distinct set of pixels once.
func (p *Prepared) eachImage(visit func(img *scene.Image)) {
	seen := map[*byte]bool{}
	for i := range p.drawn.Images {
		if img := &p.drawn.Images[i]; len(img.Pixels) > 0 && !seen[&img.Pixels[0]] {
			seen[&img.Pixels[0]] = true
			visit(img)
		}
	}
}

// longestTexture is the longest side of all textures, pixels.
func (p *Prepared) longestTexture() (longest int) {
	p.eachImage(func(img *scene.Image) { longest = max(longest, img.Width, img.Height) })
	return longest
}

// fitTextures finds the longest side that textures may have so that all of them take no more than so many bytes of the device's
// memory: that which they have, or the largest power of two from smallestTexture on. It is 0 where none will do.
func (p *Prepared) fitTextures(d device.Memory, bytes int64) int {
	whole := p.longestTexture()
	if p.textureBytes(d, whole) <= bytes {
		return max(whole, 1)
	}
	side := smallestTexture
	if side >= whole || p.textureBytes(d, side) > bytes {
		return 0
	}
	for 2*side < whole && p.textureBytes(d, 2*side) <= bytes {
		side *= 2
	}
	return side
}

// scaledSize halves a size until no side is longer than that.
func scaledSize(width, height, longest int) (w, h int) {
	for w, h = width, height; max(w, h) > longest; w, h = (w+1)/2, (h+1)/2 {
	}
	return w, h
}

// scaled is an image of which no side is longer than that: itself, or a smaller one.
func scaled(img *scene.Image, longest int) *scene.Image {
	for max(img.Width, img.Height) > longest {
		img = halved(img)
	}
	return img
}

// halved averages each 2×2 pixels: light linearly and by its coverage, so that what is transparent has no colour, and other data as
// it is.
func halved(img *scene.Image) *scene.Image {
	w, h := (img.Width+1)/2, (img.Height+1)/2
	out := &scene.Image{Name: img.Name, Width: w, Height: h, SRGB: img.SRGB, Deep: img.Deep, Pixels: make([]byte, img.TexelBytes()*w*h)}
	if img.Deep {
		shrinkDeep(img, out, img.SRGB)
		return out
	}
	parallel(h, func(y int) {
		for x := range w {
			var block [4][]byte
			for i := range block {
				at := 4 * (min(2*y+i/2, img.Height-1)*img.Width + min(2*x+i%2, img.Width-1))
				block[i] = img.Pixels[at : at+4]
			}
			pixel := out.Pixels[4*(y*w+x):][:4]
			if img.SRGB {
				averageLight(pixel, block)
			} else {
				averageData(pixel, block)
			}
		}
	})
	return out
}

func averageData(pixel []byte, block [4][]byte) {
	for c := range pixel {
		sum := 0
		for _, b := range block {
			sum += int(b[c])
		}
		pixel[c] = byte((sum + 2) / 4)
	}
}

func averageLight(pixel []byte, block [4][]byte) {
	averageData(pixel, block)
	if pixel[3] == 0 {
		return // nothing of it is seen
	}
	curve := srgbCurve()
	for c := range 3 {
		var sum, coverage float32
		for _, b := range block {
			sum += float32(b[3]) * curve.linear[b[c]]
			coverage += float32(b[3])
		}
		pixel[c] = curve.encoded[int(sum/coverage*(encodedSteps-1)+0.5)]
	}
}

// encodedSteps of linear light are fine enough for 8 bits of sRGB where its curve is steepest.
const encodedSteps = 1 << 14

// curve is that of sRGB in tables.
type curve struct {
	linear  [256]float32
	encoded [encodedSteps]byte
}

var srgbCurve = sync.OnceValue(func() *curve {
	c := &curve{}
	for i := range c.linear {
		c.linear[i] = float32(cuda.SRGBDecode(float64(i) / 255))
	}
	value := 0
	for i := range c.encoded { // the value that is nearest
		for light := float32(i) / (encodedSteps - 1); value < 255 && light > (c.linear[value]+c.linear[value+1])/2; {
			value++
		}
		c.encoded[i] = byte(value)
	}
	return c
})

// scaledNote tells what was done to the textures.
func (p *Prepared) scaledNote(longest int) string {
	return fmt.Sprintf("the GPU's memory is short: textures of more than %d pixels a side were halved until they were no longer (the longest had %d)", longest, p.longestTexture())
}
