package gpuscene

import "glint/tracer/scene"

// averaged are the uses of textures that averages(use) in scene/surface.cuh names.
var averaged = []scene.TextureUse{scene.TextureBaseColor, scene.TextureTransmission, scene.TextureSpecular, scene.TextureSpecularColor}

// mipmapped tells which images are to have mipmaps, by their first pixel: those that materials look up to average them, unless the
// file asks for whole texels. The value is true of cut-outs, whose colour is averaged by coverage: what is transparent has none.
func mipmapped(s *scene.Scene) map[*byte]bool {
	images := map[*byte]bool{}
	for i := range s.Materials {
		m := &s.Materials[i]
		for _, use := range averaged {
			ref := m.Textures[use]
			if ref.Texture < 0 || s.Textures[ref.Texture].Nearest || use == scene.TextureSpecularColor && m.Glossy { // which holds roughness too
				continue
			}
			first := &s.Images[s.Textures[ref.Texture].Image].Pixels[0]
			images[first] = images[first] || use == scene.TextureBaseColor && m.AlphaMode != scene.AlphaOpaque
		}
	}
	return images
}

// half is the size of the level below one.
func half(n int) int { return max(n/2, 1) }

// mipmapBytes is what the levels below an image take.
func mipmapBytes(width, height, texel int) (bytes int64) {
	for width > 1 || height > 1 {
		width, height = half(width), half(height)
		bytes += int64(texel) * int64(width) * int64(height)
	}
	return bytes
}

// mipmaps are the levels below an image, down to one pixel. Their pixels lie one behind the other, and all together are returned too.
func mipmaps(img *scene.Image, cutout bool) (levels []*scene.Image, pixels []byte) {
	pixels = make([]byte, mipmapBytes(img.Width, img.Height, img.TexelBytes()))
	rest := pixels
	for img.Width > 1 || img.Height > 1 {
		below := &scene.Image{Name: img.Name, Width: half(img.Width), Height: half(img.Height), SRGB: img.SRGB, Deep: img.Deep}
		size := img.TexelBytes() * below.Width * below.Height
		below.Pixels, rest = rest[:size:size], rest[size:]
		if img.Deep {
			shrinkDeep(img, below, cutout)
		} else {
			shrink(img, below, cutout)
		}
		levels, img = append(levels, below), below
	}
	return levels, pixels
}
