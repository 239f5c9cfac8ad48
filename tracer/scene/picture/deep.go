package picture

import (
	"image/color"

	"glint/tracer/guard"
)

// texelBytes is what a texel takes, at the most, of an image with such colours.
func texelBytes(model color.Model) int64 {
	switch model {
	case color.NRGBA64Model, color.RGBA64Model, color.Gray16Model:
		return 8
	}
	return 4
}

// pixels64 turns channels of 16 bits, the higher byte first, into pixels as an Image has them: in place, or as 8 bits where those say
// as much.
func pixels64(pix []byte) (pixels []byte, deep bool) {
	for i := 0; i < len(pix) && !deep; i += 2 {
		deep = pix[i] != pix[i+1]
	}
	if !deep {
		narrow := guard.MakeLarge[byte](len(pix) / 2)
		for i := range narrow {
			narrow[i] = pix[2*i]
		}
		return narrow, false
	}
	for i := 0; i < len(pix); i += 2 {
		pix[i], pix[i+1] = pix[i+1], pix[i]
	}
	return pix, true
}

// spreadGray makes grey of 16 bits colours.
func spreadGray(gray []byte) []byte {
	pix := guard.MakeLarge[byte](4 * len(gray))
	for i := 0; i < len(gray); i += 2 {
		for c := range 3 {
			copy(pix[4*i+2*c:], gray[i:i+2])
		}
		pix[4*i+6], pix[4*i+7] = 255, 255
	}
	return pix
}
