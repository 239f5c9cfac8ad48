package chart_test

import (
	"image"
	"image/color"
	"math"
	"strings"
	"testing"
	"time"

	"glint/tracer/chart"
)

// count is how many pixels of a picture, alpha apart, have a colour.
func count(img *image.NRGBA, c color.NRGBA) int {
	n := 0
	for i := 0; i < len(img.Pix); i += 4 {
		if img.Pix[i] == c.R && img.Pix[i+1] == c.G && img.Pix[i+2] == c.B {
			n++
		}
	}
	return n
}

func TestCurves(t *testing.T) {
	falling := []chart.Point{{1, 1}, {10, 0.1}, {100, 0.01}}
	img, err := chart.Curves(900, 400,
		chart.Panel{Title: "time", X: "seconds", Y: "relMSE", Curves: []chart.Curve{
			{Name: "A" + strings.Repeat(" with many flags", 20), Points: falling, Color: chart.Color(0)},
			{Name: "never positive", Points: []chart.Point{{0, 1}, {1, 0}, {1, math.NaN()}, {math.Inf(1), 1}}, Color: chart.Color(1)},
		}},
		chart.Panel{Title: "one point", X: "samples", Y: "relMSE", Curves: []chart.Curve{
			{Name: "B", Points: falling[:1], Color: chart.Color(2)},
		}})
	if err != nil {
		t.Fatal(err)
	}
	if img.Rect.Dx() != 900 || img.Rect.Dy() != 400 {
		t.Errorf("size %v", img.Rect)
	}
	line, point := count(img, chart.Color(0)), count(img, chart.Color(2))
	if line < 300 || point < 9 || count(img, chart.Color(1)) > 0 {
		t.Errorf("%d pixels of the line, %d of the point, %d of the curve that cannot be shown", line, point, count(img, chart.Color(1)))
	}
	for y := range 400 {
		if img.NRGBAAt(3, y) != (color.NRGBA{255, 255, 255, 255}) {
			t.Fatal("the legend goes beyond its panel")
		}
	}
}

// TestManyPoints: hundreds of thousands of live frames are drawn in seconds.
func TestManyPoints(t *testing.T) {
	points := make([]chart.Point, 100_000)
	for i := range points {
		points[i] = chart.Point{X: float64(i + 1), Y: 0.1 + float64(i%7)*0.01}
	}
	begun := time.Now()
	img, err := chart.Curves(2280, 720, chart.Panel{Curves: []chart.Curve{{Name: "live", Points: points, Color: chart.Color(0)}}})
	if err != nil {
		t.Fatal(err)
	}
	if n := count(img, chart.Color(0)); n < 10_000 || time.Since(begun) > time.Minute {
		t.Errorf("%d pixels in %v", n, time.Since(begun))
	}
}

func TestCurvesRefuse(t *testing.T) {
	for _, panels := range [][]chart.Panel{
		nil, {{}}, {{Curves: []chart.Curve{{Name: "A", Points: []chart.Point{{-1, 1}}}}}}, make([]chart.Panel, 9),
	} {
		if _, err := chart.Curves(900, 400, panels...); err == nil {
			t.Errorf("%d panels without anything to show were drawn", len(panels))
		}
	}
}

func uniform(w, h int, c color.NRGBA) *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	for i := 0; i < len(img.Pix); i += 4 {
		copy(img.Pix[i:], []byte{c.R, c.G, c.B, c.A})
	}
	return img
}

func TestSheet(t *testing.T) {
	red, blue := color.NRGBA{255, 0, 0, 255}, color.NRGBA{0, 0, 255, 255}
	for _, c := range []struct{ width, height, shown int }{
		{32, 24, 384 * 288}, {500, 100, 500 * 100}, {1920, 1080, 960 * 540},
	} {
		sheet := chart.Sheet{
			Title: "two ways", Columns: []string{"A --integrator path", "B"},
			Rows: []chart.Row{
				{Name: "raw", Cells: []chart.Cell{{Picture: uniform(c.width, c.height, red), Caption: "relMSE 0.1\nFLIP 0.2"}, {}}},
				{Name: "denoised", Cells: []chart.Cell{{Caption: "nothing"}, {Picture: uniform(c.width, c.height, blue)}}},
			},
		}
		img, err := sheet.Draw()
		if err != nil {
			t.Fatal(err)
		}
		if r, b := count(img, red), count(img, blue); r != c.shown || b != c.shown {
			t.Errorf("%d×%d: %d and %d pixels shown, want %d", c.width, c.height, r, b, c.shown)
		}
		if white := count(img, color.NRGBA{235, 235, 235, 255}); white == 0 {
			t.Error("the title is not to be seen")
		}
	}
}

func TestSheetWrapsLongCaptions(t *testing.T) {
	height := func(caption string) int {
		sheet := chart.Sheet{Columns: []string{"A"}, Rows: []chart.Row{{Cells: []chart.Cell{{Picture: uniform(400, 10, color.NRGBA{}), Caption: caption}}}}}
		img, err := sheet.Draw()
		if err != nil {
			t.Fatal(err)
		}
		return img.Rect.Dy()
	}
	long := "a caption of so many words that no cell of four hundred pixels could ever show all of it in a single line"
	one, two := height("one line"), height("two\nlines")
	if wrapped := height(long); one >= two || wrapped < two {
		t.Errorf("height %d of one line, %d of two, %d of a long one", one, two, wrapped)
	}
}

func TestSheetRefuses(t *testing.T) {
	small, large := uniform(4, 4, color.NRGBA{}), uniform(5, 4, color.NRGBA{})
	for name, sheet := range map[string]chart.Sheet{
		"empty":          {Columns: []string{"A"}},
		"too many cells": {Columns: []string{"A"}, Rows: []chart.Row{{Cells: make([]chart.Cell, 2)}}},
		"two sizes":      {Columns: []string{"A", "B"}, Rows: []chart.Row{{Cells: []chart.Cell{{Picture: small}, {Picture: large}}}}},
	} {
		if _, err := sheet.Draw(); err == nil {
			t.Errorf("%s: was drawn", name)
		}
	}
}
