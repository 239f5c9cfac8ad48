package grid

import (
	"image"
	"math"

	"glint/tracer/imageio"
)

// lumaErrors is what is shown of each pixel less what its reference shows, of 255.
func lumaErrors(shown, reference *image.NRGBA) []float64 {
	out := make([]float64, len(shown.Pix)/4)
	for i := range out {
		out[i] = shownLuma(shown, i) - shownLuma(reference, i)
	}
	return out
}

// meanChange is the mean of |a − b|.
func meanChange(a, b []float64) float64 {
	sum := 0.0
	for i := range a {
		sum += math.Abs(a[i] - b[i])
	}
	return sum / float64(len(a))
}

// shownLuma is that of an encoded pixel, 0 to 255.
func shownLuma(img *image.NRGBA, pixel int) float64 {
	p := img.Pix[4*pixel:]
	return imageio.Luminance(float64(p[0]), float64(p[1]), float64(p[2]))
}

// meanDifference is by how much the luma of two displayed pictures differs on average, of 255.
func meanDifference(a, b *image.NRGBA) float64 {
	sum := 0.0
	for i := range len(a.Pix) / 4 {
		sum += math.Abs(shownLuma(a, i) - shownLuma(b, i))
	}
	return sum / float64(len(a.Pix)/4)
}
