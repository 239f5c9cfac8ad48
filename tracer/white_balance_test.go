package tracer_test

import (
	"bytes"
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"glint/tracer"
	"glint/tracer/imageio"
	"glint/tracer/settings"
	"glint/tracer/view"
)

// Chromaticities of CIE 15:2004, tables T.3 (A, D50, D55, D65, D75) and of black bodies (Wyszecki and Stiles 1982, table
// 1(3.11.1)).
func TestChromaticities(t *testing.T) {
	for _, c := range []struct{ kelvin, x, y float64 }{
		{2856, 0.44757, 0.40745}, {2000, 0.52669, 0.41331}, {2500, 0.47701, 0.41368}, {3000, 0.43693, 0.40407}, {3500, 0.40530, 0.39073},
		{5000, 0.34567, 0.35850}, {5500, 0.33242, 0.34743}, {6500, 0.31272, 0.32903}, {7500, 0.29902, 0.31485},
	} {
		x, y := tracer.Chromaticity(c.kelvin)
		if math.Abs(x-c.x) > 6e-4 || math.Abs(y-c.y) > 6e-4 {
			t.Errorf("%g K: (%.5f, %.5f), want (%.5f, %.5f)", c.kelvin, x, y, c.x, c.y)
		}
	}
	for _, c := range []struct{ kelvin, x, y float64 }{{5000, 0.34567, 0.35850}, {6500, 0.31272, 0.32903}, {7500, 0.29902, 0.31485}} {
		// The formula for y is to 1e-4 of the tables.
		if x, y := tracer.Daylight(c.kelvin); math.Abs(x-c.x) > 3e-5 || math.Abs(y-c.y) > 1.5e-4 {
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
		m := tracer.Adaptation(c.from, c.to)
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
	space := tracer.Rec709ToXYZ()
	for kelvin := 2000.; kelvin <= 15000; kelvin += 250 {
		for tint := -100.; tint <= 100; tint += 50 {
			m := tracer.Balance(kelvin, tint)
			white := space.Inv().Mul3x1(tracer.WhiteOf(kelvin, tint))
			neutral := space.Inv().Mul3x1(tracer.WhiteOf(6500, 0))
			if got := m.Mul3x1(white); got.Sub(neutral).Len() > 1e-12 {
				t.Fatalf("%g K, tint %g: white becomes %v, want %v", kelvin, tint, got, neutral)
			}
			back := space.Inv().Mul3(tracer.Adaptation(tracer.WhiteOf(6500, 0), tracer.WhiteOf(kelvin, tint))).Mul3(space)
			if got := back.Mul3(m); far(got, mgl64.Ident3()) > 1e-12 {
				t.Fatalf("%g K, tint %g: there and back is %v", kelvin, tint, got)
			}
		}
	}
	if m := tracer.Balance(6500, 0); far(m, mgl64.Ident3()) > 1e-12 {
		t.Errorf("6500 K changes colours by %v", m)
	}
	grey := mgl64.Vec3{1, 1, 1}
	if c := tracer.Balance(3200, 0).Mul3x1(grey); !(c[2] > c[1] && c[1] > c[0]) {
		t.Errorf("for light of 3200 K grey becomes %v, want it bluish", c)
	}
	if c := tracer.Balance(10000, 0).Mul3x1(grey); !(c[0] > c[1] && c[1] > c[2]) {
		t.Errorf("for light of 10000 K grey becomes %v, want it yellowish", c)
	}
	if c := tracer.Balance(6500, 50).Mul3x1(grey); !(c[0] > c[1] && c[2] > c[1]) {
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
		x, y := tracer.Chromaticity(kelvin)
		nx, ny := tracer.Chromaticity(kelvin + 10)
		if step := math.Hypot(nx-x, ny-y) * kelvin / 10; step > 0.35 || nx >= x {
			t.Fatalf("at %g K: from (%.5f, %.5f) to (%.5f, %.5f)", kelvin, x, y, nx, ny)
		}
	}
}

// TestFilmBalancesWhite: film does to pixels what the matrix says, and nothing at all at 6500 K.
func TestFilmBalancesWhite(t *testing.T) {
	st, develop := developing(t, 8, 4)
	img := even(8, 4, 0.4, 0.2, 0.3)
	plain := changed(func(s *settings.Settings) { s.ToneMap, s.Dither = "none", false })
	warm := plain
	warm.WhiteBalance, warm.Tint = 4500, 20
	want := tracer.Balance(4500, 20).Mul3x1(mgl64.Vec3{0.4, 0.2, 0.3})
	for c, got := range develop(img, warm)[:3] {
		if e := 255 * encoded(want[c]); math.Abs(float64(got)-e) > 0.51 {
			t.Errorf("channel %d is %d, want %.2f", c, got, e)
		}
	}
	rendered, err := st.r.Radiance()
	if err != nil {
		t.Fatal(err)
	}
	again := plain
	again.WhiteBalance = 6500
	if !bytes.Equal(develop(rendered, plain), develop(rendered, again)) {
		t.Error("6500 K changes pixels")
	}
}

// encoded is the sRGB transfer function (IEC 61966-2-1).
func encoded(x float64) float64 {
	if x = min(max(x, 0), 1); x <= 0.0031308 {
		return 12.92 * x
	}
	return 1.055*math.Pow(x, 1/2.4) - 0.055
}

// developing is a studio that develops pictures of a size.
func developing(t *testing.T, width, height int) (*studio, func(*imageio.Image, settings.Settings) []byte) {
	st, v := blank(t, width, height)
	st.rendered(v, settings.Defaults(), view.Target{})
	return st, func(img *imageio.Image, s settings.Settings) []byte {
		t.Helper()
		out, err := st.r.Develop(img, s)
		if err != nil {
			t.Fatal(err)
		}
		return out.Pix
	}
}

// even is a picture of one colour.
func even(width, height int, r, g, b float32) *imageio.Image {
	img := &imageio.Image{Width: width, Height: height}
	for range width * height {
		img.Pix = append(img.Pix, r, g, b)
	}
	return img
}
