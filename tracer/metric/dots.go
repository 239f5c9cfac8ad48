package metric

import (
	"slices"

	"glint/tracer/imageio"
)

const (
	dotRatio = 8    // how many times as bright as what is around makes a pixel a dot
	dotReach = 2    // what is around: so many pixels to each side
	dotFloor = 1e-3 // of the reference's mean luminance: what is around counts as no darker
)

// LoneDots counts the pixels that are more than 8 times as bright as the median of the 5×5 pixels around them, where the
// reference's pixel is not: bright samples that a denoiser has left, which the eye finds at once and a mean error hardly
// sees.
func LoneDots(test, ref *imageio.Image) (int, error) {
	if err := checkPair(test, ref); err != nil {
		return 0, err
	}
	shown, truth := luminances(test), luminances(ref)
	floor := dotFloor * mean(truth)
	if floor == 0 {
		return 0, nil // a black reference says nothing about what is bright
	}
	n := 0
	for i := range shown {
		if shown[i] > dotRatio*floor && isDot(shown, test.Width, i, floor) && !isDot(truth, test.Width, i, floor) {
			n++
		}
	}
	return n, nil
}

// isDot tells whether pixel i of an image stands out.
func isDot(light []float64, width, i int, floor float64) bool {
	x, y, height := i%width, i/width, len(light)/width
	var around [(2*dotReach + 1) * (2*dotReach + 1)]float64
	n := 0
	for v := max(y-dotReach, 0); v <= min(y+dotReach, height-1); v++ {
		for u := max(x-dotReach, 0); u <= min(x+dotReach, width-1); u++ {
			around[n] = light[v*width+u]
			n++
		}
	}
	slices.Sort(around[:n])
	return light[i] > dotRatio*max(around[n/2], floor)
}

func luminances(img *imageio.Image) []float64 {
	out := make([]float64, len(img.Pix)/3)
	for i := range out {
		out[i] = imageio.Luminance(float64(img.Pix[3*i]), float64(img.Pix[3*i+1]), float64(img.Pix[3*i+2]))
	}
	return out
}
