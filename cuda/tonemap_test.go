package cuda_test

import (
	"fmt"
	"math"
	"testing"

	"glint/cuda"
	"glint/cuda/probe"
)

type rgb [3]float64

func tone(c rgb, curve uint32) rgb {
	out := probe.ToneMap.Map(&cuda.Frame{}, []float32{float32(c[0]), float32(c[1]), float32(c[2]), float32(curve)})
	return rgb{float64(out[0]), float64(out[1]), float64(out[2])}
}

// encode is the sRGB transfer function (IEC 61966-2-1).
func encode(c rgb) rgb {
	for i, x := range c {
		x = max(0, min(1, x))
		if x <= 0.0031308 {
			c[i] = 12.92 * x
		} else {
			c[i] = 1.055*math.Pow(x, 1/2.4) - 0.055
		}
	}
	return c
}

func encoded(x float64) float64 { return encode(rgb{x, x, x})[0] }

func apply(m [3]rgb, c rgb) rgb {
	var out rgb
	for i := range 3 {
		out[i] = m[i][0]*c[0] + m[i][1]*c[1] + m[i][2]*c[2]
	}
	return out
}

// inverse of a 3×3 matrix by cofactors.
func inverse(m [3]rgb) [3]rgb {
	var out [3]rgb
	minor := func(i, j int) float64 {
		a, b, c, d := (i+1)%3, (i+2)%3, (j+1)%3, (j+2)%3
		return m[a][c]*m[b][d] - m[a][d]*m[b][c]
	}
	det := m[0][0]*minor(0, 0) + m[0][1]*minor(0, 1) + m[0][2]*minor(0, 2)
	for i := range 3 {
		for j := range 3 {
			out[j][i] = minor(i, j) / det
		}
	}
	return out
}

// reinhard divides by 1 + luminance (Reinhard et al. 2002, equation 3).
func reinhard(c rgb) rgb {
	l := 0.2126*c[0] + 0.7152*c[1] + 0.0722*c[2]
	return encode(rgb{c[0] / (1 + l), c[1] / (1 + l), c[2] / (1 + l)})
}

// aces is Hill's fit with its matrices.
func aces(c rgb) rgb {
	c = apply([3]rgb{{0.59719, 0.35458, 0.04823}, {0.07600, 0.90834, 0.01566}, {0.02840, 0.13383, 0.83777}}, c)
	for i, v := range c {
		c[i] = (v*v + 0.0245786*v - 0.000090537) / (0.983729*v*v + 0.4329510*v + 0.238081)
	}
	return encode(apply([3]rgb{{1.60475, -0.53108, -0.07367}, {-0.10208, 1.10813, -0.00605}, {-0.00327, -0.07276, 1.07602}}, c))
}

// agx follows Sobotka's construction, not the polynomial that the kernel uses: middle grey at the pivot, slope 2 there,
// toe power 3 and shoulder power 13/4, through (0, 0) and (1, 1). The outset is the inset's inverse.
func agx(c rgb) rgb {
	inset := [3]rgb{
		{0.842479062253094, 0.0784335999999992, 0.0792237451477643},
		{0.0423282422610123, 0.878468636469772, 0.0791661274605434},
		{0.0423756549057051, 0.0784336, 0.879142973793104},
	}
	const lowest, range2, pivot = -12.47393, 16.5, 10 / 16.5
	c = apply(inset, c)
	for i, v := range c {
		x := max(0, min(1, (math.Log2(max(v, 1e-10))-lowest)/range2))
		power, length := 3.0, pivot
		if x > pivot {
			power, length = 13.0/4, 1-pivot
		}
		scale := (math.Pow(2*length/0.5, power) - 1) / math.Pow(length, power)
		c[i] = 0.5 + 2*(x-pivot)*math.Pow(1+scale*math.Pow(math.Abs(x-pivot), power), -1/power)
	}
	c = apply(inverse(inset), c)
	for i := range c {
		c[i] = max(0, min(1, c[i]))
	}
	return c
}

