package cuda_test

import (
	"math"
	"testing"

	"glint/cuda/probe"
)

// isNet tells whether 2^m points of the unit square are a (0, m, 2)-net in base 2: each elementary box holds one point.
func isNet(points [][2]float32) bool {
	n := len(points)
	for columns := 1; columns <= n; columns *= 2 {
		rows := n / columns
		seen := make([]bool, n)
		for _, p := range points {
			cell := int(p[0]*float32(columns))*rows + int(p[1]*float32(rows))
			if seen[cell] {
				return false
			}
			seen[cell] = true
		}
	}
	return true
}

func TestSampleBlocksAreNets(t *testing.T) {
	for _, s := range []probe.Stream{{}, {X: 5, Y: 63, Seed: 1, Dimension: 3}, {X: 1919, Y: 1079, Seed: 0xdeadbeef, Dimension: 40}} {
		for m := range 11 {
			if points := s.Points(1<<m-1, 1<<m); !isNet(points) {
				t.Errorf("%+v: samples %d to %d are no net", s, 1<<m-1, 1<<(m+1)-2)
			}
			strata := make([]bool, 1<<m)
			for _, x := range s.Numbers(1<<m-1, 1<<m) {
				if k := int(x * float32(len(strata))); strata[k] {
					t.Errorf("%+v: samples %d to %d share stratum %d", s, 1<<m-1, 1<<(m+1)-2, k)
				} else {
					strata[k] = true
				}
			}
		}
	}
}

// The pixels of each aligned square of 2^k take one sample each that together are a net: errors of neighbours differ.
func TestNeighboringPixelsAreNets(t *testing.T) {
	for _, side := range []uint32{2, 8, 64} {
		var points [][2]float32
		for y := range side {
			for x := range side {
				s := probe.Stream{X: 128 + x, Y: 64 + y, Seed: 7, Dimension: 2}
				points = append(points, s.Points(0, 1)[0])
			}
		}
		if !isNet(points) {
			t.Errorf("the first samples of %d × %d pixels are no net", side, side)
		}
	}
}

// A net test must fail for points that are none.
func TestNetTestRejectsRandomPoints(t *testing.T) {
	r := newRandom(11)
	points := make([][2]float32, 64)
	for i := range points {
		points[i] = [2]float32{unit(r), unit(r)}
	}
	if isNet(points) {
		t.Error("64 random points pass as a net")
	}
}

// Over seeds and tiles, single numbers and pairs are uniform: one sample a seed, since within a seed they are strata.
func TestSamplerIsUniformOverSeeds(t *testing.T) {
	const n, bins = 1 << 17, 16
	var f family
	for _, s := range []probe.Stream{{}, {X: 33, Y: 17, Dimension: 5}, {X: 700, Y: 1, Dimension: 21}} {
		observed2, observed1 := make([]float64, bins*bins), make([]float64, bins*bins)
		for seed := range uint32(n) {
			s.Seed = seed
			p, x := s.Points(seed%9, 1)[0], s.Numbers(seed%9, 1)[0]
			observed2[int(p[0]*bins)*bins+int(p[1]*bins)]++
			observed1[int(x*bins*bins)]++
		}
		expected := make([]float64, bins*bins)
		for i := range expected {
			expected[i] = n / float64(bins*bins)
		}
		f.add(t, "pairs over seeds", observed2, expected)
		f.add(t, "numbers over seeds", observed1, expected)
	}
	f.judge(t)
}

// series are one number for each of many pixels' samples.
type series []float64

// correlation of two series of uniform numbers (Pearson).
func correlation(a, b series) float64 {
	var sum float64
	for i := range a {
		sum += (a[i] - 0.5) * (b[i] - 0.5)
	}
	return sum / float64(len(a)) * 12
}

// seriesOf has one coordinate of the first sample of pixels that are 64 apart, so that each has its own net.
func seriesOf(n int, seed, dimension uint32, coordinate int) series {
	s := make(series, n)
	for i := range s {
		stream := probe.Stream{X: uint32(i%256) * 64, Y: uint32(i/256) * 64, Seed: seed, Dimension: dimension}
		s[i] = float64(stream.Points(0, 1)[0][coordinate])
	}
	return s
}

