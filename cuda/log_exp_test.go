package cuda_test

import (
	"math"
	"testing"

	"glint/cuda"
	"glint/cuda/probe"
)

// worst is the largest error of f over the numbers in; it takes and gives one number.
func worst(f probe.Function, in []float32, err func(x, got float64) float64) (most, at float64) {
	for i, y := range f.Map(&cuda.Frame{}, in) {
		x := float64(in[i])
		if e := math.Abs(err(x, float64(y))); !(e <= most) {
			most, at = e, x
		}
	}
	return most, at
}

func TestFastLog2(t *testing.T) {
	var in []float32
	for ev := -126.0; ev < 127; ev += 1. / 4096 {
		in = append(in, float32(math.Exp2(ev)))
	}
	// Beside the polynomial's error there is the rounding of the result, half of its last bit.
	most, at := worst(probe.FastLog2, in, func(x, got float64) float64 {
		want := math.Log2(x)
		return max(0, math.Abs(got-want)-math.Abs(want)*0x1p-24)
	})
	t.Logf("fastLog2 is within %.2g, at %g", most, at)
	if !(most <= 2e-7) {
		t.Errorf("fastLog2(%g) is off by %g", at, most)
	}
	if got := probe.FastLog2.Map(&cuda.Frame{}, []float32{1, 2, 0.125}); got[0] != 0 || got[1] != 1 || got[2] != -3 {
		t.Errorf("log2 of 1, 2 and ⅛ is %v", got)
	}
}

func TestFastExp2(t *testing.T) {
	var in []float32
	for x := -126.0; x < 127; x += 1. / 4096 {
		in = append(in, float32(x))
	}
	most, at := worst(probe.FastExp2, in, func(x, got float64) float64 { return got/math.Exp2(x) - 1 })
	t.Logf("fastExp2 is within %.2g of itself, at %g", most, at)
	if !(most <= 2e-7) {
		t.Errorf("fastExp2(%g) is off by %g of itself", at, most)
	}
	if got := probe.FastExp2.Map(&cuda.Frame{}, []float32{0, 1, -3}); got[0] != 1 || got[1] != 2 || got[2] != 0.125 {
		t.Errorf("2^0, 2^1 and 2^−3 are %v", got)
	}
}

// The power of the sRGB transfer function, over where it is used, to a two-thousandth of a step of 8 bits.
func TestFastPow(t *testing.T) {
	most, at := 0.0, 0.0
	const steps = 1 << 18
	for i := range steps {
		x := 0.0031308 + (1-0.0031308)*float64(i)/(steps-1)
		got := probe.FastPow.Map(&cuda.Frame{}, []float32{float32(x), 1 / 2.4})[0]
		if e := math.Abs(float64(got) - math.Pow(float64(float32(x)), 1/2.4)); !(e <= most) {
			most, at = e, x
		}
	}
	t.Logf("fastPow is within %.2g, at %g", most, at)
	if !(most <= 5e-7) {
		t.Errorf("%g^(1/2.4) is off by %g", at, most)
	}
	if got := probe.FastPow.Map(&cuda.Frame{}, []float32{0, 1 / 2.4, 1, 1 / 2.4}); !(got[0] < 1e-15) || got[1] != 1 {
		t.Errorf("0 and 1 to the power 1/2.4 are %v", got)
	}
}
