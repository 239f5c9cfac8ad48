// Package chart draws what measurements say: curves on logarithmic axes, and sheets of labelled pictures.
//
//	picture, err := chart.Curves(1600, 700, chart.Panel{X: "seconds", Y: "relMSE", Curves: curves})
//	sheet, err := chart.Sheet{Columns: []string{"A", "B"}, Rows: rows}.Draw()
package chart

import (
	"errors"
	"fmt"
	"image/color"

	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
)

// Color is the i-th of a few colours that colour-blind readers can distinguish (Okabe and Ito 2008); they repeat.
func Color(i int) color.NRGBA {
	colors := [...]color.NRGBA{
		{0, 114, 178, 255}, {213, 94, 0, 255}, {0, 158, 115, 255}, {204, 121, 167, 255}, {230, 159, 0, 255}, {86, 180, 233, 255},
	}
	return colors[i%len(colors)]
}

// fonts are the typeface of everything that is drawn.
type fonts struct{ regular, bold *opentype.Font }

func newFonts() (fonts, error) {
	regular, err := opentype.Parse(goregular.TTF)
	bold, errBold := opentype.Parse(gobold.TTF)
	if err := errors.Join(err, errBold); err != nil {
		return fonts{}, fmt.Errorf("font: %w", err)
	}
	return fonts{regular, bold}, nil
}

// Gray is for what stands next to the curves that matter.
func Gray() color.NRGBA { return color.NRGBA{130, 130, 130, 255} }
