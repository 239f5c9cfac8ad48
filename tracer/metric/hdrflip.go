package metric

import (
	"errors"
	"math"
	"slices"

	"glint/tracer/imageio"
)

// HDR-FLIP's tone curve: Narkowicz's fit of ACES, (a₀x²+a₁x)/(b₀x²+b₁x+b₂), with its pre-exposure of 0.6 folded in.
const (
	acesA0, acesA1         = 0.6 * 0.6 * 2.51, 0.6 * 0.03
	acesB0, acesB1, acesB2 = 0.6 * 0.6 * 2.43, 0.6 * 0.59, 0.14
	flipBright             = 0.85 // display level that the brightest and the median pixel are exposed to
)

// ExposureRange is the exposures, in stops, at which HDR-FLIP compares.
type ExposureRange struct {
	Start, Stop float64
	Count       int // at least 2, evenly spaced with both ends
}

// Exposures finds the range of exposures that shows everything in a reference, from its brightest pixel just below
// white to its median pixel there (Andersson, Nilsson, Shirley, Akenine-Möller, "Visualizing Errors in Rendered High
// Dynamic Range Images", Eurographics 2021, §4).
func Exposures(ref *imageio.Image) (ExposureRange, error) {
	if err := CheckImage(ref); err != nil {
		return ExposureRange{}, err
	}
	light := luminances(ref)
	slices.Sort(light)
	greatest, median := light[len(light)-1], light[len(light)/2]
	if !(greatest > 0) {
		return ExposureRange{}, errors.New("the reference is black: no exposure shows it")
	}
	// A picture that is black for the most part has no median to expose for: its brightest pixel stands in.
	if !(median > 0) {
		median = greatest
	}
	level := inverseACES(flipBright)
	r := ExposureRange{Start: math.Log2(level / greatest), Stop: math.Log2(level / median)}
	r.Count = max(2, int(math.Ceil(r.Stop-r.Start)))
	return r, nil
}

// HDRFLIP is, at each pixel, the largest FLIP over the exposures that show the reference, so that no error hides in
// shadows or highlights. Negative values count as black.
func HDRFLIP(test, ref *imageio.Image, pixelsPerDegree float64) (*Map, error) {
	filters, err := flipInput(test, ref, pixelsPerDegree)
	if err != nil {
		return nil, err
	}
	exposures, err := Exposures(ref)
	if err != nil {
		return nil, err
	}
	worst := &Map{Width: ref.Width, Height: ref.Height, Pix: make([]float32, ref.Width*ref.Height)}
	step := (exposures.Stop - exposures.Start) / float64(exposures.Count-1)
	for i := range exposures.Count {
		factor := math.Exp2(exposures.Start + float64(i)*step)
		m := flipWith(test, ref, filters, func(v float32) float32 { return float32(aces(factor * float64(v))) })
		for j, v := range m.Pix {
			worst.Pix[j] = max(worst.Pix[j], v)
		}
	}
	return worst, nil
}

// aces maps radiance to linear display light in [0, 1].
func aces(x float64) float64 {
	x = min(max(x, 0), 1e6) // far above white; squares stay finite
	return min((acesA0*x+acesA1)*x/((acesB0*x+acesB1)*x+acesB2), 1)
}

// inverseACES solves the curve's quadratic for the radiance shown at level y < 1.
func inverseACES(y float64) float64 {
	a, b, c := acesA0-y*acesB0, acesA1-y*acesB1, -y*acesB2
	return (-b + math.Sqrt(b*b-4*a*c)) / (2 * a)
}
