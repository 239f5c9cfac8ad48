package chart

import (
	"errors"
	"fmt"
	"image"
	"image/color"
	stddraw "image/draw"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
)

// Panel is one diagram with logarithmic axes.
type Panel struct {
	Title, X, Y string // of the diagram and its axes
	Curves      []Curve
}

// Curve is a line through points, named in the legend. Points that a logarithmic axis cannot show are left out.
type Curve struct {
	Name   string
	Points []Point
	Colour color.Color
	Dashed bool
}

// Point is a pair of values, each in its axis's unit.
type Point struct{ X, Y float64 }

// Curves draws panels side by side in a picture of the given size, pixels.
func Curves(width, height int, panels ...Panel) (*image.NRGBA, error) {
	if width < 200*len(panels) || height < 200 || len(panels) == 0 {
		return nil, fmt.Errorf("draw curves: %d×%d pixels are too few for %d panels", width, height, len(panels))
	}
	style, err := newStyle()
	if err != nil {
		return nil, fmt.Errorf("draw curves: %w", err)
	}
	canvas := vgimg.NewWith(vgimg.UseWH(points(width), points(height)), vgimg.UseDPI(dpi), vgimg.UseBackgroundColor(color.White))
	area := draw.New(canvas)
	step := area.Max.X / vg.Length(len(panels))
	for i, p := range panels {
		diagram, err := style.diagram(p, step, area.Max.Y)
		if err != nil {
			return nil, fmt.Errorf("draw curves: %w", err)
		}
		diagram.Draw(draw.Crop(area, step*vg.Length(i)+margin, -step*vg.Length(len(panels)-1-i)-margin, margin, -margin))
	}
	out := image.NewNRGBA(image.Rect(0, 0, width, height))
	stddraw.Draw(out, out.Rect, canvas.Image(), image.Point{}, stddraw.Src)
	return out, nil
}

const (
	dpi         = 144
	margin      = vg.Length(14)
	legendWidth = 0.6 // of the panel, at most
)

// points is a length in pixels as one of 1/72 inch.
func points(pixels int) vg.Length { return vg.Length(pixels) * 72 / dpi }

// diagram makes the plot of a panel of that size.
func (s style) diagram(panel Panel, width, height vg.Length) (*plot.Plot, error) {
	p := plot.New()
	s.apply(p, panel)
	p.Add(s.grid())
	box := emptyBox()
	for _, c := range panel.Curves {
		shown := c.shown()
		if len(shown) == 0 {
			continue
		}
		box.include(shown)
		line, dots, err := plotter.NewLinePoints(shown)
		if err != nil {
			return nil, fmt.Errorf("curve %s: %w", c.Name, err)
		}
		line.Color, line.Width = c.Colour, vg.Points(1.6)
		dots.Color, dots.Radius, dots.Shape = c.Colour, vg.Points(2.2), draw.CircleGlyph{}
		p.Add(line)
		if c.Dashed {
			line.Width, line.Dashes = vg.Points(1.1), []vg.Length{vg.Points(4), vg.Points(3)}
		} else {
			p.Add(dots)
		}
		p.Legend.Add(s.fitted(c.Name, p.Legend.TextStyle.Font, legendWidth*width), line)
	}
	if box.empty() {
		return nil, errors.New("there is no positive value to draw")
	}
	p.X.Min, p.X.Max = padded(box.min.X, box.max.X)
	p.Y.Min, p.Y.Max = padded(box.min.Y, box.max.Y)
	if legend := legendShare(len(panel.Curves), height); legend < 0.6 && box.hides(panel.Curves, legend) {
		p.Y.Max *= math.Pow(p.Y.Max/p.Y.Min, legend/(1-legend))
	}
	return p, nil
}

// shown are the points with finite, positive values.
func (c Curve) shown() plotter.XYs {
	var out plotter.XYs
	for _, p := range c.Points {
		if p.X > 0 && p.Y > 0 && !math.IsInf(p.X, 0) && !math.IsInf(p.Y, 0) {
			out = append(out, plotter.XY(p))
		}
	}
	return out
}

// box bounds points.
type box struct{ min, max Point }

func emptyBox() box {
	return box{Point{math.Inf(1), math.Inf(1)}, Point{math.Inf(-1), math.Inf(-1)}}
}

func (b *box) include(values plotter.XYs) {
	for _, v := range values {
		b.min = Point{min(b.min.X, v.X), min(b.min.Y, v.Y)}
		b.max = Point{max(b.max.X, v.X), max(b.max.Y, v.Y)}
	}
}

// hides tells whether a legend of so much of the height, in the upper right, would cover a curve.
func (b *box) hides(curves []Curve, legend float64) bool {
	for _, c := range curves {
		for _, p := range c.shown() {
			x := math.Log(p.X/b.min.X) / math.Log(b.max.X/b.min.X)
			y := math.Log(p.Y/b.min.Y) / math.Log(b.max.Y/b.min.Y)
			if !(x < 0.4 || y < 1-legend) {
				return true
			}
		}
	}
	return false
}

func (b *box) empty() bool { return b.min.X > b.max.X }

// padded widens the range of a logarithmic axis, so that no point lies on the frame and no range is nil.
func padded(low, high float64) (from, to float64) {
	factor := max(math.Pow(high/low, 0.06), 1.15)
	return low / factor, high * factor
}
