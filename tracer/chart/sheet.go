package chart

import (
	"errors"
	"fmt"
	"image"
	"image/color"
	stddraw "image/draw"
	"slices"

	"golang.org/x/image/draw"
	"golang.org/x/image/font/opentype"
)

// Sheet is a table of pictures with headings, on a dark neutral ground that does not change how they look.
type Sheet struct {
	Title   string
	Columns []string // headings, broken where they are too long
	Rows    []Row
}

// Row is a line of pictures with its heading.
type Row struct {
	Name  string
	Cells []Cell // one a column at most
}

// Cell is a picture, all of one size, with what is to be said of it. Without a picture the place stays empty.
type Cell struct {
	Picture image.Image
	Caption string // likewise, or by \n
}

// The size in which a cell shows its picture, pixels: small pictures are magnified by whole numbers, large ones reduced.
const (
	smallestCell = 384
	largestCell  = 960
)

// Draw lays the sheet out.
func (s Sheet) Draw() (*image.NRGBA, error) {
	l, err := s.layout()
	if err != nil {
		return nil, fmt.Errorf("draw a sheet: %w", err)
	}
	s = l.wrapped(s)
	l.measure(s)
	out := image.NewNRGBA(image.Rect(0, 0, l.width(), l.height()))
	stddraw.Draw(out, out.Rect, image.NewUniform(color.Gray{Y: 28}), image.Point{}, stddraw.Src)
	l.title.write(out, l.gap, l.gap, color.Gray{Y: 235}, s.Title)
	for i, c := range s.Columns {
		l.heading.write(out, l.left(i), l.top(0)-l.gap/2-l.heading.height(c), color.Gray{Y: 220}, c)
	}
	for r, row := range s.Rows {
		l.heading.write(out, l.gap, l.top(r), color.Gray{Y: 220}, row.Name)
		for c, cell := range row.Cells {
			l.drawCell(out, image.Pt(l.left(c), l.top(r)), cell)
		}
	}
	return out, nil
}

// layout is where everything goes, pixels.
type layout struct {
	columns, rows  int
	cell           image.Point // size of a picture as shown
	gap            int
	names          int // width of the rows' headings
	above          int // height of title and columns' headings
	caption        []int
	title, heading writer
	small          writer
	shrinks        bool
}

func (s Sheet) layout() (*layout, error) {
	size, err := s.pictureSize()
	if err != nil {
		return nil, err
	}
	l := &layout{columns: len(s.Columns), rows: len(s.Rows), cell: size}
	if factor := (smallestCell + size.X - 1) / size.X; size.X < smallestCell {
		l.cell = size.Mul(factor)
	} else if size.X > largestCell {
		l.cell, l.shrinks = image.Pt(largestCell, max(size.Y*largestCell/size.X, 1)), true
	}
	l.gap = 16
	f, err := newFonts()
	if err != nil {
		return nil, err
	}
	for _, row := range []struct {
		to   *writer
		face *opentype.Font
		size float64
	}{{&l.title, f.bold, 24}, {&l.heading, f.bold, 17}, {&l.small, f.regular, 15}} {
		if *row.to, err = newWriter(row.face, row.size); err != nil {
			return nil, err
		}
	}
	return l, nil
}

// wrapped is the sheet with words that fit the cells.
func (l *layout) wrapped(s Sheet) Sheet {
	out := Sheet{Title: s.Title}
	for _, c := range s.Columns {
		out.Columns = append(out.Columns, l.heading.wrapped(c, l.cell.X))
	}
	for _, row := range s.Rows {
		cells := slices.Clone(row.Cells)
		for i := range cells {
			cells[i].Caption = l.small.wrapped(cells[i].Caption, l.cell.X)
		}
		out.Rows = append(out.Rows, Row{Name: row.Name, Cells: cells})
	}
	return out
}

// measure finds how much room the words take.
func (l *layout) measure(s Sheet) {
	l.caption = make([]int, l.rows)
	for r, row := range s.Rows {
		l.names = max(l.names, l.heading.width(row.Name)+l.gap)
		for _, c := range row.Cells {
			l.caption[r] = max(l.caption[r], l.small.height(c.Caption))
		}
	}
	headings := 0
	for _, c := range s.Columns {
		headings = max(headings, l.heading.height(c))
	}
	l.above = l.gap + l.title.height(s.Title) + l.gap + headings + l.gap/2
}

// pictureSize is the size that all pictures have.
func (s Sheet) pictureSize() (image.Point, error) {
	var size image.Point
	for _, row := range s.Rows {
		if len(row.Cells) > len(s.Columns) {
			return size, fmt.Errorf("row %s has %d cells for %d columns", row.Name, len(row.Cells), len(s.Columns))
		}
		for _, c := range row.Cells {
			if c.Picture == nil {
				continue
			}
			own := c.Picture.Bounds().Size()
			if size != (image.Point{}) && own != size {
				return size, fmt.Errorf("pictures of %v and %v on one sheet", size, own)
			}
			size = own
		}
	}
	if size.X <= 0 || size.Y <= 0 {
		return size, errors.New("it has no pictures")
	}
	return size, nil
}

func (l *layout) left(column int) int { return l.gap + l.names + column*(l.cell.X+l.gap) }

func (l *layout) top(row int) int {
	y := l.above
	for r := range row {
		y += l.cell.Y + l.gap/2 + l.caption[r] + l.gap
	}
	return y
}

func (l *layout) width() int  { return l.left(l.columns) }
func (l *layout) height() int { return l.top(l.rows) }

func (l *layout) drawCell(out *image.NRGBA, at image.Point, c Cell) {
	if c.Picture != nil {
		scaler := draw.NearestNeighbor.Scale
		if l.shrinks {
			scaler = draw.CatmullRom.Scale
		}
		scaler(out, image.Rectangle{Min: at, Max: at.Add(l.cell)}, c.Picture, c.Picture.Bounds(), draw.Src, nil)
	}
	l.small.write(out, at.X, at.Y+l.cell.Y+l.gap/2, color.Gray{Y: 190}, c.Caption)
}
