package bench

import (
	"fmt"
	"image"
	"image/color"
	"strconv"

	"glint/tracer/chart"
)

const diagramWidth = 1280 // pixels

// Diagram draws the ratios of a table beside the reference's, or the shares of living paths. Without figures there is none,
// and no error.
func (r Result) Diagram() (*image.NRGBA, error) {
	if !r.measured() {
		return nil, nil
	}
	b := r.speeds()
	if r.Alive {
		b = r.shares()
	}
	img, err := b.Draw(diagramWidth)
	if err != nil {
		return nil, fmt.Errorf("table %s: %w", r.Name, err)
	}
	return img, nil
}

// speeds has a bar for every ratio, and a paler one for what the reference measured.
func (r Result) speeds() chart.Bars {
	b := chart.Bars{Title: r.Title, X: "times as fast as " + r.Sides[0].Name, Base: 1, Logarithmic: true, Unit: "×"}
	var rows [][]Figure // that were measured
	for i, row := range r.Figures {
		if row[0].Ms > 0 {
			b.Groups = append(b.Groups, r.Rows[i].Name)
			rows = append(rows, row)
		}
	}
	for i, side := range r.Sides[1:] {
		here := chart.Series{Name: side.Name, Color: chart.Color(i)}
		there := chart.Series{Name: side.Name + ", reference", Color: faded(chart.Color(i))}
		measured, published := false, false
		for _, row := range rows {
			f := row[i+1]
			here.Bars = append(here.Bars, chart.Bar{Value: f.Speed, Low: f.SpeedMin, High: f.SpeedMax})
			measured = measured || f.Speed > 0
			bar := chart.Bar{}
			if f.Reference != nil {
				bar = chart.Bar{Value: (f.Reference.Low + f.Reference.High) / 2, Low: f.Reference.Low, High: f.Reference.High}
				published = true
			}
			there.Bars = append(there.Bars, bar)
		}
		if measured {
			b.Series = append(b.Series, here)
		}
		if measured && published {
			b.Series = append(b.Series, there)
		}
	}
	return b
}

// shares has a group for each bounce.
func (r Result) shares() chart.Bars {
	b := chart.Bars{Title: r.Title, X: "paths alive, %", Unit: " %"}
	for i, row := range r.Rows {
		if r.Figures[i][0].Alive == nil {
			continue
		}
		here := chart.Series{Name: row.Name, Color: chart.Color(i)}
		for k, share := range r.Figures[i][0].Alive {
			here.Bars = append(here.Bars, chart.Bar{Value: share})
			if k == len(b.Groups) {
				b.Groups = append(b.Groups, "bounce "+strconv.Itoa(k+1))
			}
		}
		b.Series = append(b.Series, here)
		if row.Alive != nil {
			there := chart.Series{Name: row.Name + ", reference", Color: faded(chart.Color(i))}
			for _, share := range row.Alive {
				there.Bars = append(there.Bars, chart.Bar{Value: share})
			}
			b.Series = append(b.Series, there)
		}
	}
	return b
}

// faded is a colour two thirds of the way to white.
func faded(c color.NRGBA) color.NRGBA {
	pale := func(x uint8) uint8 { return uint8((int(x) + 2*255) / 3) }
	return color.NRGBA{pale(c.R), pale(c.G), pale(c.B), 255}
}
