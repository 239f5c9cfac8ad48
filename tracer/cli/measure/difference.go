package measure

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"slices"

	"glint/tracer/chart"
	"glint/tracer/cli/job"
	"glint/tracer/imageio"
)

// signedMap shows which of two pictures is brighter where.
type signedMap struct {
	Picture *image.NRGBA
	full    float64 // difference, relative to the reference, that has the full colour
	window  int     // that it was smoothed over, pixels
}

// Difference maps A − B in luminance, smoothed so that bias shows through noise, relative to the reference: √(R²+0.01),
// as relMSE does. The colours of 99 % of the pixels are below full.
func Difference(a, b, reference *imageio.Image) signedMap {
	window := (a.Width + 75) / 150
	la, lb, lr := smoothed(a, window), smoothed(b, window), smoothed(reference, window)
	values, sizes := make([]float64, len(la)), make([]float64, len(la))
	for i := range values {
		values[i] = (la[i] - lb[i]) / math.Sqrt(lr[i]*lr[i]+0.01)
		sizes[i] = math.Abs(values[i])
	}
	slices.Sort(sizes)
	m := signedMap{Picture: image.NewNRGBA(image.Rect(0, 0, a.Width, a.Height)), full: sizes[len(sizes)*99/100], window: 2*window + 1}
	for i, v := range values {
		m.Picture.SetNRGBA(i%a.Width, i/a.Width, signedColor(v/max(m.full, 1e-12)))
	}
	return m
}

func (m signedMap) Caption() string {
	return fmt.Sprintf("A − B: orange where A is brighter, blue where B is\nsmoothed over %d pixels, full colour at %v %% of the reference",
		m.window, job.Short(math.Round(1000*m.full)/10))
}

// signedColor goes from blue at −1 over dark grey to orange at 1.
func signedColor(t float64) color.NRGBA {
	to := [3]float64{255, 150, 40}
	if t < 0 {
		to = [3]float64{60, 160, 255}
	}
	share := min(math.Abs(t), 1)
	mix := func(c int) uint8 { return uint8(24 + share*(to[c]-24) + 0.5) }
	return color.NRGBA{R: mix(0), G: mix(1), B: mix(2), A: 255}
}

// smoothed is the luminance of each pixel after two means over squares, which come near to a Gaussian.
func smoothed(m *imageio.Image, radius int) []float64 {
	values := make([]float64, m.Width*m.Height)
	for i := range values {
		values[i] = luminance(m, i)
	}
	return localMeans(localMeans(values, m.Width, m.Height, radius), m.Width, m.Height, radius)
}

// localMeans are the means over the square of the given radius around each pixel, clipped to the image.
func localMeans(values []float64, w, h, radius int) []float64 {
	sums := make([]float64, (w+1)*(h+1)) // of everything above and to the left
	for y := range h {
		for x := range w {
			sums[(y+1)*(w+1)+x+1] = values[y*w+x] + sums[y*(w+1)+x+1] + sums[(y+1)*(w+1)+x] - sums[y*(w+1)+x]
		}
	}
	out := make([]float64, w*h)
	for y := range h {
		top, bottom := max(y-radius, 0), min(y+radius+1, h)
		for x := range w {
			left, right := max(x-radius, 0), min(x+radius+1, w)
			sum := sums[bottom*(w+1)+right] - sums[top*(w+1)+right] - sums[bottom*(w+1)+left] + sums[top*(w+1)+left]
			out[y*w+x] = sum / float64((bottom-top)*(right-left))
		}
	}
	return out
}

// luminance of pixel i.
func luminance(m *imageio.Image, i int) float64 {
	p := m.Pix[3*i:][:3]
	return imageio.Luminance(float64(p[0]), float64(p[1]), float64(p[2]))
}

// DrawSheet writes a sheet of pictures.
func DrawSheet(path string, s chart.Sheet) error {
	img, err := s.Draw()
	if err != nil {
		return err
	}
	return imageio.WritePNG(path, img, map[string]string{"title": s.Title})
}
