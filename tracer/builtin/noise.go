package builtin

import "math"

// noise is gradient noise over a torus (Perlin 2002, "Improving Noise"): zero at lattice points, about −0.7…0.7, and it repeats
// after px cells in x and py cells in y.
func noise(x, y float64, px, py int, seed uint32) float64 {
	fx, fy := math.Floor(x), math.Floor(y)
	x0, x1 := wrap(int32(fx), int32(px))
	y0, y1 := wrap(int32(fy), int32(py))
	x, y = x-fx, y-fy
	u, v := fade(x), fade(y)
	bottom := mix(gradient(x0, y0, seed, x, y), gradient(x1, y0, seed, x-1, y), u)
	top := mix(gradient(x0, y1, seed, x, y-1), gradient(x1, y1, seed, x-1, y-1), u)
	return mix(bottom, top, v)
}

// fbm sums octaves of noise, each twice as fine and half as strong.
func fbm(x, y float64, px, py, octaves int, seed uint32) float64 {
	sum, gain := 0.0, 1.0
	for i := range octaves {
		sum += gain * noise(x, y, px, py, seed+uint32(i))
		x, y, px, py, gain = 2*x, 2*y, 2*px, 2*py, gain/2
	}
	return sum
}

// wrap is i and i + 1 modulo n, never negative.
func wrap(i, n int32) (here, next uint32) {
	i = (i%n + n) % n
	return uint32(i), uint32((i + 1) % n)
}

func fade(t float64) float64 { return t * t * t * (t*(t*6-15) + 10) }

func mix(a, b, t float64) float64 { return a + (b-a)*t }

// power is |x|ᵖ with the sign of x.
func power(x, p float64) float64 { return math.Copysign(math.Pow(math.Abs(x), p), x) }

// smoothstep rises from 0 at a to 1 at b.
func smoothstep(a, b, x float64) float64 {
	t := min(max((x-a)/(b-a), 0), 1)
	return t * t * (3 - 2*t)
}

// gradients are eight directions of one length.
var gradients = [8][2]float64{{1, 1}, {1, -1}, {-1, 1}, {-1, -1}, {math.Sqrt2, 0}, {-math.Sqrt2, 0}, {0, math.Sqrt2}, {0, -math.Sqrt2}}

// gradient is the dot product of (x, y) with the direction that the lattice point chooses.
func gradient(ix, iy, seed uint32, x, y float64) float64 {
	g := &gradients[hash(ix, iy, seed)>>29]
	return g[0]*x + g[1]*y
}

// hash mixes two coordinates and a seed; its high bits are good.
func hash(x, y, seed uint32) uint32 {
	h := x*0x9e3779b1 ^ y*0x85ebca77 ^ seed*0xc2b2ae3d
	h ^= h >> 15
	h *= 0x2c1b3c6d
	h ^= h >> 12
	h *= 0x297a2d39
	return h ^ h>>15
}
