package chart

import (
	"image"
	"image/color"
	"math"
	"strconv"
)

// Lengths of all diagrams, pixels.
const (
	margin    = 28 // around a diagram
	gap       = 10 // between words and what they stand at
	axisWidth = 1.0
)

// style is the lettering of diagrams, and their colours.
type style struct {
	title, label, small, tick, figure writer
	ink, pale                         color.Color
}

func newStyle() (s style, err error) {
	f, err := newFonts()
	if err != nil {
		return s, err
	}
	for _, row := range []struct {
		to   *writer
		size float64
	}{{&s.title, 24}, {&s.label, 21}, {&s.small, 19}, {&s.tick, 18}, {&s.figure, 16}} {
		if *row.to, err = newWriter(f.regular, row.size); err != nil {
			return s, err
		}
	}
	s.ink, s.pale = color.Gray{Y: 40}, color.Gray{Y: 225}
	return s, nil
}

// axis is a range of values with its marks.
type axis struct {
	label       string
	min, max    float64
	logarithmic bool
	marks       []mark
}

// mark is a value on an axis; one without words is small.
type mark struct {
	value float64
	words string
}

// share is how far from the beginning of the axis to its end a value lies.
func (a *axis) share(x float64) float64 {
	if a.logarithmic {
		return math.Log(x/a.min) / math.Log(a.max/a.min)
	}
	return (x - a.min) / (a.max - a.min)
}

// mark finds the marks of the range: on a logarithmic axis 1 to 9 in each decade, with words at the powers of ten, and over few decades
// at 2 and 5.
func (a *axis) mark() {
	words := func(x float64) string { return strconv.FormatFloat(x, 'g', 3, 64) }
	if !a.logarithmic {
		const about = 6 // marks
		step := math.Pow(10, math.Floor(math.Log10((a.max-a.min)/about)))
		for _, factor := range []float64{5, 2} {
			if (a.max-a.min)/(step*factor) >= about/2. {
				step *= factor
				break
			}
		}
		for i := math.Ceil(a.min / step); i*step <= a.max; i++ {
			a.marks = append(a.marks, mark{i * step, words(i * step)})
		}
		return
	}
	few := math.Log10(a.max/a.min) < 2.5
	for exponent := math.Floor(math.Log10(a.min)); exponent <= math.Ceil(math.Log10(a.max)); exponent++ {
		for digit := 1; digit <= 9; digit++ {
			m := mark{value: float64(digit) * math.Pow(10, exponent)}
			if m.value < a.min || m.value > a.max {
				continue
			}
			if digit == 1 || few && (digit == 2 || digit == 5) {
				m.words = words(m.value)
			}
			a.marks = append(a.marks, m)
		}
	}
}

// axes are a diagram's two, with the area between them.
type axes struct {
	x, y                     axis
	left, right, top, bottom float64
}

// at is where a pair of values is drawn.
func (a *axes) at(x, y float64) point {
	return point{a.left + (a.right-a.left)*a.x.share(x), a.bottom - (a.bottom-a.top)*a.y.share(y)}
}

// draw draws the axes into a part of the canvas, with a pale grid, and leaves the area between them.
func (a *axes) draw(c canvas, s style, in image.Rectangle) {
	widest := 0
	for _, m := range a.y.marks {
		widest = max(widest, s.tick.width(m.words))
	}
	a.left = float64(in.Min.X + widest + 2*gap)
	if a.y.label != "" {
		a.left += float64(s.label.line)
	}
	a.right, a.top = float64(in.Max.X-2*gap), float64(in.Min.Y)
	a.bottom = float64(in.Max.Y - s.label.line - s.tick.line - 2*gap)
	const long, short = 6, 3 // of marks
	reach := map[bool]float64{true: long, false: short}
	for _, m := range a.x.marks {
		x := a.left + (a.right-a.left)*a.x.share(m.value)
		if m.words != "" {
			c.line(s.pale, axisWidth, 0, point{x, a.top}, point{x, a.bottom})
			s.tick.write(c.RGBA, int(x)-s.tick.width(m.words)/2, int(a.bottom)+gap, s.ink, m.words)
		}
		c.line(s.ink, axisWidth, 0, point{x, a.bottom}, point{x, a.bottom + reach[m.words != ""]})
	}
	for _, m := range a.y.marks {
		y := a.bottom - (a.bottom-a.top)*a.y.share(m.value)
		if m.words != "" {
			c.line(s.pale, axisWidth, 0, point{a.left, y}, point{a.right, y})
			s.tick.write(c.RGBA, int(a.left)-gap-s.tick.width(m.words), int(y)-s.tick.line/2, s.ink, m.words)
		}
		c.line(s.ink, axisWidth, 0, point{a.left - reach[m.words != ""], y}, point{a.left, y})
	}
	c.line(s.ink, axisWidth, 0, point{a.left, a.top}, point{a.left, a.bottom}, point{a.right, a.bottom})
	s.label.write(c.RGBA, int(a.left+a.right)/2-s.label.width(a.x.label)/2, in.Max.Y-s.label.line, s.ink, a.x.label)
	s.label.writeUpwards(c.RGBA, in.Min.X, int(a.top+a.bottom)/2+s.label.width(a.y.label)/2, s.ink, a.y.label)
}
