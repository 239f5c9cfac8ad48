package chart

import (
	"errors"
	"fmt"
	"image"
	"image/color"
	"math"
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
	Color  color.Color
	Dashed bool
}

// Point is a pair of values, each in its axis's unit.
type Point struct{ X, Y float64 }

// Curves draws panels side by side in a picture of the given size, pixels.
func Curves(width, height int, panels ...Panel) (*image.NRGBA, error) {
	if width < 200*len(panels) || height < 200 || len(panels) == 0 {
		return nil, fmt.Errorf("draw curves: %d×%d pixels are too few for %d panels", width, height, len(panels))
	}
	s, err := newStyle()
	if err != nil {
		return nil, fmt.Errorf("draw curves: %w", err)
	}
	c, step := newCanvas(width, height), width/len(panels)
	for i, p := range panels {
		if err := p.draw(c, s, image.Rect(i*step, 0, (i+1)*step, height).Inset(margin)); err != nil {
			return nil, fmt.Errorf("draw curves: %w", err)
		}
	}
	return c.picture(), nil
}

// The legend stands in the upper right of its panel.
const (
	legendWidth  = 0.6 // of the panel, at most
	legendLine   = 28  // pixels
	legendStroke = 44
)

func (p Panel) draw(c canvas, s style, in image.Rectangle) error {
	a := &axes{x: axis{label: p.X, logarithmic: true}, y: axis{label: p.Y, logarithmic: true}}
	a.x.min, a.y.min = math.Inf(1), math.Inf(1)
	var curves []Curve // as far as they can be shown
	for _, curve := range p.Curves {
		if curve.Points = curve.shown(); len(curve.Points) > 0 {
			curves = append(curves, curve)
		}
		for _, at := range curve.Points {
			a.x.min, a.x.max = min(a.x.min, at.X), max(a.x.max, at.X)
			a.y.min, a.y.max = min(a.y.min, at.Y), max(a.y.max, at.Y)
		}
	}
	if len(curves) == 0 {
		return errors.New("there is no positive value to draw")
	}
	legend := float64(len(curves)*legendLine)/float64(in.Dy()-120) + 0.06 // share of the height
	room := legend < 0.6 && a.hiddenBy(legend, curves)
	a.x.widen()
	a.y.widen()
	if room {
		a.y.max *= math.Pow(a.y.max/a.y.min, legend/(1-legend))
	}
	a.x.mark()
	a.y.mark()
	s.title.write(c.RGBA, (in.Min.X+in.Max.X-s.title.width(p.Title))/2, in.Min.Y, s.ink, p.Title)
	in.Min.Y += s.title.line + 2*gap
	a.draw(c, s, in)
	for i, curve := range curves {
		points := make([]point, len(curve.Points))
		for k, at := range curve.Points {
			points[k] = a.at(at.X, at.Y)
		}
		name := s.small.fitted(curve.Name, int(legendWidth*float64(in.Dx())))
		y := a.top + gap + legendLine*(float64(i)+0.5)
		end := a.right - gap
		s.small.write(c.RGBA, int(end)-legendStroke-gap-s.small.width(name), int(y)-s.small.line/2, s.ink, name)
		curve.stroke(c, points...)
		curve.stroke(c, point{end - legendStroke, y}, point{end, y})
		if !curve.Dashed {
			var dots [][]point
			for _, at := range points {
				dots = append(dots, disc(at, 4.4))
			}
			c.fill(curve.Color, dots...)
		}
	}
	return nil
}

// stroke draws a line of the curve.
func (curve Curve) stroke(c canvas, points ...point) {
	if curve.Dashed {
		c.line(curve.Color, 2.2, 8, points...)
		return
	}
	c.line(curve.Color, 3.2, 0, points...)
}

// shown are the points with finite, positive values.
func (curve Curve) shown() (out []Point) {
	for _, p := range curve.Points {
		if p.X > 0 && p.Y > 0 && !math.IsInf(p.X, 0) && !math.IsInf(p.Y, 0) {
			out = append(out, p)
		}
	}
	return out
}

// hiddenBy tells whether a legend of so much of the height, in the upper right, would cover a curve.
func (a *axes) hiddenBy(legend float64, curves []Curve) bool {
	for _, curve := range curves {
		for _, p := range curve.Points {
			if !(a.x.share(p.X) < 0.4 || a.y.share(p.Y) < 1-legend) {
				return true
			}
		}
	}
	return false
}

// widen widens the range of a logarithmic axis, so that no point lies on the frame and no range is nil.
func (a *axis) widen() {
	factor := max(math.Pow(a.max/a.min, 0.06), 1.15)
	a.min, a.max = a.min/factor, a.max*factor
}
