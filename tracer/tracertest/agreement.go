package tracertest

import (
	"errors"
	"fmt"
	"math"
)

// The bounds of the test: what two fair estimates keep and a bias of 1 % does not. They are meant for 16×16 tiles.
const (
	minRuns             = 64    // a side, unless it is known
	maxZ                = 5.4   // one chance in ten million a tile: holds over a whole suite of tests
	maxShareBeyond3     = 0.02  // of tiles
	maxGlobalDifference = 0.002 // of the mean
	maxTileError        = 0.005 // of the mean
	maxImageError       = 0.001 // of the mean
)

// roundingError is what single precision may do to a mean of many samples, as a share of it: the standard error of a
// tile is never taken for less, or a tile without noise would fail by its last bit.
const roundingError = 1e-5

// Agreement decides whether two renderings estimate the same picture. The tile means of independent runs with fixed
// seeds are the samples; no normality of pixels is assumed, only that of means over runs.
type Agreement struct{ A, B Side }

// Result is the outcome of an Agreement.
type Result struct {
	RunsA, RunsB int // 0 for a side that is known exactly

	// MaxZ is the largest difference of the two means of a tile, over luminance and the three channels, in standard
	// errors of that difference; WorstTile is where (column, row).
	MaxZ      float64
	WorstTile [2]int
	// ShareBeyond3 is the share of tiles whose luminances differ by more than 3 standard errors.
	ShareBeyond3 float64
	// GlobalRelativeDifference is that of the pictures' mean luminances: |A−B| over the mean of both.
	GlobalRelativeDifference float64
	// TileStandardError is the root mean square over tiles of the standard error of the difference in luminance, over
	// the mean luminance of the picture. ImageStandardError is that of the whole picture. They are the test's power.
	TileStandardError, ImageStandardError float64
}

// Result compares what the two sides have seen so far.
func (g *Agreement) Result() (Result, error) {
	a, err := g.A.Estimate()
	if err != nil {
		return Result{}, fmt.Errorf("side A: %w", err)
	}
	b, err := g.B.Estimate()
	if err != nil {
		return Result{}, fmt.Errorf("side B: %w", err)
	}
	if a.Width != b.Width || a.Height != b.Height {
		return Result{}, fmt.Errorf("side A is %d×%d but side B is %d×%d", a.Width, a.Height, b.Width, b.Height)
	}
	mean := (a.Image.Mean[0] + b.Image.Mean[0]) / 2
	if !(mean > 0) {
		return Result{}, errors.New("both pictures are black: there is nothing to compare")
	}
	r := Result{RunsA: a.Runs, RunsB: b.Runs}
	r.GlobalRelativeDifference = math.Abs(a.Image.Mean[0]-b.Image.Mean[0]) / mean
	r.ImageStandardError = standardError(&a.Image, &b.Image, 0) / mean
	r.compareTiles(&a, &b, mean)
	return r, nil
}

func (r *Result) compareTiles(a, b *Estimate, mean float64) {
	beyond, variance := 0, 0.0
	for t := range a.Tiles {
		for q := range quantities {
			if z := zScore(&a.Tiles[t], &b.Tiles[t], q); z > r.MaxZ {
				r.MaxZ = z
				r.WorstTile = [2]int{t % tilesAcross(a.Width), t / tilesAcross(a.Width)}
			}
		}
		if zScore(&a.Tiles[t], &b.Tiles[t], 0) > 3 {
			beyond++
		}
		e := standardError(&a.Tiles[t], &b.Tiles[t], 0)
		variance += e * e
	}
	r.ShareBeyond3 = float64(beyond) / float64(len(a.Tiles))
	r.TileStandardError = math.Sqrt(variance/float64(len(a.Tiles))) / mean
}

// zScore is the difference of two means in standard errors; two black tiles agree.
func zScore(a, b *Moment, q int) float64 {
	difference := math.Abs(a.Mean[q] - b.Mean[q])
	if difference == 0 {
		return 0
	}
	rounding := roundingError * max(math.Abs(a.Mean[q]), math.Abs(b.Mean[q]))
	return difference / math.Hypot(standardError(a, b, q), rounding)
}

// standardError of the difference of two independent means.
func standardError(a, b *Moment, q int) float64 {
	return math.Hypot(a.StandardError[q], b.StandardError[q])
}

// Powerful tells whether the runs suffice for Check to see a bias of 1 %.
func (r Result) Powerful() bool {
	return r.TileStandardError <= maxTileError && r.ImageStandardError <= maxImageError
}

// Check applies the bounds. The error says which failed and by how much; a lack of power means that the test needs
// more runs or samples, not that the pictures differ.
func (r Result) Check() error {
	var failures []error
	for _, side := range []struct {
		name string
		runs int
	}{{"A", r.RunsA}, {"B", r.RunsB}} {
		if side.runs != 0 && side.runs < minRuns {
			failures = append(failures, fmt.Errorf("side %s has %d runs: the test needs %d", side.name, side.runs, minRuns))
		}
	}
	for _, bound := range []struct {
		what         string
		value, limit float64
	}{
		{fmt.Sprintf("pictures differ: max |z| at tile %v", r.WorstTile), r.MaxZ, maxZ},
		{"pictures differ: share of tiles beyond 3 standard errors", r.ShareBeyond3, maxShareBeyond3},
		{"pictures differ: global relative difference", r.GlobalRelativeDifference, maxGlobalDifference},
		{"no power, add runs: tile standard error over the mean", r.TileStandardError, maxTileError},
		{"no power, add runs: image standard error over the mean", r.ImageStandardError, maxImageError},
	} {
		if !(bound.value <= bound.limit) {
			failures = append(failures, fmt.Errorf("%s is %.4g, above %.4g", bound.what, bound.value, bound.limit))
		}
	}
	return errors.Join(failures...)
}