// neutral is the Khronos PBR Neutral specification: F90 = 0.04, Ks = 0.8 − F90, Kd = 0.15.
func neutral(c rgb) rgb {
	const f90, ks, kd = 0.04, 0.8 - 0.04, 0.15
	x := min(c[0], c[1], c[2])
	f := f90
	if x <= 2*f90 {
		f = x - x*x/(4*f90)
	}
	p := max(c[0], c[1], c[2]) - f
	n := (1 - ks) * (1 - ks) / (p + 1 - 2*ks)
	pn := 1 - n
	g := 1 / (kd*(p-pn) + 1)
	for i := range c {
		c[i] -= f
		if p > ks {
			c[i] = c[i]*pn/p*g + pn*(1-g)
		}
	}
	return encode(c)
}

// curve is a tone curve with its reference.
type curve struct {
	name      string
	id        uint32
	reference func(rgb) rgb
	tolerance float64
}

func curves() []curve {
	return []curve{
		{"none", cuda.TonemapNone, encode, 2e-6},
		{"reinhard", cuda.TonemapReinhard, reinhard, 2e-6},
		{"aces", cuda.TonemapAces, aces, 5e-6},
		{"agx", cuda.TonemapAgx, agx, 0.012}, // the polynomial's distance from the curve
		{"neutral", cuda.TonemapNeutral, neutral, 3e-6},
	}
}

func TestToneCurvesFollowTheirFormulas(t *testing.T) {
	for _, c := range curves() {
		worst := 0.0
		for ev := -12.0; ev <= 8; ev += 0.25 {
			for _, tint := range []rgb{{1, 1, 1}, {1, 0.2, 0.05}, {0.1, 0.7, 1}, {0.02, 1, 0}} {
				in := rgb{tint[0] * math.Exp2(ev), tint[1] * math.Exp2(ev), tint[2] * math.Exp2(ev)}
				got, want := tone(in, c.id), c.reference(in)
				for i := range 3 {
					if d := math.Abs(got[i] - want[i]); d > c.tolerance {
						t.Errorf("%s of %v: %v, want %v", c.name, in, got, want)
					} else {
						worst = max(worst, d)
					}
				}
			}
		}
		t.Logf("%s: at most %.2g off", c.name, worst)
	}
}

// Published values: sRGB's middle grey; Reinhard's 1 → ½; AgX's middle grey → ½ encoded, 6.5 stops above it white; PBR Neutral's
// identity below its knee and its rational shoulder, worked out by hand from the specification; of ACES the points that its
// tone scale is laid through (ACES 1.0, ACESlib.Tonescales: 0.18 · 2^−6.5, 0.18 and 0.18 · 2^6.5 to 0.02, 4.8 and 48 of 48 cd/m²).
func TestToneCurvesAtPublishedValues(t *testing.T) {
	for _, c := range []struct {
		curve           uint32
		in, want, bound float64
	}{
		{cuda.TonemapNone, 0.18, 0.461356, 1e-5},
		{cuda.TonemapNone, 0.5, 0.735357, 1e-5},
		{cuda.TonemapReinhard, 1, 0.735357, 1e-5},
		{cuda.TonemapAgx, 0.18, 0.5, 0.01},
		{cuda.TonemapAgx, 16.29, 1, 0.012},
		{cuda.TonemapNeutral, 0.54, 0.735357, 1e-5},
		{cuda.TonemapNeutral, 0.8, encoded(0.76), 1e-5},
		{cuda.TonemapNeutral, 1, encoded(1 - 0.0576/0.44), 1e-5},
		{cuda.TonemapNeutral, 10, encoded(1 - 0.0576/9.44), 1e-5},
		{cuda.TonemapNeutral, 0.04, encoded(0.01), 1e-5},
		{cuda.TonemapAces, 1, 0.80, 0.01},
		{cuda.TonemapAces, 0.18 * math.Exp2(-6.5), encoded(0.02 / 48), 0.006},
		{cuda.TonemapAces, 0.18, encoded(4.8 / 48), 0.011},
		{cuda.TonemapAces, 0.18 * math.Exp2(6.5), encoded(48. / 48), 0.005},
	} {
		if got := tone(rgb{c.in, c.in, c.in}, c.curve)[1]; math.Abs(got-c.want) > c.bound {
			t.Errorf("curve %d of grey %g: %g, want %g", c.curve, c.in, got, c.want)
		}
	}
}

