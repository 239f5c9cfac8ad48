package tracertest

import (
	"math"
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

func TestBlock8(t *testing.T) {
	ref := flat(20, 17, 2)
	// A checkerboard has the same means over even blocks; the edge blocks 4 wide and 1 high stay even too.
	noisy := picture(20, 17, func(x, y, _ int) float32 { return 2 + float32((x+y)%2*2-1) })
	got := Block8(t, noisy, ref)
	wantNear(t, "checkerboard", got, 0, 1e-12)
	got = Block8(t, flat(20, 17, 2.2), ref)
	wantNear(t, "bias of 0.2 at 2", got, 0.04/4.01, 1e-6)
	// One block of 3×3 is off by 1.
	corner := picture(20, 17, func(x, y, _ int) float32 {
		if x >= 16 && y >= 16 {
			return 3
		}
		return 2
	})
	got = Block8(t, corner, ref)
	wantNear(t, "corner block", got, 1/4.01/9, 1e-9)
}

func TestEnergy(t *testing.T) {
	ref := flat(4, 4, 2)
	firefly := picture(4, 4, func(x, y, _ int) float32 {
		if x == 0 && y == 0 {
			return 1e6
		}
		return 1
	})
	wantNear(t, "energy with a firefly", Energy(firefly, ref), (15+20)/32., 1e-9)
}
