package chart

import (
	"fmt"
	"image"
	"image/color"
	"strings"

	"golang.org/x/image/font"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
)

// writer sets text in one size.
type writer struct {
	face font.Face
	line int // from one line to the next, pixels
}

func newWriter(f *opentype.Font, size float64) (writer, error) {
	face, err := opentype.NewFace(f, &opentype.FaceOptions{Size: size, DPI: 72, Hinting: font.HintingFull})
	if err != nil {
		return writer{}, fmt.Errorf("font: %w", err)
	}
	return writer{face: face, line: face.Metrics().Height.Ceil()}, nil
}

func (w writer) height(text string) int {
	if text == "" {
		return 0
	}
	return w.line * (1 + strings.Count(text, "\n"))
}

func (w writer) width(text string) int {
	widest := 0
	for line := range strings.Lines(text) {
		widest = max(widest, font.MeasureString(w.face, strings.TrimSuffix(line, "\n")).Ceil())
	}
	return widest
}

// wrapped breaks lines between words where they would be wider, pixels.
func (w writer) wrapped(text string, width int) string {
	var lines []string
	for line := range strings.Lines(text) {
		current := ""
		for _, word := range strings.Fields(line) {
			longer := strings.TrimPrefix(current+" "+word, " ")
			if current != "" && w.width(longer) > width {
				lines = append(lines, current)
				longer = word
			}
			current = longer
		}
		lines = append(lines, current)
	}
	return strings.Join(lines, "\n")
}

// write sets lines of text below and to the right of (x, y).
func (w writer) write(out *image.NRGBA, x, y int, ink color.Color, text string) {
	d := font.Drawer{Dst: out, Src: image.NewUniform(ink), Face: w.face}
	baseline := y + w.face.Metrics().Ascent.Ceil()
	for line := range strings.Lines(text) {
		d.Dot = fixed.P(x, baseline)
		d.DrawString(strings.TrimSuffix(line, "\n"))
		baseline += w.line
	}
}
