package tracer_test

import (
	"math"
	"testing"

	"glint/tracer/imageio"
	"glint/tracer/metric"
)

// biasRun collects independent runs until they can tell a small bias, and compares their mean with what is right.
type biasRun struct {
	least, most int // runs
	b           *metric.Side
	a, planted  metric.Side // planted: the same pictures, 1 % too bright
}

// batch is how many runs are made between two looks at the power.
const batch = 256

// render makes runs with seeds from 1 on. It stops early only for power, which does not depend on what is right.
func (g *biasRun) render(t *testing.T, run func(seed int) *imageio.Image) {
	t.Helper()
	for seed := 1; seed <= g.most; seed++ {
		img := run(seed)
		for _, add := range []func() error{
			func() error { return g.a.Add(img) },
			func() error { return g.planted.Add(scaled(img, 1.01)) },
		} {
			if err := add(); err != nil {
				t.Fatal(err)
			}
		}
		if seed >= g.least && seed%batch == 0 && g.result(t).Powerful() {
			return
		}
	}
}

// scaled is a copy of a picture, brighter by a factor.
func scaled(img *imageio.Image, factor float32) *imageio.Image {
	out := &imageio.Image{Width: img.Width, Height: img.Height, Pix: make([]float32, len(img.Pix))}
	for i, v := range img.Pix {
		out.Pix[i] = v * factor
	}
	return out
}

func (g *biasRun) result(t *testing.T) metric.Result { return agreement(t, g.a, *g.b) }

func agreement(t *testing.T, a, b metric.Side) metric.Result {
	t.Helper()
	g := metric.Agreement{A: a, B: b}
	r, err := g.Result()
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// check applies the bounds of metric.Agreement, and wants weights 1 % too large to be found out. In the fast version
// coarse > 0 asks for less: that the image's standard error is at most so much, its difference within three of them, and
// at most one tile, of so few, beyond 3.
func (g *biasRun) check(t *testing.T, coarse float64) {
	t.Helper()
	r := g.result(t)
	t.Logf("%d runs: max z %.2f, %.1f %% of tiles beyond 3, difference %.3f %%; standard error %.3f %% of the image, %.3f %% of a tile", r.RunsA,
		r.MaxZ, 100*r.ShareBeyond3, 100*r.GlobalRelativeDifference, 100*r.ImageStandardError, 100*r.TileStandardError)
	if long() || coarse == 0 {
		if err := r.Check(); err != nil {
			t.Error(err)
		}
		if agreement(t, g.planted, *g.b).Check() == nil {
			t.Error("weights that are 1 % too large went unnoticed")
		}
		return
	}
	want, err := g.b.Estimate()
	if err != nil {
		t.Fatal(err)
	}
	beyond := r.ShareBeyond3 * float64(len(want.Tiles))
	if r.MaxZ > 5.4 || beyond > 1.5 || r.GlobalRelativeDifference > math.Max(0.002, 3*r.ImageStandardError) {
		t.Error("reuse shifts the mean")
	}
	if r.ImageStandardError > coarse {
		t.Errorf("the image's standard error is %.4f, above %.4f: add runs", r.ImageStandardError, coarse)
	}
}
