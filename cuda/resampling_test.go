package cuda_test

import (
	"math"
	"math/rand/v2"
	"runtime"
	"sync"
	"testing"
)

// This file is the definition of resampling between pixels, on a small integral whose value is known: four receivers that
// face +z and differ in place and height, a bright disc in a dim square plane above them, and a disc that casts a shadow.
// A term left out or turned over must show.

var toyReceivers = [4]vec{{0, 0, 0}, {0.15, 0, 0.4}, {-0.1, 0.1, 0.2}, {0.05, -0.15, 0}}

// toyRadiance of the plane z = 1, which shines downwards.
func toyRadiance(y vec) float64 {
	switch {
	case within(y, 0.2, 0, 0.3):
		return 10
	case max(math.Abs(y[0]), math.Abs(y[1])) < 1:
		return 1
	}
	return 0
}

// toyVisible tells whether the occluder, a disc at z = 0.7, leaves the receiver its view of y.
func toyVisible(x, y vec) bool {
	at := x.add(y.sub(x).scale((0.7 - x[2]) / (1 - x[2])))
	return !within(at, 0.1, 0.05, 0.12)
}

// within tells whether a point is in an upright cylinder.
func within(p vec, x, y, radius float64) bool {
	return (p[0]-x)*(p[0]-x)+(p[1]-y)*(p[1]-y) < radius*radius
}

// toyTarget is p̂ = cos θ L, without visibility.
func toyTarget(x, y vec) float64 { return y.sub(x).unit()[2] * toyRadiance(y) }

// toyJacobian is dω_to / dω_from; φ = θ here, so each cosine is a height over a distance.
func toyJacobian(from, to, y vec) float64 {
	a, b := y.sub(from), y.sub(to)
	j := (b[2] / b.length()) / (a[2] / a.length()) * a.dot(a) / b.dot(b)
	if j < 0.1 || j > 10 {
		return 0
	}
	return j
}

// toySample is an initial sample: a null has W = 0.
type toySample struct {
	y vec
	W float64
}

// toyPoint is where the direction over a point of the unit disc meets the plane.
func toyPoint(x vec, px, py float64) vec {
	z := math.Sqrt(max(1-px*px-py*py, 1e-12))
	return x.add(vec{px, py, z}.scale((1 - x[2]) / z))
}

// drawToy samples cos θ / π.
func drawToy(r *rand.Rand, x vec) toySample {
	radius, angle := math.Sqrt(r.Float64()), 2*math.Pi*r.Float64()
	y := toyPoint(x, radius*math.Cos(angle), radius*math.Sin(angle))
	if toyRadiance(y) == 0 || !toyVisible(x, y) {
		return toySample{}
	}
	return toySample{y, math.Pi / y.sub(x).unit()[2]}
}

// variant is the method, or the method with one thing wrong.
type variant struct {
	name       string
	weigh      func(v *variant, s *[4]toySample, i int) float64 // m_i of sample i
	visibility bool                                             // in the weights
	nulls      bool                                             // count as samples
	power      float64                                          // of the Jacobian that converts W
	biased     bool
}

func variants() []variant {
	return []variant{
		{name: "balance", weigh: balanceWeight, visibility: true, nulls: true, power: 1},
		{name: "pairwise", weigh: pairwiseWeight, visibility: true, nulls: true, power: 1},
		{name: "1/M", weigh: naiveWeight, visibility: true, nulls: true, power: 1, biased: true},
		{name: "dropped nulls", weigh: balanceWeight, visibility: true, power: 1, biased: true},
		{name: "inverted Jacobian", weigh: balanceWeight, visibility: true, nulls: true, power: -1, biased: true},
		{name: "no Jacobian", weigh: balanceWeight, visibility: true, nulls: true, biased: true},
		{name: "weights without visibility", weigh: balanceWeight, nulls: true, power: 1, biased: true},
	}
}

// confidence of a receiver's sample.
func (v *variant) confidence(s toySample) float64 {
	if s.W == 0 && !v.nulls {
		return 0
	}
	return 1
}

// targetFrom is p̂_{←j}(y): the target of receiver j at y, in the measure of receiver 0.
func (v *variant) targetFrom(j int, y vec) float64 {
	if v.visibility && !toyVisible(toyReceivers[j], y) {
		return 0
	}
	return toyTarget(toyReceivers[j], y) * toyJacobian(toyReceivers[0], toyReceivers[j], y)
}

// balanceWeight is the generalized balance heuristic over all four.
func balanceWeight(v *variant, s *[4]toySample, i int) float64 {
	var sum float64
	for j := range s {
		sum += v.confidence(s[j]) * v.targetFrom(j, s[i].y)
	}
	return v.confidence(s[i]) * v.targetFrom(i, s[i].y) / sum
}

