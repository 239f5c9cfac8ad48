package tracertest

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
)

// ChiSquareResult is the outcome of Pearson's test.
type ChiSquareResult struct {
	Statistic float64
	Degrees   int     // of freedom, after merging
	P         float64 // chance that a fair sampler does as badly or worse
}

// ChiSquare tests counts against the counts that a sampler's density promises (Pearson 1900). Bins that expect fewer
// than minExpected (5 is usual) are merged, the smallest first, since the distribution holds for large counts only.
// Samples where none may fall give P = 0.
func ChiSquare(observed, expected []float64, minExpected float64) (ChiSquareResult, error) {
	if len(observed) != len(expected) {
		return ChiSquareResult{}, fmt.Errorf("%d observed bins but %d expected", len(observed), len(expected))
	}
	bins := make([]bin, len(observed))
	for i := range bins {
		bins[i] = bin{observed[i], expected[i]}
		if !(observed[i] >= 0 && expected[i] >= 0) || math.IsInf(observed[i]+expected[i], 0) {
			return ChiSquareResult{}, fmt.Errorf("bin %d holds %v, expected %v: counts must be finite and not negative", i, observed[i], expected[i])
		}
		if expected[i] == 0 && observed[i] > 0 {
			return ChiSquareResult{Statistic: math.Inf(1), Degrees: len(bins) - 1}, nil
		}
	}
	bins = mergeSmall(bins, minExpected)
	if len(bins) < 2 {
		return ChiSquareResult{}, errors.New("fewer than two bins are left after merging: draw more samples")
	}
	r := ChiSquareResult{Degrees: len(bins) - 1}
	for _, b := range bins {
		d := b.observed - b.expected
		r.Statistic += d * d / b.expected
	}
	r.P = upperGamma(float64(r.Degrees)/2, r.Statistic/2)
	return r, nil
}

type bin struct{ observed, expected float64 }

// mergeSmall pools bins, smallest first, until each pool expects enough; a rest joins the last pool.
func mergeSmall(bins []bin, minExpected float64) []bin {
	slices.SortFunc(bins, func(a, b bin) int { return cmp.Compare(a.expected, b.expected) })
	var merged []bin
	var pool bin
	for _, b := range bins {
		pool.observed += b.observed
		pool.expected += b.expected
		if pool.expected > 0 && pool.expected >= minExpected {
			merged = append(merged, pool)
			pool = bin{}
		}
	}
	if n := len(merged); n > 0 {
		merged[n-1].observed += pool.observed
		merged[n-1].expected += pool.expected
	}
	return merged
}

// upperGamma is the regularised upper incomplete gamma function Q(a, x) for a > 0, x ≥ 0: by its power series where
// that converges fast, else by the continued fraction (Abramowitz and Stegun, 6.5.29 and 6.5.31).
func upperGamma(a, x float64) float64 {
	if x <= 0 {
		return 1
	}
	logGamma, _ := math.Lgamma(a)
	scale := math.Exp(a*math.Log(x) - x - logGamma)
	if x < a+1 {
		return 1 - scale*gammaSeries(a, x)
	}
	return scale * gammaFraction(a, x)
}

const (
	gammaPrecision = 1e-15
	gammaMaxTerms  = 100_000 // about √a are needed near x = a
)

// gammaSeries is Σ xⁿ / (a(a+1)…(a+n)).
func gammaSeries(a, x float64) float64 {
	term := 1 / a
	sum := term
	for n := 1.0; n < gammaMaxTerms && term > sum*gammaPrecision; n++ {
		term *= x / (a + n)
		sum += term
	}
	return sum
}

// gammaFraction is 1/(x+1−a− 1(1−a)/(x+3−a− 2(2−a)/(x+5−a− …))), evaluated forwards by Lentz's method.
func gammaFraction(a, x float64) float64 {
	const tiny = 1e-300
	b := x + 1 - a
	c, d := 1/tiny, 1/b
	value := d
	for n := 1.0; n < gammaMaxTerms; n++ {
		coefficient := n * (a - n)
		b += 2
		d = 1 / nonZero(b+coefficient*d, tiny)
		c = nonZero(b+coefficient/c, tiny)
		value *= c * d
		if math.Abs(c*d-1) < gammaPrecision {
			break
		}
	}
	return value
}

func nonZero(v, tiny float64) float64 {
	if math.Abs(v) < tiny {
		return tiny
	}
	return v
}

// Holm adjusts the p-values of several tests so that each may be held against one level for the whole family (Holm, "A
// Simple Sequentially Rejective Multiple Test Procedure", 1979). The order is kept.
func Holm(p []float64) []float64 {
	order := make([]int, len(p))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Compare(p[i], p[j]) })
	adjusted := make([]float64, len(p))
	highest := 0.0
	for rank, i := range order {
		highest = max(highest, min(1, p[i]*float64(len(p)-rank)))
		adjusted[i] = highest
	}
	return adjusted
}
