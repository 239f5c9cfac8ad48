package metric

import (
	"image"
	"image/color"
)

// magma holds nine colours at even steps of the magma map (van der Walt and Smith, 2015, CC0), from black to pale yellow:
// lightness grows evenly, so that it reads in grey too.
var magma = [...][3]float32{
	{0, 0, 4}, {28, 16, 68}, {79, 18, 123}, {129, 37, 129}, {181, 54, 122},
	{229, 80, 100}, {251, 135, 97}, {254, 194, 135}, {252, 253, 191},
}

// Heatmap shows a map from black (0) to pale yellow (full and above).
func Heatmap(m *Map, full float32) *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, m.Width, m.Height))
	for i, v := range m.Pix {
		img.SetNRGBA(i%m.Width, i/m.Width, magmaColor(v/full))
	}
	return img
}

func magmaColor(t float32) color.NRGBA {
	const steps = len(magma) - 1
	// A NaN must stand out, not look like no error.
	if !(t < 1) {
		t = 1
	}
	at := max(t, 0) * float32(steps)
	i := min(int(at), steps-1)
	var rgb [3]uint8
	for c := range rgb {
		rgb[c] = uint8(magma[i][c] + (at-float32(i))*(magma[i+1][c]-magma[i][c]) + 0.5)
	}
	return color.NRGBA{R: rgb[0], G: rgb[1], B: rgb[2], A: 255}
}
