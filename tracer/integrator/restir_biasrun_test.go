package integrator_test

import (
	"math"
	"testing"

	"glint/tracer/imageio"
	"glint/tracer/tracertest"
)

// biasRun collects independent runs until they can tell a small bias, and compares their mean with what is right.
type biasRun struct {
	least, most int // runs
	a           tracertest.Side
	b           *tracertest.Side
}

// longRuns are those of the full version.
func longRuns(b *tracertest.Side) biasRun { return biasRun{least: 1024, most: 2048, b: b} }

// batch is how many runs are made between two looks at the power.
const batch = 256

// render makes runs with seeds from 1 on. It stops early only for power, which does not depend on what is right.
func (g *biasRun) render(t *testing.T, run func(seed int) *imageio.Image) {
	t.Helper()
	for seed := 1; seed <= g.most; seed++ {
		if err := g.a.Add(run(seed)); err != nil {
			t.Fatal(err)
		}
		if seed >= g.least && seed%batch == 0 && g.result(t).Powerful() {
			return
		}
	}
}

// planted is what the runs would have said, had their weights been 1 % too large.
func (g *biasRun) planted(t *testing.T) tracertest.Side {
	t.Helper()
	const factor = 1.01
	e, err := g.a.Estimate()
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range append([]*tracertest.Moment{&e.Image}, pointers(e.Tiles)...) {
		for q := range m.Mean {
			m.Mean[q] *= factor
			m.StandardError[q] *= factor
		}
	}
	side := tracertest.Side{}
	if err := side.Know(e); err != nil {
		t.Fatal(err)
	}
	return side
}

func pointers[T any](s []T) []*T {
	var out []*T
	for i := range s {
		out = append(out, &s[i])
	}
	return out
}

func (g *biasRun) result(t *testing.T) tracertest.Result { return agreement(t, g.a, *g.b) }

func agreement(t *testing.T, a, b tracertest.Side) tracertest.Result {
	t.Helper()
	g := tracertest.Agreement{A: a, B: b}
	r, err := g.Result()
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// check applies the bounds of tracertest.Agreement, and wants weights 1 % too large to be found out. In the fast version
// coarse > 0 asks for less: that the image's standard error is at most so much, its difference within three of them, and
// at most one tile, of so few, beyond 3.
func (g *biasRun) check(t *testing.T, coarse float64) {
	t.Helper()
	r := g.result(t)
	t.Logf("%d runs: max z %.2f, %.1f %% of tiles beyond 3, difference %.3f %%; standard error %.3f %% of the image, %.3f %% of a tile", r.RunsA,
		r.MaxZ, 100*r.ShareBeyond3, 100*r.GlobalRelativeDifference, 100*r.ImageStandardError, 100*r.TileStandardError)
	if tracertest.Long() || coarse == 0 {
		if err := r.Check(); err != nil {
			t.Error(err)
		}
		if agreement(t, g.planted(t), *g.b).Check() == nil {
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
