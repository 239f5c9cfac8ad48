package chart

import (
	"image"
	"image/color"
	"image/draw"
	"math"
	"slices"

	"golang.org/x/image/vector"
)

// point is a place on a canvas, pixels from its upper left corner.
type point struct{ x, y float64 }

// canvas is a white picture to draw on.
type canvas struct{ *image.RGBA }

func newCanvas(width, height int) canvas {
	c := canvas{image.NewRGBA(image.Rect(0, 0, width, height))}
	draw.Draw(c.RGBA, c.Rect, image.White, image.Point{}, draw.Src)
	return c
}

// picture is what has been drawn.
func (c canvas) picture() *image.NRGBA {
	return &image.NRGBA{Pix: c.Pix, Stride: c.Stride, Rect: c.Rect} // it is opaque
}

// fill fills shapes, each of which is convex.
func (c canvas) fill(ink color.Color, shapes ...[]point) {
	const together = 256 // so few that what lies over each other does not overflow
	for some := range slices.Chunk(shapes, together) {
		c.fillSome(ink, some)
	}
}

func (c canvas) fillSome(ink color.Color, shapes [][]point) {
	low, high := shapes[0][0], shapes[0][0]
	for _, s := range shapes {
		for _, p := range s {
			low, high = point{min(low.x, p.x), min(low.y, p.y)}, point{max(high.x, p.x), max(high.y, p.y)}
		}
	}
	area := image.Rect(int(low.x)-1, int(low.y)-1, int(high.x)+2, int(high.y)+2)
	r := vector.NewRasterizer(area.Dx(), area.Dy())
	for _, s := range shapes {
		corner := func(i int) (x, y float32) {
			return float32(s[i].x - float64(area.Min.X)), float32(s[i].y - float64(area.Min.Y))
		}
		size := 0.0
		for i, p := range s {
			q := s[(i+1)%len(s)]
			size += p.x*q.y - q.x*p.y
		}
		r.MoveTo(corner(0))
		for i := 1; i < len(s); i++ {
			if size < 0 { // all go round the same way: then none cancels another
				r.LineTo(corner(len(s) - i))
			} else {
				r.LineTo(corner(i))
			}
		}
		r.ClosePath()
	}
	r.Draw(c.RGBA, area, image.NewUniform(ink), image.Point{})
}

// box is a rectangle between two corners.
func box(a, b point) []point { return []point{a, {b.x, a.y}, b, {a.x, b.y}} }

// disc is a circle.
func disc(at point, radius float64) []point {
	const corners = 24
	out := make([]point, corners)
	for i := range out {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / corners)
		out[i] = point{at.x + radius*cos, at.y + radius*sin}
	}
	return out
}

// line draws a line through points, in dashes where dash is not 0.
func (c canvas) line(ink color.Color, width, dash float64, points ...point) {
	var shapes [][]point
	gone := 0.0 // of the line, pixels
	for i := 1; i < len(points); i++ {
		a, b := points[i-1], points[i]
		length := math.Hypot(b.x-a.x, b.y-a.y)
		if length == 0 {
			continue
		}
		along := func(t float64) point { return point{a.x + (b.x-a.x)*t/length, a.y + (b.y-a.y)*t/length} }
		nx, ny := (a.y-b.y)/length*width/2, (b.x-a.x)/length*width/2
		piece := func(from, to float64) {
			p, q := along(from), along(to)
			shapes = append(shapes, []point{{p.x + nx, p.y + ny}, {q.x + nx, q.y + ny}, {q.x - nx, q.y - ny}, {p.x - nx, p.y - ny}})
		}
		if dash == 0 {
			piece(0, length)
			shapes = append(shapes, disc(b, width/2))
		} else {
			const period = 1.75 // a dash and the gap behind it, in dashes
			for at := -math.Mod(gone, period*dash); at < length; at += period * dash {
				if at+dash > 0 {
					piece(max(at, 0), min(at+dash, length))
				}
			}
		}
		gone += length
	}
	c.fill(ink, shapes...)
}
