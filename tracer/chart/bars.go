package chart

import (
	"errors"
	"fmt"
	"image"
	"image/color"
	stddraw "image/draw"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
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
	Name   string
	Colour color.Color
	Bars   []Bar // one a group; missing ones may be left out at the end
}

// Bar is a value with what was least and most; a value that is not a positive number is not drawn.
type Bar struct{ Value, Low, High float64 }

func (b Bar) shown() bool { return b.Value > 0 && !math.IsInf(b.Value, 0) }

// The size of a diagram of bars.
const (
	barThickness = vg.Length(11)
	groupGap     = 0.25 // of a group's height
	figureRoom   = 0.2  // of the axis, for the figures beside bars
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
	p := b.diagram(s, low, high)
	top := vg.Length(len(b.Series))*15 + 34
	bars := barThickness * vg.Length(len(b.Groups)*len(b.Series)) / (1 - groupGap)
	height := int((top + bars + 62 + 2*margin) * dpi / 72)
	canvas := vgimg.NewWith(vgimg.UseWH(points(width), points(height)), vgimg.UseDPI(dpi), vgimg.UseBackgroundColor(color.White))
	area := draw.Crop(draw.New(canvas), margin, -margin, margin, -margin)
	p.Draw(draw.Crop(area, 0, 0, 0, -top))
	s.heading(b, draw.Crop(area, 0, 0, area.Max.Y-area.Min.Y-top, 0))
	out := image.NewNRGBA(image.Rect(0, 0, width, height))
	stddraw.Draw(out, out.Rect, canvas.Image(), image.Point{}, stddraw.Src)
	return out, nil
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

// diagram is the plot with axes that leave room for figures on both sides.
func (b Bars) diagram(s style, low, high float64) *plot.Plot {
	p := plot.New()
	s.apply(p, Panel{X: b.X})
	p.Y.Scale = plot.LinearScale{}
	if b.Logarithmic {
		span := max(math.Log(high/low), 0.3)
		p.X.Min, p.X.Max = low*math.Exp(-figureRoom*span), high*math.Exp(figureRoom*span)
		if low == b.Base {
			p.X.Min = low
		}
	} else {
		p.X.Scale, p.X.Tick.Marker = plot.LinearScale{}, plot.DefaultTicks{}
		span := max(high-low, 1e-9)
		p.X.Min, p.X.Max = low, high+figureRoom*span
		if low < b.Base {
			p.X.Min = low - figureRoom*span
		}
	}
	names := make([]plot.Tick, len(b.Groups))
	for i, name := range b.Groups {
		names[i] = plot.Tick{Value: float64(len(b.Groups) - 1 - i), Label: name}
	}
	p.Y.Tick.Marker, p.Y.Tick.Length = plot.ConstantTicks(names), 0
	p.Y.Min, p.Y.Max = -0.5, float64(len(b.Groups))-0.5
	p.Add(s.grid(), barPlotter{b, s})
	return p
}

// heading writes the title and what the colours mean.
func (s style) heading(b Bars, c draw.Canvas) {
	title := text.Style{Color: s.ink, Font: font.From(font.Font{Typeface: typeface}, vg.Points(12)), Handler: s.handler, XAlign: draw.XLeft, YAlign: draw.YTop}
	c.FillText(title, vg.Point{X: c.Min.X, Y: c.Max.Y}, b.Title)
	small := title
	small.Font = font.From(font.Font{Typeface: typeface}, vg.Points(9.5))
	for i, series := range b.Series {
		y := c.Max.Y - 22 - 15*vg.Length(i)
		c.FillPolygon(series.Colour, []vg.Point{{X: c.Min.X, Y: y}, {X: c.Min.X + 14, Y: y}, {X: c.Min.X + 14, Y: y - 9}, {X: c.Min.X, Y: y - 9}})
		c.FillText(small, vg.Point{X: c.Min.X + 20, Y: y}, series.Name)
	}
}

// barPlotter draws the bars, a line for least to most on each, and their figures.
type barPlotter struct {
	Bars
	style style
}

// Plot draws everything inside the axes.
func (b barPlotter) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	label := text.Style{Color: b.style.ink, Font: font.From(font.Font{Typeface: typeface}, vg.Points(8)), Handler: b.style.handler, YAlign: draw.YCenter}
	thin := draw.LineStyle{Color: b.style.ink, Width: vg.Points(0.8)}
	thickness := (1 - groupGap) / float64(len(b.Series))
	for i, s := range b.Series {
		for g, bar := range s.Bars {
			if !bar.shown() || g >= len(b.Groups) {
				continue
			}
			middle := float64(len(b.Groups)-1-g) + (1-groupGap)/2 - (float64(i)+0.5)*thickness
			from, to, at := x(b.Base), x(bar.Value), y(middle)
			half := (y(thickness) - y(0)) / 2 * 0.88
			c.FillPolygon(s.Colour, []vg.Point{{X: from, Y: at - half}, {X: to, Y: at - half}, {X: to, Y: at + half}, {X: from, Y: at + half}})
			ends := []vg.Length{to}
			if bar.Low > 0 && bar.High > bar.Low {
				ends = append(ends, x(bar.Low), x(bar.High))
				c.StrokeLine2(thin, ends[1], at, ends[2], at)
			}
			where := vg.Point{X: slices.Max(ends) + 4, Y: at}
			if label.XAlign = draw.XLeft; bar.Value < b.Base {
				label.XAlign, where.X = draw.XRight, slices.Min(ends)-4
			}
			c.FillText(label, where, figure(bar.Value)+b.Unit)
		}
	}
	c.StrokeLine2(draw.LineStyle{Color: b.style.ink, Width: vg.Points(1.2)}, x(b.Base), c.Min.Y, x(b.Base), c.Max.Y)
}

// figure is a number in three digits.
func figure(x float64) string {
	switch {
	case x >= 99.5:
		return fmt.Sprintf("%.0f", x)
	case x >= 9.95:
		return fmt.Sprintf("%.1f", x)
	}
	return fmt.Sprintf("%.2f", x)
}
