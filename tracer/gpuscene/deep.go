package gpuscene

import (
	"encoding/binary"
	"slices"

	"glint/tracer/scene"
)

// hasDeep tells whether some image has 16 bits a channel.
func (p *Prepared) hasDeep() bool {
	return slices.ContainsFunc(p.drawn.Images, func(img scene.Image) bool { return img.Deep })
}

// shrinkDeep is shrink of an image of 16 bits a channel.
func shrinkDeep(img, below *scene.Image, cutout bool) {
	columns, rows := spans(img.Width, below.Width), spans(img.Height, below.Height)
	parallel(below.Height, func(y int) {
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
				if cutout && alpha > 0 {
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

// srgbDecode16 is linear between the curve at two values of 8 bits, as in core/tables.cuh.
func srgbDecode16(v float32) float32 {
	linear := &srgbCurve().linear
	at := v * 255
	i := min(int(at), 254)
	return linear[i] + (linear[i+1]-linear[i])*(at-float32(i))
}

// srgbEncode16 is the inverse of srgbDecode16.
func srgbEncode16(light float32) float32 {
	linear := srgbCurve().linear[:]
	i, _ := slices.BinarySearch(linear, light)
	i = min(max(i-1, 0), 254)
	return (float32(i) + (light-linear[i])/(linear[i+1]-linear[i])) / 255
}
