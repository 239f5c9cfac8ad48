package chart

import (
	"errors"
	"fmt"
	"image"
	"image/color"
	"math"
	"slices"
)

// Bars is a diagram of horizontal bars in named groups.
type Bars struct {
	Title, X string
	Groups   []string // from the top
	Series   []Series // from the top in each group
	// Base is where bars begin: 1 for ratios, so that losses point left and gains right. A logarithmic axis wants it positive.
	Base        float64
	Logarithmic bool
	Unit        string // behind each figure
}

// Series is the bar that every group has of one kind.
type Series struct {
	Name  string
	Color color.Color
	Bars  []Bar // one a group; missing ones may be left out at the end
}

// Bar is a value with what was least and most; a value that is not a positive number is not drawn.
type Bar struct{ Value, Low, High float64 }

func (b Bar) shown() bool { return b.Value > 0 && !math.IsInf(b.Value, 0) }

// The size of a diagram of bars, pixels unless said otherwise.
const (
	barThickness = 22
	groupGap     = 0.25 // of a group's height
	figureRoom   = 0.2  // of the axis, for the figures beside bars
	seriesLine   = 30
)

// Draw makes a picture of the given width, pixels; the height follows from the number of bars.
func (b Bars) Draw(width int) (*image.NRGBA, error) {
	low, high, some := b.extent()
	if !some || width < 300 || b.Logarithmic && b.Base <= 0 {
		return nil, errors.New("draw bars: there is no positive value to draw, or no room")
	}
	s, err := newStyle()
	if err != nil {
		return nil, fmt.Errorf("draw bars: %w", err)
	}
	top := len(b.Series)*seriesLine + 68
	height := top + int(barThickness*float64(len(b.Groups)*len(b.Series))/(1-groupGap)) + 124 + 2*margin
	c := newCanvas(width, height)
	in := c.Rect.Inset(margin)
	b.drawHeading(c, s, in.Min)
	in.Min.Y += top
	a := b.axes(low, high)
	a.draw(c, s, in)
	b.drawBars(c, s, a)
	return c.picture(), nil
}

// extent is the range of all bars, their base included.
func (b Bars) extent() (low, high float64, some bool) {
	low, high = b.Base, b.Base
	for _, s := range b.Series {
		for _, bar := range s.Bars {
			if !bar.shown() {
				continue
			}
			some = true
			for _, x := range []float64{bar.Value, bar.Low, bar.High} {
				if x > 0 && !math.IsInf(x, 0) {
					low, high = min(low, x), max(high, x)
				}
			}
		}
	}
	return low, high, some
}

// axes leave room for figures on both sides. Groups stand at whole numbers, the first at the top.
func (b Bars) axes(low, high float64) *axes {
	a := &axes{x: axis{label: b.X, logarithmic: b.Logarithmic}, y: axis{min: -0.5, max: float64(len(b.Groups)) - 0.5}}
	if b.Logarithmic {
		span := max(math.Log(high/low), 0.3)
		a.x.min, a.x.max = low*math.Exp(-figureRoom*span), high*math.Exp(figureRoom*span)
	} else {
		span := max(high-low, 1e-9)
		a.x.min, a.x.max = low-figureRoom*span, high+figureRoom*span
	}
	if low == b.Base {
		a.x.min = low
	}
	a.x.mark()
	for i, name := range b.Groups {
		a.y.marks = append(a.y.marks, mark{float64(len(b.Groups) - 1 - i), name})
	}
	return a
}

// drawHeading writes the title and what the colours mean.
func (b Bars) drawHeading(c canvas, s style, at image.Point) {
	s.title.write(c.RGBA, at.X, at.Y, s.ink, b.Title)
	for i, series := range b.Series {
		x, y := float64(at.X), float64(at.Y+44+seriesLine*i)
		c.fill(series.Color, box(point{x, y}, point{x + 28, y + 18}))
		s.small.write(c.RGBA, at.X+40, int(y)+9-s.small.line/2, s.ink, series.Name)
	}
}

// drawBars draws the bars, a line for least to most on each, and their figures.
func (b Bars) drawBars(c canvas, s style, a *axes) {
	thickness := (1 - groupGap) / float64(len(b.Series))
	for i, series := range b.Series {
		for g, bar := range series.Bars {
			if !bar.shown() || g >= len(b.Groups) {
				continue
			}
			y := float64(len(b.Groups)-1-g) + (1-groupGap)/2 - (float64(i)+0.5)*thickness
			from, to := a.at(b.Base, y+0.44*thickness), a.at(bar.Value, y-0.44*thickness)
			c.fill(series.Color, box(from, to))
			ends := []float64{to.x}
			if bar.Low > 0 && bar.High > bar.Low {
				least, most := a.at(bar.Low, y), a.at(bar.High, y)
				ends = append(ends, least.x, most.x)
				c.line(s.ink, 1.6, 0, least, most)
			}
			words := Figure(bar.Value) + b.Unit
			x := int(slices.Max(ends)) + 8
			if bar.Value < b.Base {
				x = int(slices.Min(ends)) - 8 - s.figure.width(words)
			}
			s.figure.write(c.RGBA, x, int((from.y+to.y)/2)-s.figure.line/2, s.ink, words)
		}
	}
	base := a.at(b.Base, 0).x
	c.line(s.ink, 2.4, 0, point{base, a.top}, point{base, a.bottom})
}

// Figure is a number in three digits.
func Figure(x float64) string {
	switch {
	case x >= 99.5:
		return fmt.Sprintf("%.0f", x)
	case x >= 9.95:
		return fmt.Sprintf("%.1f", x)
	}
	return fmt.Sprintf("%.2f", x)
}
