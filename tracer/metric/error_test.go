package metric

import (
	"math"
	"strings"
	"testing"

	"glint/tracer/imageio"
)

// picture makes an image from a function of pixel and channel.
func picture(width, height int, f func(x, y, c int) float32) *imageio.Image {
	img := &imageio.Image{Width: width, Height: height, Pix: make([]float32, 3*width*height)}
	for i := range img.Pix {
		img.Pix[i] = f(i/3%width, i/3/width, i%3)
	}
	return img
}

func flat(width, height int, v float32) *imageio.Image {
	return picture(width, height, func(_, _, _ int) float32 { return v })
}

func wantNear(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s is %v, want %v ± %v", what, got, want, tolerance)
	}
}

func TestRelMSE(t *testing.T) {
	tests := []struct {
		name      string
		test, ref *imageio.Image
		want      float64
	}{
		{"identical", flat(3, 2, 0.7), flat(3, 2, 0.7), 0},
		{"black reference", flat(3, 2, 0.1), flat(3, 2, 0), 1},
		{"one channel off by 0.3 at 0.5", picture(2, 2, func(_, _, c int) float32 {
			if c == 1 {
				return 0.8
			}
			return 0.5
		}), flat(2, 2, 0.5), 0.09 / 0.26 / 3},
	}
	for _, test := range tests {
		got, err := RelMSE(test.test, test.ref)
		if err != nil {
			t.Fatal(err)
		}
		wantNear(t, test.name, got, test.want, 1e-6)
	}
}

func TestTrimmedRelMSE(t *testing.T) {
	// One of 100 pixels is a firefly; all others are off by 0.1.
	test := picture(10, 10, func(x, y, _ int) float32 {
		if x == 3 && y == 4 {
			return 1e4
		}
		return 1.1
	})
	ref := flat(10, 10, 1)
	whole, err := RelMSE(test, ref)
	if err != nil {
		t.Fatal(err)
	}
	trimmed, err := TrimmedRelMSE(test, ref, 0.01)
	if err != nil {
		t.Fatal(err)
	}
	if whole < 1e5 {
		t.Errorf("a firefly gives only %v", whole)
	}
	wantNear(t, "trimmed", trimmed, 0.01/1.01, 1e-6)
	if _, err := TrimmedRelMSE(test, ref, 1); err == nil {
		t.Error("leaving every pixel out was accepted")
	}
}

func TestMetricsRefuse(t *testing.T) {
	good := flat(4, 4, 1)
	nan := flat(4, 4, 1)
	nan.Pix[7] = float32(math.NaN())
	infinite := flat(4, 4, 1)
	infinite.Pix[40] = float32(math.Inf(-1))
	metrics := map[string]func(test, ref *imageio.Image) error{
		"RelMSE":  func(a, b *imageio.Image) error { _, err := RelMSE(a, b); return err },
		"FLIP":    func(a, b *imageio.Image) error { _, err := FLIP(a, b, DefaultPixelsPerDegree); return err },
		"HDRFLIP": func(a, b *imageio.Image) error { _, err := HDRFLIP(a, b, DefaultPixelsPerDegree); return err },
	}
	tests := []struct {
		test, ref *imageio.Image
		want      string
	}{
		{flat(4, 3, 1), good, "test picture is 4×3 but the reference is 4×4"},
		{nan, good, "test picture: value NaN at pixel (2, 0)"},
		{good, infinite, "reference picture: value -Inf at pixel (1, 3)"},
		{nil, good, "no image"},
	}
	for name, measure := range metrics {
		for _, test := range tests {
			if err := measure(test.test, test.ref); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%s: error %v, want one that says %q", name, err, test.want)
			}
		}
	}
}
