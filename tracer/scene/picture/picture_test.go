package picture

import (
	"bytes"
	"image"
	"image/color"
	"image/jpeg"
	"testing"
)

func hasColor(got []byte, want color.NRGBA, tolerance int) bool {
	for c, v := range []uint8{want.R, want.G, want.B} {
		if d := int(got[c]) - int(v); d < -tolerance || d > tolerance {
			return false
		}
	}
	return true
}

// TestVideoRange: the ends of the range, chroma of half the size, and alpha, which leaves colours as they are.
func TestVideoRange(t *testing.T) {
	m := image.NewYCbCr(image.Rect(0, 0, 3, 3), image.YCbCrSubsampleRatio420)
	copy(m.Y, []byte{16, 235, 126, 0, 255, 126, 82, 82, 82})
	for i := range m.Cb {
		m.Cb[i], m.Cr[i] = 128, 128
	}
	m.Cb[2], m.Cr[2] = 90, 240 // of the lower left
	alpha := []byte{0, 1, 2, 3, 4, 5, 6, 7, 8}
	out := fromVideoRange(m, alpha, 3)
	for i, gray := range []byte{0, 255, 128, 0, 255, 128} {
		if got := [4]byte(out.Pix[4*i:]); got != [4]byte{gray, gray, gray, alpha[i]} {
			t.Errorf("pixel %d: %v, want %d", i, got, gray)
		}
	}
	if got := out.Pix[4*6:]; !hasColor(got, color.NRGBA{255, 0, 0, 0}, 1) || got[3] != 6 {
		t.Errorf("the lower left is %v", got[:4])
	}
}

// TestInterlacedPNGBytes: the size of what a PNG image unpacks to.
func TestInterlacedPNGBytes(t *testing.T) {
	header := func(width, height, depth, colors, interlaced byte) []byte {
		return []byte{0, 0, 0, width, 0, 0, 0, height, depth, colors, 0, 0, interlaced}
	}
	for _, c := range []struct {
		header []byte
		want   int64
	}{
		{header(5, 3, 8, 6, 0), 3 * (1 + 20)},
		{header(9, 2, 1, 0, 0), 2 * (1 + 2)},
		{header(1, 1, 16, 2, 1), 7},
		{header(8, 8, 8, 0, 1), 2 + 2 + 3 + 2*3 + 2*5 + 4*5 + 4*9},
	} {
		if got := pngPixelBytes(c.header); got != c.want {
			t.Errorf("%v: %d bytes, want %d", c.header, got, c.want)
		}
	}
}

// TestScans: each scan of a JPEG image counts.
func TestScans(t *testing.T) {
	var file bytes.Buffer
	if err := jpeg.Encode(&file, image.NewGray(image.Rect(0, 0, 16, 16)), nil); err != nil {
		t.Fatal(err)
	}
	if n := jpegScans(file.Bytes()); n != 1 {
		t.Errorf("%d scans", n)
	}
}
