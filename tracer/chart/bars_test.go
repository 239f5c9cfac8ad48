package chart_test

import (
	"math"
	"testing"

	"glint/tracer/chart"
)

func TestBars(t *testing.T) {
	draw := func(logarithmic bool) (long, short int) {
		img, err := chart.Bars{
			Title: "speed", X: "times as fast", Groups: []string{"a", "a longer name", "nothing"}, Base: 1, Logarithmic: logarithmic, Unit: "×",
			Series: []chart.Series{
				{Name: "reference", Color: chart.Color(0), Bars: []chart.Bar{{Value: 100}, {Value: 4}, {Value: math.Inf(1)}}},
				{Name: "here", Color: chart.Color(1), Bars: []chart.Bar{{Value: 10, Low: 9, High: 11}, {Value: 0.5, Low: 0.4, High: 0.6}}},
			},
		}.Draw(900)
		if err != nil {
			t.Fatal(err)
		}
		if img.Rect.Dx() != 900 || img.Rect.Dy() < 150 || img.Rect.Dy() > 700 {
			t.Fatalf("size %v", img.Rect)
		}
		return count(img, chart.Color(0)), count(img, chart.Color(1))
	}
	// On a logarithmic axis 100 reaches twice as far from 1 as 10 does, and a half reaches to the left.
	if long, short := draw(true); long < short || long > 4*short || short < 500 {
		t.Errorf("logarithmic: %d and %d pixels of bars", long, short)
	}
	if long, short := draw(false); long < 6*short || short < 100 {
		t.Errorf("linear: %d and %d pixels of bars", long, short)
	}
}

func TestBarsRefuse(t *testing.T) {
	for name, b := range map[string]chart.Bars{
		"none":        {Groups: []string{"a"}},
		"not numbers": {Groups: []string{"a"}, Series: []chart.Series{{Bars: []chart.Bar{{Value: math.NaN()}, {Value: -1}}}}},
		"no base":     {Groups: []string{"a"}, Logarithmic: true, Series: []chart.Series{{Bars: []chart.Bar{{Value: 1}}}}},
	} {
		if _, err := b.Draw(900); err == nil {
			t.Errorf("%s: was drawn", name)
		}
	}
}
