package cuda_test

import (
	"fmt"
	"math"
	"testing"

	"glint/cuda"
	"glint/cuda/probe"
	"glint/tracer/tracertest"
)

// hgBelow is the chance that Henyey and Greenstein's phase function turns light by an angle of a cosine below c.
func hgBelow(c, g float64) float64 {
	if g == 0 {
		return (1 + c) / 2
	}
	return (1 - g*g) / (2 * g) * (1/math.Sqrt(1+g*g-2*g*c) - 1/(1+g))
}

const (
	polarBins   = 16 // of equal angle
	azimuthBins = 4
	// plantedSamples are enough to see a bug of 1 %.
	plantedSamples = 1 << 20
)

// turned draws directions and counts them in bins around the one before; mean is that of the cosine between both.
func turned(from [3]float32, g float32, n int, seed uint64) (observed []float64, mean float64) {
	r := newRandom(seed)
	in := make([]float32, 0, 6*n)
	for range n {
		in = append(in, from[0], from[1], from[2], g, unit(r), unit(r))
	}
	observed = make([]float64, polarBins*azimuthBins)
	z := [3]float64{float64(from[0]), float64(from[1]), float64(from[2])}
	x, y := perpendiculars(z)
	out := probe.HenyeyGreenstein.Map(&cuda.Frame{}, in)
	for i := range n {
		w := [3]float64{float64(out[3*i]), float64(out[3*i+1]), float64(out[3*i+2])}
		cos := max(-1, min(1, dot3(w, z)))
		mean += cos / float64(n)
		polar := min(int(math.Acos(cos)/math.Pi*polarBins), polarBins-1)
		azimuth := min(int((math.Atan2(dot3(w, y), dot3(w, x))/(2*math.Pi)+0.5)*azimuthBins), azimuthBins-1)
		observed[polar*azimuthBins+azimuth]++
	}
	return observed, mean
}

func dot3(a, b [3]float64) float64 { return a[0]*b[0] + a[1]*b[1] + a[2]*b[2] }

func cross3(a, b [3]float64) [3]float64 {
	return [3]float64{a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]}
}

// perpendiculars complete z to a right-handed frame.
func perpendiculars(z [3]float64) (x, y [3]float64) {
	x = cross3(z, [3]float64{0.3, -0.5, 0.8})
	scale := 1 / math.Sqrt(dot3(x, x))
	for i := range x {
		x[i] *= scale
	}
	return x, cross3(z, x)
}

func expectedTurns(g float64, n int) []float64 {
	expected := make([]float64, polarBins*azimuthBins)
	for i := range polarBins {
		near, far := math.Cos(math.Pi*float64(i)/polarBins), math.Cos(math.Pi*float64(i+1)/polarBins)
		for j := range azimuthBins {
			expected[i*azimuthBins+j] = float64(n) / azimuthBins * (hgBelow(near, g) - hgBelow(far, g))
		}
	}
	return expected
}

// Directions follow the phase function whatever the direction before: it is a function of the angle alone, hence reciprocal.
func TestPhaseFunctionFollowsHenyeyGreenstein(t *testing.T) {
	var f family
	for _, g := range []float64{-0.99, -0.9, -0.5, -0.1, 0, 1e-4, 0.1, 0.5, 0.9, 0.99} {
		for i, from := range [][3]float32{{0, 0, 1}, {0, 0, -1}, toward(-0.3, 2)} {
			observed, mean := turned(from, float32(g), samplesPerTest, uint64(i)+1)
			f.add(t, fmt.Sprintf("g %v from %v", g, from), observed, expectedTurns(g, samplesPerTest))
			// The variance of the cosine is (1 − g²)/3 and at most 1/3.
			if bound := 5 * math.Sqrt((1-g*g)/3/samplesPerTest); math.Abs(mean-g) > bound+1e-6 {
				t.Errorf("g %v from %v: the cosine has mean %.6f, want %v within %.6f", g, from, mean, g, bound)
			}
		}
	}
	f.judge(t)
}

func TestPhaseFunctionCatchesPlantedBug(t *testing.T) {
	for _, g := range []float64{-0.7, 0.5, 0.9} {
		observed, _ := turned([3]float32{0, 0, 1}, float32(g), plantedSamples, 1)
		r, err := tracertest.ChiSquare(observed, expectedTurns(g*1.01, plantedSamples), 5)
		if err != nil || r.P > significance/1000 {
			t.Errorf("g %v: a phase function of a g 1 %% off passes: p = %g, %v", g, r.P, err)
		}
	}
}

// flightCase is a stretch through a medium.
type flightCase struct {
	name                       string
	sigmaT, sigmaS, throughput [3]float64 // 1/m, 1/m
	reach                      float64    // m
}

