package grid

import (
	"image"
	"math"

	"glint/tracer/imageio"
)

// lumas are those of a displayed picture's pixels, 0 to 255.
func lumas(img *image.NRGBA) []float64 {
	out := make([]float64, len(img.Pix)/4)
	for i := range out {
		p := img.Pix[4*i:]
		out[i] = imageio.Luminance(float64(p[0]), float64(p[1]), float64(p[2]))
	}
	return out
}

// lumaErrors is what is shown of each pixel less what its reference shows.
func lumaErrors(shown, reference *image.NRGBA) []float64 {
	out := lumas(shown)
	for i, truth := range lumas(reference) {
		out[i] -= truth
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
