package display

import (
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
)

// Chromaticities of CIE 15:2004, tables T.3 (A, D50, D55, D65, D75) and of black bodies (Wyszecki and Stiles 1982, table
// 1(3.11.1)).
func TestChromaticities(t *testing.T) {
	for _, c := range []struct{ kelvin, x, y float64 }{
		{2856, 0.44757, 0.40745}, {2000, 0.52669, 0.41331}, {2500, 0.47701, 0.41368}, {3000, 0.43693, 0.40407}, {3500, 0.40530, 0.39073},
		{5000, 0.34567, 0.35850}, {5500, 0.33242, 0.34743}, {6500, 0.31272, 0.32903}, {7500, 0.29902, 0.31485},
	} {
		x, y := chromaticity(c.kelvin)
		if math.Abs(x-c.x) > 6e-4 || math.Abs(y-c.y) > 6e-4 {
			t.Errorf("%g K: (%.5f, %.5f), want (%.5f, %.5f)", c.kelvin, x, y, c.x, c.y)
		}
	}
	for _, c := range []struct{ kelvin, x, y float64 }{{5000, 0.34567, 0.35850}, {6500, 0.31272, 0.32903}, {7500, 0.29902, 0.31485}} {
		// The formula for y is to 1e-4 of the tables.
		if x, y := daylight(c.kelvin); math.Abs(x-c.x) > 3e-5 || math.Abs(y-c.y) > 1.5e-4 {
			t.Errorf("daylight of %g K: (%.5f, %.5f), want (%.5f, %.5f)", c.kelvin, x, y, c.x, c.y)
		}
	}
}

// Matrices that Lindbloom publishes (brucelindbloom.com, Chromatic Adaptation), from the whites of ASTM E308.
func TestBradfordMatrices(t *testing.T) {
	a, d50, d65 := mgl64.Vec3{1.09850, 1, 0.35585}, mgl64.Vec3{0.96422, 1, 0.82521}, mgl64.Vec3{0.95047, 1, 1.08883}
	for _, c := range []struct {
		from, to mgl64.Vec3
		rows     [9]float64
	}{
		{a, d65, [9]float64{0.8446965, -0.1179225, 0.3948108, -0.1366303, 1.1041226, 0.1291718, 0.0798489, -0.1348999, 3.1924009}},
		{d50, d65, [9]float64{0.9555766, -0.0230393, 0.0631636, -0.0282895, 1.0099416, 0.0210077, 0.0122982, -0.0204830, 1.3299098}},
	} {
		m := adaptation(c.from, c.to)
		for i, want := range c.rows {
			if got := m.At(i/3, i%3); math.Abs(got-want) > 2e-6 {
				t.Errorf("row %d, column %d: %.7f, want %.7f", i/3, i%3, got, want)
			}
		}
	}
}

// TestBalanceMakesWhite: the light that was chosen becomes neutral, from there and back is nothing, and temperature and tint turn
// the way that they do in a camera.
func TestBalanceMakesWhite(t *testing.T) {
	space := rec709ToXYZ()
	for kelvin := 2000.; kelvin <= 15000; kelvin += 250 {
		for tint := -100.; tint <= 100; tint += 50 {
			m := Balance(kelvin, tint)
			white := space.Inv().Mul3x1(whiteOf(kelvin, tint))
			neutral := space.Inv().Mul3x1(whiteOf(6500, 0))
			if got := m.Mul3x1(white); got.Sub(neutral).Len() > 1e-12 {
				t.Fatalf("%g K, tint %g: white becomes %v, want %v", kelvin, tint, got, neutral)
			}
			back := space.Inv().Mul3(adaptation(whiteOf(6500, 0), whiteOf(kelvin, tint))).Mul3(space)
			if got := back.Mul3(m); far(got, mgl64.Ident3()) > 1e-12 {
				t.Fatalf("%g K, tint %g: there and back is %v", kelvin, tint, got)
			}
		}
	}
	if m := Balance(6500, 0); far(m, mgl64.Ident3()) > 1e-12 {
		t.Errorf("6500 K changes colours by %v", m)
	}
	gray := mgl64.Vec3{1, 1, 1}
	if c := Balance(3200, 0).Mul3x1(gray); !(c[2] > c[1] && c[1] > c[0]) {
		t.Errorf("for light of 3200 K grey becomes %v, want it bluish", c)
	}
	if c := Balance(10000, 0).Mul3x1(gray); !(c[0] > c[1] && c[1] > c[2]) {
		t.Errorf("for light of 10000 K grey becomes %v, want it yellowish", c)
	}
	if c := Balance(6500, 50).Mul3x1(gray); !(c[0] > c[1] && c[2] > c[1]) {
		t.Errorf("for greenish light grey becomes %v, want it magenta", c)
	}
}

// far is the greatest difference of two matrices.
func far(a, b mgl64.Mat3) (most float64) {
	for i := range a {
		most = max(most, math.Abs(a[i]-b[i]))
	}
	return most
}

// The curve of temperatures has no step where one formula follows another.
func TestChromaticityIsSmooth(t *testing.T) {
	for kelvin := 1700.; kelvin < 15000; kelvin += 10 {
		x, y := chromaticity(kelvin)
		nx, ny := chromaticity(kelvin + 10)
		if step := math.Hypot(nx-x, ny-y) * kelvin / 10; step > 0.35 || nx >= x {
			t.Fatalf("at %g K: from (%.5f, %.5f) to (%.5f, %.5f)", kelvin, x, y, nx, ny)
		}
	}
}
