package metric

import (
	"math"
	"testing"

	"glint/tracer/imageio"
)

// gradients and hashed are the inputs that the published evaluator was given too.
func gradients(width, height int) *imageio.Image {
	return picture(width, height, func(x, y, c int) float32 {
		return [3]float32{float32(x) / float32(width-1), float32(y) / float32(height-1), float32(x+y) / float32(width+height-2)}[c]
	})
}

func hashed(width, height int, seed uint32) *imageio.Image {
	return picture(width, height, func(_, _, _ int) float32 {
		seed = seed*1664525 + 1013904223
		return float32(seed>>16) / 65535
	})
}

func noisyGradients() (test, ref *imageio.Image) {
	ref = gradients(40, 28)
	noise := hashed(40, 28, 7)
	test = picture(40, 28, func(x, y, c int) float32 {
		i := 3*(40*y+x) + c
		return min(max(ref.Pix[i]+0.25*(noise.Pix[i]-0.5), 0), 1)
	})
	return test, ref
}

// The wanted values are those of the authors' evaluator (flip-evaluator 1.7) on the same pictures.
func TestFLIPAgreesWithPublishedEvaluator(t *testing.T) {
	const tolerance = 2e-4 // the evaluator works in single precision
	test, ref := noisyGradients()
	tests := []struct {
		name                                 string
		pixelsPerDegree                      float64
		mean, corner, middle, opposite, peak float64
	}{
		{"usual distance", DefaultPixelsPerDegree, 0.139664, 0.608212, 0.195753, 0.231904, 0.608212},
		{"closer", 30, 0.244598, 0.774770, 0.281315, 0.274943, 0.774770},
	}
	for _, want := range tests {
		t.Run(want.name, func(t *testing.T) {
			m, err := FLIP(test, ref, want.pixelsPerDegree)
			if err != nil {
				t.Fatal(err)
			}
			checkMap(t, m, [5]float64{want.mean, want.corner, want.middle, want.opposite, want.peak}, tolerance)
		})
	}
}

func TestHDRFLIPAgreesWithPublishedEvaluator(t *testing.T) {
	base, noise := gradients(40, 28), hashed(40, 28, 7)
	ref := picture(40, 28, func(x, y, c int) float32 {
		v := base.Pix[3*(40*y+x)+c]
		return v*v*8 + 0.01
	})
	test := picture(40, 28, func(x, y, c int) float32 {
		i := 3*(40*y+x) + c
		return ref.Pix[i] * (1 + 0.5*(noise.Pix[i]-0.5))
	})
	exposures, err := Exposures(ref)
	if err != nil {
		t.Fatal(err)
	}
	wantNear(t, "start exposure", exposures.Start, -1.918505072593689, 1e-5)
	wantNear(t, "stop exposure", exposures.Stop, -0.09159720689058304, 1e-5)
	if exposures.Count != 2 {
		t.Errorf("%d exposures, want 2", exposures.Count)
	}
	m, err := HDRFLIP(test, ref, DefaultPixelsPerDegree)
	if err != nil {
		t.Fatal(err)
	}
	checkMap(t, m, [5]float64{0.080383, 0.010475, 0.146299, 0.136659, 0.252715}, 2e-4)
}

// checkMap compares the mean, three pixels and the peak of a 40×28 map.
func checkMap(t *testing.T, m *Map, want [5]float64, tolerance float64) {
	t.Helper()
	peak := float32(0)
	for _, v := range m.Pix {
		peak = max(peak, v)
	}
	at := func(x, y int) float64 { return float64(m.Pix[y*m.Width+x]) }
	wantNear(t, "mean", m.Mean(), want[0], tolerance)
	wantNear(t, "pixel (0, 0)", at(0, 0), want[1], tolerance)
	wantNear(t, "pixel (20, 14)", at(20, 14), want[2], tolerance)
	wantNear(t, "pixel (39, 27)", at(39, 27), want[3], tolerance)
	wantNear(t, "peak", float64(peak), want[4], tolerance)
}

