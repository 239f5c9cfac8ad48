package gpuscene

import (
	"encoding/binary"

	"glint/tracer/guard"
	"glint/tracer/scene"
)

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
	guard.All(below.Height, func(y int) {
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

// shrinkDeep is shrink of an image of 16 bits a channel.
func shrinkDeep(img, below *scene.Image, byCoverage bool) {
	columns, rows := spans(img.Width, below.Width), spans(img.Height, below.Height)
	guard.All(below.Height, func(y int) {
		for x, column := range columns {
			var sum, covered [3]float32
			var alpha float32
			for i, down := range rows[y].shares {
				for j, across := range column.shares {
					at := 4 * ((rows[y].first+i)*img.Width + column.first + j)
					share, a := down*across, img.Value(at+3)
					alpha += share * a
					for c := range sum {
						light := img.Value(at + c)
						if img.SRGB {
							light = srgbDecode16(light)
						}
						sum[c] += share * light
						covered[c] += share * light * a
					}
				}
			}
			texel := below.Pixels[8*(y*below.Width+x):][:8]
			for c, value := range sum {
				if byCoverage && alpha > 0 {
					value = covered[c] / alpha
				}
				if img.SRGB {
					value = srgbEncode16(value)
				}
				binary.LittleEndian.PutUint16(texel[2*c:], nearest16(value))
			}
			binary.LittleEndian.PutUint16(texel[6:], nearest16(alpha))
		}
	})
}

func nearest16(v float32) uint16 { return uint16(min(v, 1)*65535 + 0.5) }
