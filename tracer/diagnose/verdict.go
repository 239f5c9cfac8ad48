package diagnose

import (
	"fmt"
	"math"
	"time"
)

// Measured is a picture's error against a reference.
type Measured struct {
	Name    string
	Tiles   []float64     // mean squared error of each part of the picture (metric.TileErrors)
	Own     float64       // of it, what the reference's own noise adds
	Samples int           // of the picture
	Time    time.Duration // that they took
}

// Tiles is into how many parts a picture is cut along both axes, so that it is known how much of an error is chance.
const Tiles = 16

// UsableNoise is how much of an error that is measured the reference's own may be for a verdict.
const UsableNoise = 0.1

// Verdict says which of two pictures has less error, at equal samples and in equal time; empty where that cannot be told. Error is taken to fall as one over samples.
func Verdict(a, b Measured) string {
	samples := compare(a, b, float64(a.Samples), float64(b.Samples))
	inTime := compare(a, b, a.Time.Seconds(), b.Time.Seconds())
	if !samples.known() || !inTime.known() {
		return ""
	}
	if samples.winner() == inTime.winner() && samples.winner() != 0 {
		return fmt.Sprintf("%s has %s times less error at equal samples (%s), %s times in equal time (%s).",
			samples.name(a, b), digits(samples.factor()), samples.spread(), digits(inTime.factor()), inTime.spread())
	}
	return samples.sentence(a, b, "At equal samples") + " " + inTime.sentence(a, b, "In equal time")
}

// advantage is how many times the error of A is that of B: about that, and between two bounds.
type advantage struct{ about, from, to float64 }

// deviations is how far the bounds are from the mean: 19 of 20 measurements lie between them.
const deviations = 2

// compare compares what is left of errors after equal amounts of something, of which each has had some. How much the advantage may be off is
// known by leaving out one part of the picture after another (the jackknife: Efron and Stein 1981).
func compare(a, b Measured, amountA, amountB float64) advantage {
	n := min(len(a.Tiles), len(b.Tiles))
	sumA, sumB := sum(a.Tiles[:n]), sum(b.Tiles[:n])
	logOf := func(errorA, errorB float64, count int) float64 {
		left := func(sum, own float64) float64 { return max(sum/float64(count)-own, 1e-3*sum/float64(count), 1e-30) }
		return math.Log(left(errorA, a.Own) * amountA / (left(errorB, b.Own) * amountB))
	}
	mean, squares := 0.0, 0.0
	for i := range n {
		x := logOf(sumA-a.Tiles[i], sumB-b.Tiles[i], n-1)
		mean += x / float64(n)
		squares += x * x
	}
	deviation := math.Sqrt(max(squares-float64(n)*mean*mean, 0) * float64(n-1) / float64(n))
	about := logOf(sumA, sumB, n)
	return advantage{math.Exp(about), math.Exp(about - deviations*deviation), math.Exp(about + deviations*deviation)}
}

func sum(values []float64) (s float64) {
	for _, v := range values {
		s += v
	}
	return s
}

// known tells whether the bounds are numbers.
func (v advantage) known() bool { return v.from > 0 && v.to >= v.from && !math.IsInf(v.to, 0) }

// winner is 1 where A is better, 2 where B is, and 0 where that is not known.
func (v advantage) winner() int {
	switch {
	case v.to < 1:
		return 1
	case v.from > 1:
		return 2
	}
	return 0
}

func (v advantage) name(a, b Measured) string {
	if v.winner() == 1 {
		return a.Name
	}
	return b.Name
}

// factor is how many times less error the better one has.
func (v advantage) factor() float64 { return max(v.about, 1/v.about) }

// spread is between which factors that lies.
func (v advantage) spread() string {
	if v.about < 1 {
		return digits(1/v.to) + " to " + digits(1/v.from)
	}
	return digits(v.from) + " to " + digits(v.to)
}

func (v advantage) sentence(a, b Measured, when string) string {
	if v.winner() == 0 {
		return fmt.Sprintf("%s no difference was found (%s to %s times).", when, digits(v.from), digits(v.to))
	}
	return fmt.Sprintf("%s %s has %s times less error (%s).", when, v.name(a, b), digits(v.factor()), v.spread())
}

func digits(x float64) string {
	if x >= 10 {
		return fmt.Sprintf("%.0f", x)
	}
	return fmt.Sprintf("%.2g", x)
}