func TestFLIPExtremes(t *testing.T) {
	green := picture(9, 9, func(_, _, c int) float32 { return float32(c % 2) })
	blue := picture(9, 9, func(_, _, c int) float32 { return float32(c / 2) })
	tests := []struct {
		name string
		a, b *imageio.Image
		want float64
	}{
		{"identical", gradients(9, 9), gradients(9, 9), 0},
		{"clipped to the same", flat(9, 9, 7), flat(9, 9, 1), 0},
		{"green and blue are the farthest colours", green, blue, 1},
		// Flat pictures have no features, so the error is that of colour alone: L* differs by 100, the bend lies beyond.
		{"black and white", flat(9, 9, 0), flat(9, 9, 1), blackAndWhite()},
	}
	for _, test := range tests {
		for _, pair := range [][2]*imageio.Image{{test.a, test.b}, {test.b, test.a}} {
			m, err := FLIP(pair[0], pair[1], DefaultPixelsPerDegree)
			if err != nil {
				t.Fatal(err)
			}
			for _, v := range m.Pix {
				if math.Abs(float64(v)-test.want) > 1e-5 {
					t.Fatalf("%s: %v, want %v", test.name, v, test.want)
				}
			}
		}
	}
}

// blackAndWhite computes the error of two greys from CIE L*a*b* values of the sRGB primaries found in tables: green
// (87.735, −86.183, 83.180), blue (32.299, 79.191, −107.865); hence 0.9674.
func blackAndWhite() float64 {
	da := 0.87735*-86.183 - 0.32299*79.191
	db := 0.87735*83.180 + 0.32299*107.865
	largest := math.Pow(87.735-32.299+math.Hypot(da, db), 0.7)
	bend := 0.4 * largest
	return 0.95 + 0.05*(math.Pow(100, 0.7)-bend)/(largest-bend)
}

func TestFLIPIsSymmetric(t *testing.T) {
	test, ref := noisyGradients()
	forth, err := FLIP(test, ref, DefaultPixelsPerDegree)
	if err != nil {
		t.Fatal(err)
	}
	back, err := FLIP(ref, test, DefaultPixelsPerDegree)
	if err != nil {
		t.Fatal(err)
	}
	for i := range forth.Pix {
		if forth.Pix[i] != back.Pix[i] {
			t.Fatalf("pixel %d: %v one way, %v the other", i, forth.Pix[i], back.Pix[i])
		}
	}
}

func TestHDRFLIPSeesHighlightsAndShadows(t *testing.T) {
	// Left half in shadow, right half a thousand times brighter; each test differs in one half only.
	scene := func(dark, bright float32) *imageio.Image {
		return picture(64, 32, func(x, _, _ int) float32 {
			if x < 40 {
				return 0.01 * dark
			}
			return 10 * bright
		})
	}
	ref := scene(1, 1)
	for name, test := range map[string]*imageio.Image{"shadow": scene(0.7, 1), "highlight": scene(1, 0.7)} {
		m, err := HDRFLIP(test, ref, DefaultPixelsPerDegree)
		if err != nil {
			t.Fatal(err)
		}
		if m.Mean() < 0.03 {
			t.Errorf("an error of 30 %% in the %s gives only %v", name, m.Mean())
		}
	}
	same, err := HDRFLIP(ref, ref, DefaultPixelsPerDegree)
	if err != nil || same.Mean() != 0 {
		t.Errorf("identical pictures give %v, %v", same.Mean(), err)
	}
	if _, err := HDRFLIP(ref, flat(64, 32, 0), DefaultPixelsPerDegree); err == nil {
		t.Error("a black reference was accepted")
	}
}

func TestFLIPRefusesViewingConditions(t *testing.T) {
	img := flat(4, 4, 1)
	for _, ppd := range []float64{0, -1, math.NaN(), math.Inf(1), 1e9} {
		if _, err := FLIP(img, img, ppd); err == nil {
			t.Errorf("%v pixels per degree were accepted", ppd)
		}
	}
}

func TestHeatmap(t *testing.T) {
	m := &Map{Width: 5, Height: 1, Pix: []float32{0, 0.5, 1, 7, float32(math.NaN())}}
	img := Heatmap(m, 1)
	want := [5][3]uint8{{0, 0, 4}, {181, 54, 122}, {252, 253, 191}, {252, 253, 191}, {252, 253, 191}}
	for x, w := range want {
		c := img.NRGBAAt(x, 0)
		if [3]uint8{c.R, c.G, c.B} != w || c.A != 255 {
			t.Errorf("value %v is %v, want %v", m.Pix[x], c, w)
		}
	}
}

func BenchmarkFLIP720p(b *testing.B) {
	test, ref := hashed(1280, 720, 1), hashed(1280, 720, 2)
	for b.Loop() {
		if _, err := FLIP(test, ref, DefaultPixelsPerDegree); err != nil {
			b.Fatal(err)
		}
	}
}
