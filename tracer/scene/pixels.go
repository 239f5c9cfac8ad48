package scene

import "encoding/binary"

// TexelBytes is how many bytes a texel has.
func (img *Image) TexelBytes() int {
	if img.Deep {
		return 8
	}
	return 4
}

// Value is channel i of all channels of the image, texel by texel, 0…1 as it is stored.
func (img *Image) Value(i int) float32 {
	if img.Deep {
		return float32(binary.LittleEndian.Uint16(img.Pixels[2*i:])) / 65535
	}
	return float32(img.Pixels[i]) / 255
}
