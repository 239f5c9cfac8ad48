package diagnose

import (
	"strings"
	"testing"

	"glint/tracer/imageio"
)

// TestAgreement: what is said of two pictures that are equal, rounded otherwise, or differ in some pixels.
func TestAgreement(t *testing.T) {
	const width, height = 200, 100
	grey := func() *imageio.Image {
		img := &imageio.Image{Width: width, Height: height, Pix: make([]float32, 3*width*height)}
		for i := range img.Pix {
			img.Pix[i] = float32(i%7) / 3 // some channels are black
		}
		return img
	}
	for _, c := range []struct {
		name   string
		change func(pix []float32)
		want   string
	}{
		{"equal", func([]float32) {}, "A and B are equal bit for bit."},
		{"rounded", func(pix []float32) { pix[1] *= 1.000001 }, "A and B are equal to 1 part in 1000 in all pixels, more than 99.99 % of them bit for bit."},
		{"one pixel", func(pix []float32) { pix[3*(2*width+5)+1] *= 1.25 },
			"A and B are equal to 1 part in 1000 in more than 99.99 % of the pixels. One pixel differs by more: by 20 %, at 5, 2."},
		{"light where there is none", func(pix []float32) { pix[0] = 1e-9 }, "One pixel differs by more: by 100 %, at 0, 0."},
		{"a quarter", func(pix []float32) {
			for i := range len(pix) / 4 {
				pix[i] = pix[i]*1.002 + 0.001
			}
		}, "A and B are equal to 1 part in 1000 in 75.00 % of the pixels. 5000 pixels differ by more"},
		{"all", func(pix []float32) {
			for i := range pix {
				pix[i]++
			}
		}, "in 0.00 % of the pixels. 20000 pixels"},
	} {
		a, b := grey(), grey()
		c.change(b.Pix)
		for _, pair := range [][2]*imageio.Image{{a, b}, {b, a}} {
			g, err := Agree(pair[0], pair[1])
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(g.String(), c.want) {
				t.Errorf("%s: %q, want %q", c.name, g, c.want)
			}
		}
	}
	if _, err := Agree(grey(), &imageio.Image{Width: 1, Height: 1, Pix: make([]float32, 3)}); err == nil {
		t.Error("pictures of two sizes are compared")
	}
}