func TestSamplerStreamsAreUncorrelated(t *testing.T) {
	const n = 1 << 16
	bound := 4.5 / math.Sqrt(n)
	base := seriesOf(n, 1, 0, 0)
	for _, c := range []struct {
		name  string
		other series
	}{
		{"x and y of one pair", seriesOf(n, 1, 0, 1)},
		{"neighbouring dimensions", seriesOf(n, 1, 1, 0)},
		{"neighbouring seeds", seriesOf(n, 2, 0, 0)},
		{"neighbouring tiles", append(base[1:len(base):len(base)], base[0])},
	} {
		if r := correlation(base, c.other); math.Abs(r) > bound {
			t.Errorf("%s correlate by %.4f, uncorrelated ones stay within %.4f", c.name, r, bound)
		}
	}
}

// Samples of one pixel in different dimensions are shuffled against each other.
func TestDimensionsAreShuffled(t *testing.T) {
	const n, pixels = 256, 256
	var sum float64
	for i := range uint32(pixels) {
		a := probe.Stream{X: i * 64, Seed: 3, Dimension: 4}.Points(n-1, n)
		b := probe.Stream{X: i * 64, Seed: 3, Dimension: 5}.Points(n-1, n)
		var mean float64
		for k := range a {
			mean += (float64(a[k][0]) - 0.5) * (float64(b[k][0]) - 0.5) * 12 / n
		}
		sum += mean * mean / pixels
	}
	// Independent numbers give a variance of 1/n. A nested shuffle keeps index pairs together, which lie in opposite halves
	// in both dimensions: correlation (¾)² between them, so 1.56/n. A lasting correlation gives far more.
	if sum > 1.9/n {
		t.Errorf("products over two dimensions have variance %.5f, independent ones 1/n = %.5f", sum, 1.0/n)
	}
}

// The errors of neighbouring pixels differ like blue noise: blurred over the screen they vanish faster than white noise.
func TestScreenErrorIsBluerThanWhite(t *testing.T) {
	const side, blur = 256, 2.0
	for _, c := range []struct {
		name      string
		integrand func(p [2]float32) float64
		atMost    float64 // share of white noise's variance that may be left
	}{
		{"product", func(p [2]float32) float64 { return float64(p[0]*p[1]) - 0.25 }, 0.15},
		{"disk", func(p [2]float32) float64 {
			if math.Hypot(float64(p[0]), float64(p[1])) < 0.8 {
				return 1 - 0.16*math.Pi
			}
			return -0.16 * math.Pi
		}, 0.35},
	} {
		errors := make([]float64, side*side)
		for i := range errors {
			s := probe.Stream{X: uint32(i % side), Y: uint32(i / side), Seed: 5, Dimension: 1}
			errors[i] = c.integrand(s.Points(0, 1)[0])
		}
		// White noise keeps 1 / (4πσ²) of its variance.
		left := variance(blurred(errors, side, blur)) / variance(errors) * 4 * math.Pi * blur * blur
		t.Logf("%s: a blur of σ = %g pixels leaves %.3f of what it leaves of white noise", c.name, blur, left)
		if left > c.atMost {
			t.Errorf("%s: low frequencies hold %.3f of white noise's variance, want at most %g", c.name, left, c.atMost)
		}
	}
}

func variance(v []float64) float64 {
	var sum float64
	for _, x := range v {
		sum += x * x
	}
	return sum / float64(len(v))
}

// blurred convolves a square image with a Gaussian that wraps around.
func blurred(image []float64, side int, sigma float64) []float64 {
	for range 2 { // rows, then columns: each pass transposes
		out := make([]float64, len(image))
		for i := range image {
			x, y := i%side, i/side
			var sum, weights float64
			for d := -8; d <= 8; d++ {
				w := math.Exp(-float64(d*d) / (2 * sigma * sigma))
				sum += w * image[y*side+(x+d+side)%side]
				weights += w
			}
			out[x*side+y] = sum / weights
		}
		image = out
	}
	return image
}

// Long renders take more samples than a block holds: those of different pixels must stay different, and those of a pixel spread.
func TestSamplesBeyondTheLargestBlock(t *testing.T) {
	for _, first := range []uint32{1 << 20, 1 << 21, 3 << 20, 1 << 24, 1<<31 - 64} {
		seen := map[[2]float32]int{}
		for x := range uint32(64) {
			for _, p := range (probe.Stream{X: x, Seed: 3, Dimension: 1}).Points(first-1, 16) {
				seen[p]++
			}
		}
		if len(seen) < 64*16-2 {
			t.Errorf("from sample %d on, 64 pixels have %d different points in 16 samples", first, len(seen))
		}
		if points := (probe.Stream{X: 5, Y: 9, Seed: 1}).Points(first&^0xfffff-1, 64); !isNet(points) && first >= 1<<20 {
			t.Errorf("64 samples from %d on are no net", first&^0xfffff-1)
		}
	}
}
