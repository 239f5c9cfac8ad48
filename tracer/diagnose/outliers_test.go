package diagnose_test

import (
	"math/rand/v2"
	"testing"

	"glint/tracer/diagnose"
	"glint/tracer/imageio"
)

// TestOutliers: lone dots are found, brightest first; edges, lamps of several pixels and plain noise are none.
func TestOutliers(t *testing.T) {
	const w, h = 64, 48
	img := &imageio.Image{Width: w, Height: h, Pix: make([]float32, 3*w*h)}
	random := rand.New(rand.NewPCG(1, 1))
	put := func(x, y int, l float32) {
		for k := range 3 {
			img.Pix[3*(y*w+x)+k] = l
		}
	}
	for y := range h {
		for x := range w {
			l := float32(0.5 + random.Float64())
			if x > 40 {
				l *= 100 // beyond an edge
			}
			put(x, y, l)
		}
	}
	for y := 20; y < 23; y++ { // a lamp
		for x := 10; x < 13; x++ {
			put(x, y, 500)
		}
	}
	if found := diagnose.Outliers(img); len(found) > 0 {
		t.Errorf("there are none, but %v were found", found)
	}
	put(5, 5, 40)
	put(30, 40, 90)
	put(0, 0, 60)
	found := diagnose.Outliers(img)
	if len(found) != 3 || found[0].X != 30 || found[0].Y != 40 {
		t.Errorf("found %v, want three, the first at 30, 40", found)
	}
	put(50, 10, 1e5)
	if found := diagnose.Outliers(img); len(found) != 4 {
		t.Errorf("found %v, want one more among the bright", found)
	}
}
