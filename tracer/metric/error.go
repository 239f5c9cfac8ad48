// Package metric measures how far pictures are apart: relative squared errors against a reference, FLIP as a viewer
// sees it, and the statistical tests that decide whether two estimates of the same picture agree.
//
//	rel, err := metric.RelMSE(test, reference)
//	visible, err := metric.HDRFLIP(test, reference, metric.DefaultPixelsPerDegree)
//
//	var agreement metric.Agreement
//	err = agreement.A.Add(imageOfRun) // and so on for ≥ 64 runs; the same for B
//	result, err := agreement.Result()
//	err = result.Check()
package metric

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"glint/tracer/imageio"
)

const (
	relEpsilon  = 0.01 // keeps dark pixels of the reference from dominating relative errors
	blockSize   = 8    // pixels on a side of Block8's blocks
	energyClamp = 20   // radiance above which Energy clips, so that one firefly cannot hide a loss
)

// RelMSE is the relative mean squared error: the mean over pixels and channels of (I−R)²/(R²+0.01).
func RelMSE(test, ref *imageio.Image) (float64, error) {
	return TrimmedRelMSE(test, ref, 0)
}

// TrimmedRelMSE is RelMSE without the worst fraction (0 ≤ worst < 1) of the pixels, which fireflies would rule.
func TrimmedRelMSE(test, ref *imageio.Image, worst float64) (float64, error) {
	if !(worst >= 0 && worst < 1) {
		return 0, fmt.Errorf("fraction of pixels to leave out is %v, want one in [0, 1)", worst)
	}
	if err := checkPair(test, ref); err != nil {
		return 0, err
	}
	errs := relativeErrors(test.Pix, ref.Pix)
	if worst > 0 {
		slices.Sort(errs)
	}
	kept := errs[:len(errs)-int(worst*float64(len(errs)))]
	return mean(kept), nil
}

// Block8 is RelMSE between the means over 8×8 pixel blocks: noise is averaged away, bias stays. Blocks at the right and
// lower edge may be smaller.
func Block8(test, ref *imageio.Image) (float64, error) {
	if err := checkPair(test, ref); err != nil {
		return 0, err
	}
	return mean(relativeErrors(blockMeans(test), blockMeans(ref))), nil
}

// Energy is the sum of the test picture's values over the sum of the reference's, both clipped at 20.
func Energy(test, ref *imageio.Image) (float64, error) {
	if err := checkPair(test, ref); err != nil {
		return 0, err
	}
	reference := clippedSum(ref.Pix)
	if !(reference > 0) {
		return 0, errors.New("the reference is black: the ratio of energies has no meaning")
	}
	return clippedSum(test.Pix) / reference, nil
}

// relativeErrors is (I−R)²/(R²+0.01) averaged over the channels of each pixel.
func relativeErrors[T float32 | float64](test, ref []T) []float64 {
	errs := make([]float64, len(ref)/3)
	for i := range errs {
		for c := range 3 {
			t, r := float64(test[3*i+c]), float64(ref[3*i+c])
			errs[i] += (t - r) * (t - r) / (r*r + relEpsilon) / 3
		}
	}
	return errs
}

// blockMeans is the mean of each channel over each block.
func blockMeans(m *imageio.Image) []float64 {
	across, down := (m.Width+blockSize-1)/blockSize, (m.Height+blockSize-1)/blockSize
	sums := make([]float64, 3*across*down)
	counts := make([]float64, across*down)
	for y := range m.Height {
		for x := range m.Width {
			block := y/blockSize*across + x/blockSize
			counts[block]++
			for c, v := range m.Pix[3*(y*m.Width+x):][:3] {
				sums[3*block+c] += float64(v)
			}
		}
	}
	for i := range sums {
		sums[i] /= counts[i/3]
	}
	return sums
}

func clippedSum(values []float32) float64 {
	sum := 0.0
	for _, v := range values {
		sum += min(float64(v), energyClamp)
	}
	return sum
}

func mean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}

// checkPair refuses pictures of different sizes and values that are not finite: a NaN would pass every comparison.
func checkPair(test, ref *imageio.Image) error {
	if err := checkImage(test); err != nil {
		return fmt.Errorf("test picture: %w", err)
	}
	if err := checkImage(ref); err != nil {
		return fmt.Errorf("reference picture: %w", err)
	}
	if test.Width != ref.Width || test.Height != ref.Height {
		return fmt.Errorf("test picture is %d×%d but the reference is %d×%d", test.Width, test.Height, ref.Width, ref.Height)
	}
	return nil
}

// checkImage refuses malformed pictures and values that are not finite.
func checkImage(m *imageio.Image) error {
	if err := m.Validate(); err != nil {
		return err
	}
	for i, v := range m.Pix {
		if math.IsNaN(float64(v)) || math.IsInf(float64(v), 0) {
			return fmt.Errorf("value %v at pixel (%d, %d)", v, i/3%m.Width, i/3/m.Width)
		}
	}
	return nil
}
