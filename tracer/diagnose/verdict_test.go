package diagnose_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"glint/tracer/diagnose"
)

// noisy is a picture with an error a sample, spread over its parts by chance.
func noisy(name string, each float64, samples int, spent time.Duration, spread float64, random *rand.Rand) diagnose.Measured {
	m := diagnose.Measured{Name: name, Samples: samples, Time: spent}
	for range 256 {
		m.Tiles = append(m.Tiles, each/float64(samples)*math.Exp(random.NormFloat64()*spread))
	}
	return m
}

// TestVerdict: words say what was measured, whatever amounts each has had, and claim nothing that chance explains.
func TestVerdict(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	a, b := noisy("A", 8, 100, 10*time.Second, 0.02, random), noisy("B", 4, 50, 10*time.Second, 0.02, random)
	if got := diagnose.Verdict(a, b); !strings.Contains(got, "At equal samples B has 2 times") || !strings.Contains(got, "In equal time no difference") {
		t.Error(got)
	}
	if got := diagnose.Verdict(a, noisy("B", 2, 100, 5*time.Second, 0.02, random)); !strings.HasPrefix(got, "B has ") || !strings.Contains(got, "times in equal time") {
		t.Error(got)
	}
	if got := diagnose.Verdict(a, noisy("B", 4, 100, 40*time.Second, 0.02, random)); !strings.Contains(got, "samples B has 2") || !strings.Contains(got, "time A has 2") {
		t.Error(got)
	}
	// The reference's own noise, which both measure, is no error of theirs.
	c, d := noisy("A", 8, 100, 10*time.Second, 0.02, random), noisy("B", 2, 100, 10*time.Second, 0.02, random)
	for _, m := range []*diagnose.Measured{&c, &d} {
		m.Own = 0.02
		for i := range m.Tiles {
			m.Tiles[i] += m.Own
		}
	}
	if got := diagnose.Verdict(c, d); !strings.HasPrefix(got, "B has 4") && !strings.HasPrefix(got, "B has 3.9") && !strings.HasPrefix(got, "B has 4.1") {
		t.Error(got)
	}
}

// TestVerdictsAreRight as often as they say: of two equal pictures one is called better in 1 of 20 cases.
func TestVerdictsAreRight(t *testing.T) {
	random, wrong := rand.New(rand.NewPCG(3, 4)), 0
	const cases = 400
	for range cases {
		a, b := noisy("A", 1, 10, time.Second, 0.3, random), noisy("B", 1, 10, time.Second, 0.3, random)
		if !strings.Contains(diagnose.Verdict(a, b), "At equal samples no difference") {
			wrong++
		}
	}
	if share := float64(wrong) / cases; share > 0.09 || share < 0.015 { // 0.046 ± 4 standard deviations
		t.Errorf("%.3f of the verdicts are wrong", share)
	}
}
