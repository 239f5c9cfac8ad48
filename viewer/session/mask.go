package session

import (
	"image"

	"glint/tracer"
)

// mask says of each pixel of an image whether it shows something. It is asked of the middles of cells first, and of all pixels of a cell
// where something else is next to it.
type mask struct {
	width, height int
	seen          []bool
	fine          []bool               // cells of which all pixels were asked, row by row
	open          []tracer.PixelSample // to be asked
	rough         bool                 // they stand for their cells
}

const maskCell = 4 // pixels

func newMask(width, height int) *mask {
	m := &mask{width: width, height: height, seen: make([]bool, width*height), rough: true}
	m.eachCell(func(_ int, r image.Rectangle) {
		m.open = append(m.open, tracer.PixelSample{X: (r.Min.X + r.Max.X) / 2, Y: (r.Min.Y + r.Max.Y) / 2})
	})
	m.fine = make([]bool, len(m.open))
	return m
}

// eachCell visits the cells, with their pixels.
func (m *mask) eachCell(visit func(at int, pixels image.Rectangle)) {
	all, at := image.Rect(0, 0, m.width, m.height), 0
	for y := 0; y < m.height; y += maskCell {
		for x := 0; x < m.width; x += maskCell {
			visit(at, image.Rect(x, y, x+maskCell, y+maskCell).Intersect(all))
			at++
		}
	}
}

// answer takes what is known now of the first pixels to be asked. When that were all, it finds the next.
func (m *mask) answer(seen []bool) {
	for k, is := range seen {
		at := m.open[k]
		pixels := image.Rect(at.X, at.Y, at.X+1, at.Y+1)
		if m.rough {
			corner := image.Pt(at.X-at.X%maskCell, at.Y-at.Y%maskCell)
			pixels = image.Rectangle{corner, corner.Add(image.Pt(maskCell, maskCell))}.Intersect(image.Rect(0, 0, m.width, m.height))
		}
		for y := pixels.Min.Y; y < pixels.Max.Y; y++ {
			for x := pixels.Min.X; x < pixels.Max.X; x++ {
				m.seen[y*m.width+x] = is
			}
		}
	}
	if m.open = m.open[len(seen):]; len(m.open) == 0 {
		m.refine()
	}
}

// refine finds the cells that differ from what is next to them.
func (m *mask) refine() {
	m.rough = false
	m.eachCell(func(at int, r image.Rectangle) {
		if m.fine[at] || m.uniform(r.Inset(-1)) {
			return
		}
		m.fine[at] = true
		for y := r.Min.Y; y < r.Max.Y; y++ {
			for x := r.Min.X; x < r.Max.X; x++ {
				m.open = append(m.open, tracer.PixelSample{X: x, Y: y})
			}
		}
	})
}

func (m *mask) uniform(r image.Rectangle) bool {
	r = r.Intersect(image.Rect(0, 0, m.width, m.height))
	first := m.seen[r.Min.Y*m.width+r.Min.X]
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			if m.seen[y*m.width+x] != first {
				return false
			}
		}
	}
	return true
}

// outline draws its edge, white on nothing; nil where there is none.
func (m *mask) outline() *image.NRGBA {
	const (
		reach = 2    // pixels to each side
		inner = 0.22 // share of what was seen around, from a half, up to which a pixel is white
		outer = 0.42 // and from which it is clear
	)
	out := image.NewNRGBA(image.Rect(0, 0, m.width, m.height))
	any := false
	m.eachCell(func(at int, r image.Rectangle) {
		if !m.fine[at] {
			return
		}
		any = true
		r = r.Inset(-reach).Intersect(out.Rect)
		for y := r.Min.Y; y < r.Max.Y; y++ {
			for x := r.Min.X; x < r.Max.X; x++ {
				off := m.share(x, y, reach) - 0.5
				alpha := min(max((outer-max(off, -off))/(outer-inner), 0), 1)
				copy(out.Pix[out.PixOffset(x, y):], []uint8{255, 255, 255, uint8(255 * alpha)})
			}
		}
	})
	if !any {
		return nil
	}
	return out
}

// share is how much of what is around a pixel was seen; what is near counts more.
func (m *mask) share(x, y, reach int) float64 {
	sum, all := 0, 0
	for dy := -reach; dy <= reach; dy++ {
		for dx := -reach; dx <= reach; dx++ {
			weight := (reach + 1 - max(dx, -dx)) * (reach + 1 - max(dy, -dy))
			all += weight
			if m.seen[min(max(y+dy, 0), m.height-1)*m.width+min(max(x+dx, 0), m.width-1)] {
				sum += weight
			}
		}
	}
	return float64(sum) / float64(all)
}