func flightCases() []flightCase {
	gray := [3]float64{2, 2, 2}
	return []flightCase{
		{name: "grey", sigmaT: gray, sigmaS: [3]float64{1, 1, 1}, throughput: [3]float64{1, 1, 1}, reach: 0.4},
		{name: "long", sigmaT: gray, sigmaS: gray, throughput: [3]float64{0.2, 0.5, 0.1}, reach: 3},
		{name: "colours", sigmaT: [3]float64{1, 5, 20}, sigmaS: [3]float64{0.5, 4, 20}, throughput: [3]float64{0.9, 0.5, 0.2}, reach: 0.2},
		{name: "red is clear", sigmaT: [3]float64{0, 1, 9}, sigmaS: [3]float64{0, 0.5, 9}, throughput: [3]float64{1, 1, 1}, reach: 0.5},
		{name: "only blue arrives", sigmaT: [3]float64{1, 2, 3}, sigmaS: [3]float64{1, 2, 2}, throughput: [3]float64{0, 0, 3}, reach: 0.3},
	}
}

func (c flightCase) sample(n int, seed uint64) []float32 {
	r := newRandom(seed)
	var in []float32
	for range n {
		for _, v := range [][3]float64{c.sigmaT, c.sigmaS, c.throughput} {
			in = append(in, float32(v[0]), float32(v[1]), float32(v[2]))
		}
		in = append(in, float32(c.reach), unit(r), unit(r))
	}
	return probe.Flight.Map(&cuda.Frame{}, in)
}

const distanceBins = 40

// expected counts of distances by the mixture of channels; the last bin is the stretch's end.
func (c flightCase) expected(scale float64, n int) []float64 {
	sum := c.throughput[0] + c.throughput[1] + c.throughput[2]
	beyond := func(s float64) (p float64) {
		for i, sigma := range c.sigmaT {
			p += c.throughput[i] / sum * math.Exp(-sigma*scale*s)
		}
		return p * float64(n)
	}
	bins := make([]float64, distanceBins+1)
	for i := range distanceBins {
		bins[i] = beyond(c.reach*float64(i)/distanceBins) - beyond(c.reach*float64(i+1)/distanceBins)
	}
	bins[distanceBins] = beyond(c.reach)
	return bins
}

func (c flightCase) observed(out []float32) []float64 {
	bins := make([]float64, distanceBins+1)
	for ; len(out) > 0; out = out[5:] {
		bin := distanceBins
		if out[4] != 0 {
			bin = min(int(float64(out[3])/c.reach*distanceBins), distanceBins-1)
		}
		bins[bin]++
	}
	return bins
}

func TestFlightsFollowTransmittance(t *testing.T) {
	var f family
	for i, c := range flightCases() {
		f.add(t, c.name, c.observed(c.sample(samplesPerTest, uint64(i))), c.expected(1, samplesPerTest))
	}
	f.judge(t)
	c := flightCases()[1]
	if r, err := tracertest.ChiSquare(c.observed(c.sample(plantedSamples, 2)), c.expected(1.01, plantedSamples), 5); err != nil || r.P > significance/1000 {
		t.Errorf("distances in a medium 1 %% denser pass: p = %g, %v", r.P, err)
	}
}

// Whatever channel chose the distance, the weights carry each channel's own transmittance and scattering.
func TestFlightWeightsAreUnbiased(t *testing.T) {
	for i, c := range flightCases() {
		out := c.sample(samplesPerTest, uint64(100+i))
		for channel := range 3 {
			if c.throughput[channel] == 0 {
				continue
			}
			sigma, through := c.sigmaT[channel], math.Exp(-c.sigmaT[channel]*c.reach)
			scattered := 0.0
			if sigma > 0 {
				scattered = c.sigmaS[channel] / sigma * (1 - through)
			}
			for _, row := range []struct {
				name string
				flag float32
				want float64
			}{{"scattered", 1, scattered}, {"unscattered", 0, through}} {
				mean, deviation := weightMean(out, channel, row.flag)
				if math.Abs(mean-row.want) > 5*deviation+1e-6 {
					t.Errorf("%s, channel %d, %s: %.5f ± %.5f, want %.5f", c.name, channel, row.name, mean, deviation, row.want)
				}
			}
		}
	}
}

// weightMean is the mean weight of the flights that did or did not scatter, over all flights, and its standard error.
func weightMean(out []float32, channel int, flag float32) (mean, deviation float64) {
	var square, n float64
	for ; len(out) > 0; out = out[5:] {
		n++
		if out[4] == flag {
			w := float64(out[channel])
			mean += w
			square += w * w
		}
	}
	mean /= n
	return mean, math.Sqrt(max(square/n-mean*mean, 0) / n)
}
