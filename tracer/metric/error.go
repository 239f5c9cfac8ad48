// Package metric measures how much pictures differ: relative squared errors against a reference, and FLIP as a viewer sees it.
//
//	rel, err := metric.RelMSE(test, reference)
//	visible, err := metric.HDRFLIP(test, reference, metric.DefaultPixelsPerDegree)
package metric

import (
	"fmt"
	"math"
	"slices"

	"glint/tracer/imageio"
)

// relEpsilon keeps dark pixels of the reference from dominating relative errors.
const relEpsilon = 0.01

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

// TileErrors is RelMSE of each part of a picture that is cut into so many along both axes, row by row.
func TileErrors(test, ref *imageio.Image, parts int) ([]float64, error) {
	if err := checkPair(test, ref); err != nil {
		return nil, err
	}
	parts = min(parts, ref.Width, ref.Height)
	tiles, counts := make([]float64, parts*parts), make([]float64, parts*parts)
	for i, e := range relativeErrors(test.Pix, ref.Pix) {
		tile := i/ref.Width*parts/ref.Height*parts + i%ref.Width*parts/ref.Width
		tiles[tile] += e
		counts[tile]++
	}
	for i := range tiles {
		tiles[i] /= counts[i]
	}
	return tiles, nil
}

// relativeErrors is (I−R)²/(R²+0.01) averaged over the channels of each pixel.
func relativeErrors(test, ref []float32) []float64 {
	errs := make([]float64, len(ref)/3)
	for i := range errs {
		for c := range 3 {
			t, r := float64(test[3*i+c]), float64(ref[3*i+c])
			errs[i] += (t - r) * (t - r) / (r*r + relEpsilon) / 3
		}
	}
	return errs
}

func mean[T float32 | float64](values []T) float64 {
	sum := 0.0
	for _, v := range values {
		sum += float64(v)
	}
	return sum / float64(len(values))
}

// checkPair refuses pictures of different sizes and values that are not finite: a NaN would pass every comparison.
func checkPair(test, ref *imageio.Image) error {
	if err := CheckImage(test); err != nil {
		return fmt.Errorf("test picture: %w", err)
	}
	if err := CheckImage(ref); err != nil {
		return fmt.Errorf("reference picture: %w", err)
	}
	if test.Width != ref.Width || test.Height != ref.Height {
		return fmt.Errorf("test picture is %d×%d but the reference is %d×%d", test.Width, test.Height, ref.Width, ref.Height)
	}
	return nil
}

// CheckImage refuses malformed pictures and values that are not finite.
func CheckImage(m *imageio.Image) error {
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
