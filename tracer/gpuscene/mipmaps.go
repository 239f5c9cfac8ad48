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

// span is what a pixel of a level covers of the one above, in one direction: up to three pixels, each by a share.
type span struct {
	first  int
	shares []float32
}

// spans divides n pixels evenly. Of an odd number a pixel covers a little more than two, so that none counts more than others.
func spans(n, into int) []span {
	list := make([]span, into)
	for i := range list {
		begin, end := i*n, (i+1)*n // in parts of a pixel, into a pixel
		s := span{first: begin / into}
		for at := s.first; at*into < end; at++ {
			s.shares = append(s.shares, float32(min(end, (at+1)*into)-max(begin, at*into))/float32(n))
		}
		list[i] = s
	}
	return list
}

// shrink averages what each pixel of a level covers of the one above: light linearly, and other data as it is.
func shrink(img, below *scene.Image, cutout bool) {
	linear, encode := values(img.SRGB)
	columns, rows := spans(img.Width, below.Width), spans(img.Height, below.Height)
	parallel(below.Height, func(y int) {
		for x, column := range columns {
			var sum, covered [3]float32
			var alpha float32
			for i, down := range rows[y].shares {
				for j, across := range column.shares {
					pixel := img.Pixels[4*((rows[y].first+i)*img.Width+column.first+j):][:4]
					share, a := down*across, float32(pixel[3])/255
					alpha += share * a
					for c := range sum {
						light := share * linear[pixel[c]]
						sum[c] += light
						covered[c] += light * a
					}
				}
			}
			pixel := below.Pixels[4*(y*below.Width+x):][:4]
			for c, value := range sum {
				if cutout && alpha > 0 {
					value = covered[c] / alpha
				}
				pixel[c] = encode(value)
			}
			pixel[3] = nearestByte(alpha)
		}
	})
}

// values are what the bytes of an image stand for, and the way back.
func values(srgb bool) (of *[256]float32, encode func(float32) byte) {
	if srgb {
		curve := srgbCurve()
		return &curve.linear, func(v float32) byte { return curve.encoded[int(min(v, 1)*(encodedSteps-1)+0.5)] }
	}
	of = new([256]float32)
	for i := range of {
		of[i] = float32(i) / 255
	}
	return of, nearestByte
}

func nearestByte(v float32) byte { return byte(min(v, 1)*255 + 0.5) }