func TestToneCurvesRiseWithExposure(t *testing.T) {
	for _, c := range curves() {
		last := -1.0
		for ev := -16.0; ev <= 30; ev += 0.05 {
			x := math.Exp2(ev)
			got := tone(rgb{x, x, x}, c.id)
			if got[0] < last-2e-6 {
				t.Errorf("%s falls from %g to %g at %g EV", c.name, last, got[0], ev)
				break
			}
			last = got[0]
		}
		if last < 0.98 {
			t.Errorf("%s: the brightest grey becomes %g, want white", c.name, last)
		}
	}
}

func TestToneCurvesAtTheirEnds(t *testing.T) {
	for _, c := range curves() {
		if got := tone(rgb{}, c.id); got != (rgb{}) {
			t.Errorf("%s: black becomes %v", c.name, got)
		}
		for _, in := range []rgb{
			{1e9, 1e9, 1e9}, {1e9, 0, 0}, {0, 0, 1e-30}, {-1, -1, -1}, {-0.1, 0.5, 2}, {-1e9, 1, 1e9},
		} {
			got := tone(in, c.id)
			for _, x := range got {
				if !(x >= 0 && x <= 1) {
					t.Errorf("%s of %v is %v", c.name, in, fmt.Sprint(got))
					break
				}
			}
		}
	}
}

// A saturated primary stays the strongest channel until it is nearly white; where a curve treats channels alike, the other two
// stay equal.
func TestToneCurvesKeepPrimaries(t *testing.T) {
	alike := map[string]bool{"none": true, "reinhard": true, "neutral": true}
	for _, c := range curves() {
		for i := range 3 {
			for ev := -6.0; ev <= 4; ev += 0.5 {
				in := rgb{}
				in[i] = math.Exp2(ev)
				got := tone(in, c.id)
				a, b := got[(i+1)%3], got[(i+2)%3]
				if got[i] < 0.99 && (got[i] <= a || got[i] <= b) {
					t.Errorf("%s: %v becomes %v", c.name, in, got)
				}
				if alike[c.name] && math.Abs(a-b) > 1e-6 {
					t.Errorf("%s: %v becomes %v, which has another hue", c.name, in, got)
				}
			}
		}
	}
}

// What is not a number, or negative, never gets into the target: nothing becomes black, infinity white.
func TestFilmOfWhatIsNoNumber(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	values := []float32{nan, inf, -inf, -1, math.MaxFloat32, -math.MaxFloat32}
	sums := make([][4]float32, len(values))
	for i, v := range values {
		sums[i] = [4]float32{v, v, v, 1}
	}
	frame := cuda.Frame{Film: cuda.FilmParams{Accumulation: upload(t, sums), Width: uint32(len(values)), Height: 1}, Display: cuda.DisplayParams{Exposure: 4}}
	for _, c := range curves() {
		for _, display := range []uint32{0, cuda.DisplayDither} {
			frame.Display.ToneMap, frame.Display.Flags = c.id, display
			image := develop(t, cuda.BestVariant(), frame, len(values))
			for i, white := range []bool{false, true, false, false, true, false} {
				if got := image[4*i]; white && got < 250 || !white && got != 0 || image[4*i+3] != 255 {
					t.Errorf("%s: %v becomes %v", c.name, values[i], image[4*i:][:4])
				}
			}
		}
	}
}