// pairwiseWeight is the pairwise heuristic with a defensive share for receiver 0.
func pairwiseWeight(v *variant, s *[4]toySample, i int) float64 {
	const C, total = 3, 4
	own := v.targetFrom(0, s[i].y)
	share := func(j int) float64 { return C * v.targetFrom(j, s[i].y) / (C*v.targetFrom(j, s[i].y) + own) }
	if i > 0 {
		return share(i) / total
	}
	m := 1.0 / total
	for j := 1; j < 4; j++ {
		m += (1 - share(j)) / total
	}
	return m
}

func naiveWeight(*variant, *[4]toySample, int) float64 { return 1.0 / 4 }

// estimate resamples for receiver 0 and shades it with what was kept.
func (v *variant) estimate(r *rand.Rand, s *[4]toySample) float64 {
	var wSum float64
	var kept vec
	for i, sample := range s {
		if sample.W == 0 {
			continue
		}
		J := toyJacobian(toyReceivers[i], toyReceivers[0], sample.y)
		if J == 0 || (v.visibility && !toyVisible(toyReceivers[0], sample.y)) {
			continue
		}
		w := v.weigh(v, s, i) * toyTarget(toyReceivers[0], sample.y) * sample.W * math.Pow(J, v.power)
		wSum += w
		if r.Float64()*wSum < w {
			kept = sample.y
		}
	}
	if wSum == 0 || !toyVisible(toyReceivers[0], kept) {
		return 0
	}
	return wSum // = p̂ W, and p̂ is the integrand
}

// toyTruth is ∫ cos θ L V dω at receiver 0, over a fine grid of the disc that directions project to.
func toyTruth() float64 {
	const n = 2000
	var sum float64
	for i := range n {
		for k := range n {
			px, py := (float64(i)+0.5)/n*2-1, (float64(k)+0.5)/n*2-1
			if px*px+py*py >= 1 {
				continue
			}
			if y := toyPoint(toyReceivers[0], px, py); toyVisible(toyReceivers[0], y) {
				sum += toyRadiance(y)
			}
		}
	}
	return sum * 4 / (n * n)
}

// tally adds up estimates.
type tally struct{ n, sum, squares float64 }

func (t *tally) add(other tally) {
	t.n += other.n
	t.sum += other.sum
	t.squares += other.squares
}

func (t tally) z(truth float64) float64 {
	mean := t.sum / t.n
	return (mean - truth) / math.Sqrt((t.squares/t.n-mean*mean)/t.n)
}

// rarely is in how many trials a biased variant takes part: it shows soon enough.
const rarely = 10

// toyTallies run all variants on the same samples, and the plain estimate of receiver 0 as the last.
func toyTallies(trials int, seed uint64) []tally {
	r, all := newRandom(seed), variants()
	sums := make([]tally, len(all)+1)
	for trial := range trials {
		var s [4]toySample
		for i := range s {
			s[i] = drawToy(r, toyReceivers[i])
		}
		for k := range all {
			if all[k].biased && trial%rarely != 0 {
				continue
			}
			e := all[k].estimate(r, &s)
			sums[k].add(tally{1, e, e * e})
		}
		var e float64
		if s[0].W > 0 {
			e = toyTarget(toyReceivers[0], s[0].y) * s[0].W
		}
		sums[len(all)].add(tally{1, e, e * e})
	}
	return sums
}

func TestResamplingOnAToyIntegral(t *testing.T) {
	const trials = 1_000_000
	parts := runtime.GOMAXPROCS(0)
	sums := make([]tally, len(variants())+1)
	var lock sync.Mutex
	var workers sync.WaitGroup
	for k := range parts {
		workers.Go(func() {
			part := toyTallies(trials/parts, 100+uint64(k))
			lock.Lock()
			defer lock.Unlock()
			for i := range sums {
				sums[i].add(part[i])
			}
		})
	}
	workers.Wait()
	truth := toyTruth()
	for i, v := range append(variants(), variant{name: "no reuse"}) {
		mean := sums[i].sum / sums[i].n
		z := sums[i].z(truth)
		t.Logf("%-26s %+7.2f %%, z = %+7.1f, relative variance %.2f", v.name, 100*(mean/truth-1), z,
			(sums[i].squares/sums[i].n-mean*mean)/(truth*truth))
		if v.biased && math.Abs(z) < 10 {
			t.Errorf("%s: z = %.1f, the test is blind to it", v.name, z)
		}
		if !v.biased && math.Abs(z) > 4 {
			t.Errorf("%s: z = %.1f", v.name, z)
		}
	}
}
