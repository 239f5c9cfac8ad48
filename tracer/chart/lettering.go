package chart

import (
	"fmt"
	"image"
	"image/color"
	"image/draw"
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
func (w writer) write(out draw.Image, x, y int, ink color.Color, text string) {
	d := font.Drawer{Dst: out, Src: image.NewUniform(ink), Face: w.face}
	baseline := y + w.face.Metrics().Ascent.Ceil()
	for line := range strings.Lines(text) {
		d.Dot = fixed.P(x, baseline)
		d.DrawString(strings.TrimSuffix(line, "\n"))
		baseline += w.line
	}
}

// writeUpwards sets a line that reads from below to above, and begins at (x, y).
func (w writer) writeUpwards(out draw.Image, x, y int, ink color.Color, text string) {
	if text == "" {
		return
	}
	flat := image.NewRGBA(image.Rect(0, 0, w.width(text), w.line))
	w.write(flat, 0, 0, ink, text)
	turned := image.NewRGBA(image.Rect(0, 0, flat.Rect.Dy(), flat.Rect.Dx()))
	for v := range flat.Rect.Dy() {
		for u := range flat.Rect.Dx() {
			turned.SetRGBA(v, flat.Rect.Dx()-1-u, flat.RGBAAt(u, v))
		}
	}
	at := image.Pt(x, y-turned.Rect.Dy())
	draw.Draw(out, turned.Rect.Add(at), turned, image.Point{}, draw.Over)
}

// fitted cuts off what would make a name wider, pixels.
func (w writer) fitted(name string, width int) string {
	letters := []rune(name)
	for n := len(letters); n > 0; n-- {
		shown := string(letters[:n])
		if n < len(letters) {
			shown += "…"
		}
		if w.width(shown) <= width {
			return shown
		}
	}
	return "…"
}
