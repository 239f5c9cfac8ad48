package gpuscene

import (
	"fmt"
	"slices"

	"glint/cuda"
	"glint/tracer/device"
	"glint/tracer/guard"
	"glint/tracer/scene"
)

// smallestTexture is what textures are not scaled below, pixels a side.
const smallestTexture = 256

// textures are those of a scene, with the images that are to have mipmaps: mipmapped(); nil: none.
type textures struct {
	scene     *scene.Scene
	mipmapped map[*byte]bool
}

// upload uploads each distinct set of pixels once and returns the textures that refer to them, and the buffers, which are the caller's
// to free after an error as well. None is longer than longest pixels a side: longer ones are halved until they fit. Behind the scene's
// textures come the levels of those that have mipmaps.
func (t *textures) upload(d device.Device, longest int) (table []cuda.Texture, buffers []device.Buffer, err error) {
	uploaded := map[*byte][]cuda.Texture{}
	table = make([]cuda.Texture, len(t.scene.Textures))
	for i, from := range t.scene.Textures {
		img := &t.scene.Images[from.Image]
		levels, ok := uploaded[&img.Pixels[0]]
		if !ok {
			var taken []device.Buffer
			if levels, taken, err = t.uploadImage(d, img, longest); err != nil {
				return nil, buffers, err
			}
			buffers = append(buffers, taken...)
			uploaded[&img.Pixels[0]] = levels
		}
		texture := cuda.Texture{WrapS: uint32(from.WrapS), WrapT: uint32(from.WrapT)}
		if img.SRGB {
			texture.Flags |= cuda.TextureSrgb
		}
		if img.Deep {
			texture.Flags |= cuda.TextureDeep
		}
		if from.Nearest {
			texture.Flags |= cuda.TextureNearest
			levels = levels[:1]
		}
		for level, of := range levels {
			texture.Texels, texture.Width, texture.Height, texture.Mips = of.Texels, of.Width, of.Height, 0
			if level > 0 {
				table = append(table, texture)
				continue
			}
			if len(levels) > 1 {
				texture.Mips = uint32(len(table))
			}
			table[i] = texture
		}
	}
	return table, buffers, nil
}

// uploadImage uploads an image, and its mipmaps where it is to have them. It returns where each level lies and its size.
func (t *textures) uploadImage(d device.Device, img *scene.Image, longest int) ([]cuda.Texture, []device.Buffer, error) {
	small := scaled(img, longest)
	var below []*scene.Image
	var pixels []byte
	if cutout, ok := t.mipmapped[&img.Pixels[0]]; ok {
		below, pixels = mipmaps(small, cutout)
	}
	levels := make([]cuda.Texture, 1+len(below))
	rows := []device.Rows{{Address: &levels[0].Texels, Data: small.Pixels, Stays: true}}
	if len(below) > 0 {
		rows = append(rows, device.Rows{Address: &levels[1].Texels, Data: pixels, Stays: true})
	}
	buffers, err := device.UploadAll(d, rows)
	if err != nil {
		return nil, nil, err
	}
	for i, level := range append([]*scene.Image{small}, below...) {
		if i > 1 {
			levels[i].Texels = levels[i-1].Texels + uint64(len(below[i-2].Pixels))
		}
		levels[i].Width, levels[i].Height = uint32(level.Width), uint32(level.Height)
	}
	return levels, buffers, nil
}

// bytes is what textures take that are scaled to a longest side, with their mipmaps, excluding those that the device is lent.
func (t *textures) bytes(d device.Memory, longest int) (bytes int64) {
	t.eachImage(func(img *scene.Image) {
		w, h := scaledSize(img.Width, img.Height, longest)
		if w != img.Width || !lends(d, img.Pixels) {
			bytes += int64(img.TexelBytes()) * int64(w) * int64(h)
		}
		if _, ok := t.mipmapped[&img.Pixels[0]]; ok {
			bytes += mipmapBytes(w, h, img.TexelBytes())
		}
	})
	return bytes
}

// lends tells whether a device reads what is in the host's memory, and needs no copy.
func lends(d device.Memory, data []byte) bool {
	b, ok := d.Lend(data)
	if ok {
		d.Free(b)
	}
	return ok
}

// eachImage visits each distinct set of pixels once.
func (t *textures) eachImage(visit func(img *scene.Image)) {
	seen := map[*byte]bool{}
	for i := range t.scene.Images {
		if img := &t.scene.Images[i]; len(img.Pixels) > 0 && !seen[&img.Pixels[0]] {
			seen[&img.Pixels[0]] = true
			visit(img)
		}
	}
}

// longest is the longest side of all textures, pixels.
func (t *textures) longest() (side int) {
	t.eachImage(func(img *scene.Image) { side = max(side, img.Width, img.Height) })
	return side
}

// fit finds the longest side that textures may have so that all of them take no more than so many bytes of the device's
// memory: that which they have, or the largest power of two from smallestTexture on. It is 0 where none will do.
func (t *textures) fit(d device.Memory, bytes int64) int {
	whole := t.longest()
	if t.bytes(d, whole) <= bytes {
		return max(whole, 1)
	}
	side := smallestTexture
	if side >= whole || t.bytes(d, side) > bytes {
		return 0
	}
	for 2*side < whole && t.bytes(d, 2*side) <= bytes {
		side *= 2
	}
	return side
}

// deep tells whether some image has 16 bits a channel.
func (t *textures) deep() bool {
	return slices.ContainsFunc(t.scene.Images, func(img scene.Image) bool { return img.Deep })
}

// note tells what was done to textures that were too long.
func (t *textures) note(longest int) string {
	return fmt.Sprintf("the GPU's memory is short: textures of more than %d pixels a side were halved until they were no longer (the longest had %d)", longest, t.longest())
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
	guard.All(h, func(y int) {
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
