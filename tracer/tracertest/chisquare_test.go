package tracertest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// Quantiles from printed tables of the chi-square distribution.
func TestUpperGammaGivesChiSquareQuantiles(t *testing.T) {
	tests := []struct{ degrees, quantile, p float64 }{
		{1, 3.841459, 0.05},
		{1, 10.82757, 0.001},
		{2, 4.605170, 0.1},
		{5, 1.145476, 0.95},
		{10, 18.30704, 0.05},
		{30, 14.95346, 0.99},
		{100, 124.3421, 0.05},
		{1000, 1106.969, 0.01},
	}
	for _, test := range tests {
		got := upperGamma(test.degrees/2, test.quantile/2)
		wantNear(t, fmt.Sprintf("P(χ²[%v] > %v)", test.degrees, test.quantile), got, test.p, 2e-6*math.Max(1, 10*test.p))
	}
	wantNear(t, "Q(1, 30)", upperGamma(1, 30)/math.Exp(-30), 1, 1e-12)
	wantNear(t, "Q(1/2, 20)", upperGamma(0.5, 20)/math.Erfc(math.Sqrt(20)), 1, 1e-10)
	wantNear(t, "Q(3, 0)", upperGamma(3, 0), 1, 0)
}

func TestChiSquare(t *testing.T) {
	// By hand: 4/10 + 4/10 + 0 = 0.8 with two degrees, so P = exp(−0.4).
	r, err := ChiSquare([]float64{8, 12, 20}, []float64{10, 10, 20}, 5)
	if err != nil || r.Degrees != 2 {
		t.Fatalf("%+v, %v", r, err)
	}
	wantNear(t, "statistic", r.Statistic, 0.8, 1e-12)
	wantNear(t, "P", r.P, math.Exp(-0.4), 1e-12)
}

func TestChiSquareMergesSmallBins(t *testing.T) {
	tests := []struct {
		name               string
		observed, expected []float64
		degrees            int
		statistic          float64
	}{
		{"small ones pooled", []float64{3, 20, 0, 2, 20}, []float64{2, 20, 2, 2, 20}, 2, 1. / 6},
		{"a small one joins the next", []float64{1, 20, 21}, []float64{2, 20, 20}, 1, 1./22 + 1./20},
		{"a rest joins the last pool", []float64{3, 3, 4, 4, 6}, []float64{3, 3, 4, 4, 4}, 1, 4. / 12},
		{"empty ones dropped", []float64{0, 10, 0, 10}, []float64{0, 10, 0, 10}, 1, 0},
	}
	for _, test := range tests {
		r, err := ChiSquare(test.observed, test.expected, 5)
		if err != nil || r.Degrees != test.degrees {
			t.Errorf("%s: %+v, %v; want %d degrees", test.name, r, err, test.degrees)
		}
		wantNear(t, test.name, r.Statistic, test.statistic, 1e-12)
	}
}

func TestChiSquareRefuses(t *testing.T) {
	tests := []struct {
		name               string
		observed, expected []float64
	}{
		{"lengths", []float64{1}, []float64{1, 2}},
		{"negative", []float64{10, -1}, []float64{10, 10}},
		{"NaN", []float64{10, 10}, []float64{10, math.NaN()}},
		{"infinite", []float64{10, 10}, []float64{10, math.Inf(1)}},
		{"too few", []float64{1, 1}, []float64{1, 1}},
		{"none", nil, nil},
	}
	for _, test := range tests {
		if r, err := ChiSquare(test.observed, test.expected, 5); err == nil {
			t.Errorf("%s: accepted with %+v", test.name, r)
		}
	}
	if r, err := ChiSquare([]float64{10, 1}, []float64{11, 0}, 5); err != nil || r.P != 0 {
		t.Errorf("samples where none may fall give %+v, %v", r, err)
	}
}

func TestChiSquareTellsFairFromBiased(t *testing.T) {
	const bins, samples = 20, 100_000
	random := rand.New(rand.NewPCG(1, 2))
	expected, fair, biased := make([]float64, bins), make([]float64, bins), make([]float64, bins)
	for i := range expected {
		expected[i] = samples / bins
	}
	for range samples {
		u := random.Float64()
		fair[int(u*bins)]++
		biased[int(math.Pow(u, 1.05)*bins)]++
	}
	r, err := ChiSquare(fair, expected, 5)
	if err != nil || r.P < 0.01 {
		t.Errorf("a fair sampler gives %+v, %v", r, err)
	}
	if r, err = ChiSquare(biased, expected, 5); err != nil || r.P > 1e-6 {
		t.Errorf("a biased sampler gives %+v, %v", r, err)
	}
}

func TestHolm(t *testing.T) {
	got := Holm([]float64{0.04, 0.01, 0.03, 0.6})
	want := []float64{0.09, 0.04, 0.09, 0.6}
	for i := range want {
		wantNear(t, fmt.Sprintf("adjusted p %d", i), got[i], want[i], 1e-12)
	}
	if got := Holm([]float64{0.7, 0.9}); got[0] != 1 || got[1] != 1 {
		t.Errorf("adjusted p-values %v, want 1, 1", got)
	}
}
