package chart

import (
	"image/color"
	"math"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
)

// style is how diagrams look.
type style struct {
	handler   text.Handler
	ink, pale color.Color
}

const typeface = font.Typeface("Go")

func newStyle() (style, error) {
	f, err := newFonts()
	if err != nil {
		return style{}, err
	}
	cache := font.NewCache(font.Collection{{Font: font.Font{Typeface: typeface}, Face: f.regular}})
	return style{handler: text.Plain{Fonts: cache}, ink: color.Gray{Y: 40}, pale: color.Gray{Y: 225}}, nil
}

func (s style) apply(p *plot.Plot, panel Panel) {
	p.TextHandler = s.handler
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = panel.Title, panel.X, panel.Y
	p.Title.Padding = vg.Points(8)
	for _, row := range []struct {
		style *text.Style
		size  float64
	}{
		{&p.Title.TextStyle, 12}, {&p.Legend.TextStyle, 9.5},
		{&p.X.Label.TextStyle, 10.5}, {&p.Y.Label.TextStyle, 10.5}, {&p.X.Tick.Label, 9}, {&p.Y.Tick.Label, 9},
	} {
		row.style.Handler, row.style.Color = s.handler, s.ink
		row.style.Font = font.From(font.Font{Typeface: typeface}, vg.Points(row.size))
	}
	for _, axis := range []*plot.Axis{&p.X, &p.Y} {
		axis.Scale, axis.Tick.Marker = plot.LogScale{}, logTicks{}
		axis.Color, axis.Tick.Color = s.ink, s.ink
		axis.Padding = 0
	}
	p.Legend.Top = true
	p.Legend.Padding, p.Legend.XOffs, p.Legend.YOffs = vg.Points(3), vg.Points(-4), vg.Points(-4)
	p.Legend.ThumbnailWidth = vg.Points(22)
}

// fitted cuts off what would make a name wider.
func (s style) fitted(name string, f font.Font, width vg.Length) string {
	letters := []rune(name)
	for n := len(letters); n > 0; n-- {
		shown := string(letters[:n])
		if n < len(letters) {
			shown += "…"
		}
		if w, _, _ := s.handler.Box(shown, f); w <= width {
			return shown
		}
	}
	return "…"
}

// legendShare is the share of a diagram's height that a legend takes, with the diagram's margins taken off.
func legendShare(lines int, height vg.Length) float64 {
	return float64(lines)*14/float64(height-90) + 0.06
}

func (s style) grid() *plotter.Grid {
	g := plotter.NewGrid()
	g.Vertical.Color, g.Horizontal.Color = s.pale, s.pale
	return g
}

// logTicks marks 1 to 9 in each decade, and labels the powers of ten; over few decades also 2 and 5.
type logTicks struct{}

// Ticks are the marks of an axis from low to high, both positive.
func (logTicks) Ticks(low, high float64) []plot.Tick {
	first, last := math.Floor(math.Log10(low)), math.Ceil(math.Log10(high))
	few := math.Log10(high/low) < 2.5
	var ticks []plot.Tick
	for exponent := first; exponent <= last; exponent++ {
		for digit := 1; digit <= 9; digit++ {
			value := float64(digit) * math.Pow(10, exponent)
			if value < low || value > high {
				continue
			}
			tick := plot.Tick{Value: value}
			if digit == 1 || few && (digit == 2 || digit == 5) {
				tick.Label = strconv.FormatFloat(value, 'g', 3, 64)
			}
			ticks = append(ticks, tick)
		}
	}
	return ticks
}
