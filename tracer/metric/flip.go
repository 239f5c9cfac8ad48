package metric

import (
	"errors"
	"math"

	"glint/tracer/imageio"
)

// DefaultPixelsPerDegree is FLIP's usual viewing condition: 0.7 m from a display 0.7 m and 3840 pixels wide.
const DefaultPixelsPerDegree = 0.7 * (3840 / 0.7) * math.Pi / 180

// FLIP's exponents and the point where its colour error bends (Andersson et al. 2020, §4).
const (
	flipColorExponent   = 0.7  // q_c
	flipFeatureExponent = 0.5  // q_f
	flipBend            = 0.4  // p_c: share of the largest colour error that is mapped to p_t
	flipBent            = 0.95 // p_t
)

// Map is one value a pixel, row 0 at the top.
type Map struct {
	Width, Height int
	Pix           []float32
}

// Mean is the average of the map.
func (m *Map) Mean() float64 { return mean(m.Pix) }

// FLIP is the error in [0, 1] that a viewer sees at each pixel when alternating between two display-referred pictures
// (LDR-FLIP: Andersson, Nilsson, Akenine-Möller, Oskarsson, Åström, Fairchild, "FLIP: A Difference Evaluator for
// Alternating Images", HPG 2020). The pictures hold linear values; what is outside [0, 1] is clipped.
func FLIP(test, ref *imageio.Image, pixelsPerDegree float64) (*Map, error) {
	filters, err := flipInput(test, ref, pixelsPerDegree)
	if err != nil {
		return nil, err
	}
	display := func(v float32) float32 { return min(max(v, 0), 1) }
	return flipWith(test, ref, filters, display), nil
}

func flipInput(test, ref *imageio.Image, pixelsPerDegree float64) (*flipFilters, error) {
	if err := checkPair(test, ref); err != nil {
		return nil, err
	}
	if !(pixelsPerDegree >= 1 && pixelsPerDegree <= 1000) {
		return nil, errors.New("pixels per degree must be from 1 to 1000")
	}
	return newFlipFilters(pixelsPerDegree), nil
}

// flipWith compares two pictures after display has turned their values into linear display light in [0, 1].
func flipWith(test, ref *imageio.Image, filters *flipFilters, display func(float32) float32) *Map {
	a, b := newPercept(test, filters, display), newPercept(ref, filters, display)
	out := &Map{Width: ref.Width, Height: ref.Height, Pix: make([]float32, ref.Width*ref.Height)}
	scale := newColorScale()
	parallelRows(out.Height, func(from, to int) {
		for i := from * out.Width; i < to*out.Width; i++ {
			out.Pix[i] = float32(math.Pow(scale.colorError(a, b, i), 1-featureError(a, b, i)))
		}
	})
	return out
}

// percept is what FLIP's two pipelines know of one picture.
type percept struct {
	lightness, redGreen, blueYellow []float32 // Hunt-adjusted L*a*b* after contrast sensitivity filtering
	edges, points                   []float32 // magnitudes of edges and points
}

func newPercept(img *imageio.Image, filters *flipFilters, display func(float32) float32) *percept {
	opponent := newOpponentPlanes(img, display)
	p := &percept{}
	p.edges, p.points = filters.features(opponent.achromatic(), img.Width)
	filtered := filters.contrastSensitivity(opponent)
	filtered.toHuntLab()
	p.lightness, p.redGreen, p.blueYellow = filtered.c[0], filtered.c[1], filtered.c[2]
	return p
}

// colorScale redistributes colour errors to [0, 1] (§4.1.3).
type colorScale struct{ bend, largest float64 }

// newColorScale measures the largest error, between green and blue.
func newColorScale() colorScale {
	green, blue := huntLab(rgbToWhite.Col(1)), huntLab(rgbToWhite.Col(2))
	largest := math.Pow(hyAB(green[0]-blue[0], green[1]-blue[1], green[2]-blue[2]), flipColorExponent)
	return colorScale{bend: flipBend * largest, largest: largest}
}

// hyAB is a distance for large colour differences: city block in lightness, Euclidean in chroma.
func hyAB(dL, da, db float64) float64 { return math.Abs(dL) + math.Sqrt(da*da+db*db) }

func (s colorScale) colorError(a, b *percept, i int) float64 {
	d := hyAB(float64(a.lightness[i]-b.lightness[i]), float64(a.redGreen[i]-b.redGreen[i]), float64(a.blueYellow[i]-b.blueYellow[i]))
	e := math.Pow(d, flipColorExponent)
	if e < s.bend {
		return flipBent / s.bend * e
	}
	return flipBent + (e-s.bend)/(s.largest-s.bend)*(1-flipBent)
}

// featureError is the larger difference of edges and points (§4.2).
func featureError(a, b *percept, i int) float64 {
	edge := math.Abs(float64(a.edges[i] - b.edges[i]))
	point := math.Abs(float64(a.points[i] - b.points[i]))
	return math.Pow(max(edge, point)/math.Sqrt2, flipFeatureExponent)
}
