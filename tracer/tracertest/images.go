package tracertest

import (
	"image"
	"image/draw"
	"image/png"
	"math"
	"os"
	"testing"

	"glint/tracer/imageio"
	"glint/tracer/metric"
)

// shrink averages blocks of n×n pixels.
func shrink(img *imageio.Image, n int) *imageio.Image {
	if n == 1 {
		return img
	}
	out := &imageio.Image{Width: img.Width / n, Height: img.Height / n}
	out.Pix = make([]float32, 3*out.Width*out.Height)
	for y := range out.Height * n {
		for x := range out.Width * n {
			from, to := 3*(y*img.Width+x), 3*(y/n*out.Width+x/n)
			for c := range 3 {
				out.Pix[to+c] += img.Pix[from+c] / float32(n*n)
			}
		}
	}
	return out
}

// MeanOf is the mean colour of a rectangle of pixels.
func MeanOf(img *imageio.Image, x0, y0, width, height int) [3]float64 {
	var sum [3]float64
	for y := y0; y < y0+height; y++ {
		for x := x0; x < x0+width; x++ {
			for c := range 3 {
				sum[c] += float64(img.Pix[3*(y*img.Width+x)+c]) / float64(width*height)
			}
		}
	}
	return sum
}

// Mean is the mean colour of an image.
func Mean(img *imageio.Image) [3]float64 { return MeanOf(img, 0, 0, img.Width, img.Height) }

// RelMSE is the mean squared error relative to a reference, without the worst pixel in a thousand.
func RelMSE(t testing.TB, test, reference *imageio.Image) float64 {
	t.Helper()
	e, err := metric.TrimmedRelMSE(test, reference, 0.001)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// Block8 is RelMSE between the means over 8×8 pixel blocks: noise is averaged away, bias stays. Blocks at the right and
// lower edge may be smaller.
func Block8(t testing.TB, test, reference *imageio.Image) float64 {
	t.Helper()
	e, err := metric.RelMSE(blockMeans(test, 8), blockMeans(reference, 8))
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// blockMeans is the mean of each channel over blocks of size×size pixels.
func blockMeans(m *imageio.Image, size int) *imageio.Image {
	out := &imageio.Image{Width: (m.Width + size - 1) / size, Height: (m.Height + size - 1) / size}
	for y := range out.Height {
		for x := range out.Width {
			mean := MeanOf(m, x*size, y*size, min(size, m.Width-x*size), min(size, m.Height-y*size))
			out.Pix = append(out.Pix, float32(mean[0]), float32(mean[1]), float32(mean[2]))
		}
	}
	return out
}

// Energy is the sum of the test picture's values over the sum of the reference's, both clipped at 20, so that one firefly cannot hide a
// loss.
func Energy(test, reference *imageio.Image) float64 {
	var sums [2]float64
	for i, img := range []*imageio.Image{test, reference} {
		for _, v := range img.Pix {
			sums[i] += min(float64(v), 20)
		}
	}
	return sums[0] / sums[1]
}

// ShareBeyond is the share of pixels one of whose channels differs by more than the relative bound.
func ShareBeyond(a, b *imageio.Image, bound float64) float64 {
	far := 0
	for i := 0; i < len(a.Pix); i += 3 {
		for c := range 3 {
			x, y := float64(a.Pix[i+c]), float64(b.Pix[i+c])
			if math.Abs(x-y) > bound*max(math.Abs(x), math.Abs(y)) {
				far++
				break
			}
		}
	}
	return float64(far) / float64(len(a.Pix)/3)
}

// ReadPNG reads a picture.
func ReadPNG(t testing.TB, path string) *image.NRGBA {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }() // only read from
	img, err := png.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	out := image.NewNRGBA(img.Bounds())
	draw.Draw(out, out.Rect, img, out.Rect.Min, draw.Src)
	return out
}
