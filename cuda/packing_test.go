package cuda_test

import (
	"math"
	"testing"

	"glint/cuda"
	"glint/cuda/probe"
)

// ditherSide is how many dithers, evenly spread, a mean is taken over, each way.
const ditherSide = 32

// packedMean is the mean over all dithers of what a reservoir keeps of a colour.
func packedMean(rgb [3]float32) [3]float64 {
	var in []float32
	for i := range ditherSide * ditherSide {
		in = append(in, rgb[0], rgb[1], rgb[2], (float32(i%ditherSide)+0.5)/ditherSide, (float32(i/ditherSide)+0.5)/ditherSide)
	}
	out := probe.PackedRadiance.Map(&cuda.Frame{}, in)
	var mean [3]float64
	for i, v := range out {
		mean[i%3] += float64(v) / (ditherSide * ditherSide)
	}
	return mean
}

// Packing keeps a radiance's mean: within 0.1 % for each channel that is more than a thousandth of the light, and within
// a hundred-thousandth of the light for any.
func TestPackedRadianceKeepsTheMean(t *testing.T) {
	r := newRandom(23)
	var deviation, channels float64
	for range 1000 {
		var rgb [3]float32
		var sum float64
		for c := range rgb {
			rgb[c] = float32(math.Pow(10, 10*r.Float64()-5))
			sum += float64(rgb[c])
		}
		for c, got := range packedMean(rgb) {
			off := math.Abs(got - float64(rgb[c]))
			if off > 1e-5*sum {
				t.Fatalf("%v: channel %d has a mean of %g", rgb, c, got)
			}
			if float64(rgb[c]) > 1e-3*sum {
				deviation += off / float64(rgb[c])
				channels++
			}
		}
	}
	if mean := deviation / channels; mean > 1e-3 || channels < 1000 {
		t.Errorf("mean error of %.4f %% over %.0f channels", 100*mean, channels)
	}
}

// A single packing is off by its step at most, black stays black, and the sum of the channels is kept.
func TestPackedRadianceRoundTrip(t *testing.T) {
	r := newRandom(24)
	for _, rgb := range [][3]float32{{}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}, {1e-20, 0, 1e-20}, {3e4, 1, 1e-4}, {1e30, 1e30, 0}} {
		for range 100 {
			out := probe.PackedRadiance.Map(&cuda.Frame{}, []float32{rgb[0], rgb[1], rgb[2], unit(r), unit(r)})
			sum := float64(rgb[0]) + float64(rgb[1]) + float64(rgb[2])
			total := float64(out[0]) + float64(out[1]) + float64(out[2])
			for c := range rgb {
				if off := math.Abs(float64(out[c]) - float64(rgb[c])); !(off <= 2.01/65535*sum) || out[c] < 0 {
					t.Fatalf("%v came back as %v", rgb, out)
				}
			}
			if !(math.Abs(total-sum) <= 1e-6*sum) {
				t.Fatalf("%v: the sum is %g, was %g", rgb, total, sum)
			}
		}
	}
}

// A normal comes back as a unit vector within the octahedron's step, everywhere on the sphere.
func TestPackedNormalRoundTrip(t *testing.T) {
	r := newRandom(25)
	normals := []vec{{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}, vec{1, 1, -1}.unit(), vec{-1, -1, -1e-6}.unit()}
	for range 10_000 {
		normals = append(normals, direction(r))
	}
	worst := 0.0
	for _, n := range normals {
		out := probe.PackedNormal.Map(&cuda.Frame{}, float32s(n))
		got := vec{float64(out[0]), float64(out[1]), float64(out[2])}
		if math.Abs(got.length()-1) > 1e-6 {
			t.Fatalf("%v came back with length %g", n, got.length())
		}
		worst = max(worst, got.cross(n).length())
		if got.dot(n) < 0 {
			t.Fatalf("%v came back as %v", n, got)
		}
	}
	// Half a step in x and y moves z by twice as much, and the middle of a face is 1/√3 from the centre.
	if bound := math.Sqrt((1+1+4)*3) / 65535; worst > bound {
		t.Errorf("a normal turned by %.3g rad, want %.3g at most", worst, bound)
	}
}
