package display

import (
	"image"

	"glint/cuda"
	"glint/tracer/imageio"
)

// Light is the linear light of a display that shows a picture, 0 to 1.
func Light(img *image.NRGBA) *imageio.Image {
	var light [256]float32
	for i := range light {
		light[i] = float32(cuda.SRGBDecode(float64(i) / 255))
	}
	out := &imageio.Image{Width: img.Rect.Dx(), Height: img.Rect.Dy(), Pix: make([]float32, 0, len(img.Pix)/4*3)}
	for i := 0; i < len(img.Pix); i += 4 {
		out.Pix = append(out.Pix, light[img.Pix[i]], light[img.Pix[i+1]], light[img.Pix[i+2]])
	}
	return out
}
