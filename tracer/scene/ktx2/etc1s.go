package ktx2

import (
	"context"
	"errors"
	"image"
)

// palette is the four colours of a block.
type palette [4][3]byte

// codebooks are what the blocks of all slices refer to.
type codebooks struct {
	palettes  []palette
	selectors []uint32 // colours of 4 × 4 texels, two bits each, the first in the lowest
	// Codes of a slice.
	prediction, delta, selector, run huffman
	history                          int // selectors that are remembered
}

func (f *file) decodeETC1S(ctx context.Context) (*image.NRGBA, error) {
	g, err := f.readGlobal()
	if err != nil {
		return nil, err
	}
	if g.predicted {
		return nil, errors.New("its first image is a difference to another")
	}
	books, err := g.readCodebooks()
	if err != nil {
		return nil, err
	}
	out := image.NewNRGBA(image.Rect(0, 0, f.width, f.height))
	if !f.alpha {
		for i := 3; i < len(out.Pix); i += 4 {
			out.Pix[i] = 255
		}
	}
	paint := func(slice []byte, texel func(to, color []byte)) error {
		return books.decodeSlice(ctx, slice, f.width, f.height, func(x, y int, colors *palette, selectors uint32) {
			for row := y; row < min(y+4, f.height); row++ {
				line := out.Pix[row*out.Stride+4*x : row*out.Stride+4*min(x+4, f.width)]
				for s := selectors >> (8 * (row - y)); len(line) > 0; s >>= 2 {
					texel(line[:4], colors[s&3][:])
					line = line[4:]
				}
			}
		})
	}
	if err = paint(g.color, func(to, color []byte) { copy(to[:3], color) }); err != nil || !f.alpha {
		return out, err
	}
	err = paint(g.alpha, func(to, color []byte) { to[3] = color[1] })
	f.arrange(out.Pix)
	return out, err
}

func (g global) readCodebooks() (*codebooks, error) {
	books := &codebooks{}
	if err := books.readEndpoints(g.endpointData, g.endpoints); err != nil {
		return nil, err
	}
	if err := books.readSelectors(g.selectorData, g.selectors); err != nil {
		return nil, err
	}
	r := &bitReader{data: g.tablesData}
	if err := r.readHuffman(&books.prediction, &books.delta, &books.selector, &books.run); err != nil {
		return nil, err
	}
	books.history = int(r.take(13))
	return books, r.err()
}

// readEndpoints reads base colours with their intensities, and makes palettes of them.
func (c *codebooks) readEndpoints(data []byte, count int) error {
	r := &bitReader{data: data}
	var tables [4]huffman // three of colours, and that of intensities
	if err := r.readHuffman(&tables[0], &tables[1], &tables[2], &tables[3]); err != nil {
		return err
	}
	gray := r.take(1) == 1
	c.palettes = make([]palette, count)
	intensity, base := 0, [3]int{16, 16, 16}
	known := true
	step := func(table huffman, value *int, most int) {
		d, ok := r.symbol(table)
		known = known && ok
		*value = (*value + d) & most
	}
	for i := range c.palettes {
		step(tables[3], &intensity, 7)
		for k := range base {
			if gray && k > 0 {
				base[k] = base[0]
				continue
			}
			which := 0
			if base[k] > 21 {
				which = 2
			} else if base[k] > 9 {
				which = 1
			}
			step(tables[which], &base[k], 31)
		}
		if !known {
			return errBits
		}
		c.palettes[i] = newPalette(base, intensity)
	}
	return r.err()
}

// newPalette makes the colours around a base colour of 5 bits a channel (ETC1, table of intensities).
func newPalette(base [3]int, intensity int) (p palette) {
	steps := [8][2]int{{2, 8}, {5, 17}, {9, 29}, {13, 42}, {18, 60}, {24, 80}, {33, 106}, {47, 183}}[intensity]
	for i, d := range [4]int{-steps[1], -steps[0], steps[0], steps[1]} {
		for k, v := range base {
			p[i][k] = byte(min(max(v<<3|v>>2+d, 0), 255))
		}
	}
	return p
}

func (c *codebooks) readSelectors(data []byte, count int) error {
	r := &bitReader{data: data}
	if r.take(2) != 0 {
		return errors.New("its selectors are of a kind that is reserved")
	}
	plain := r.take(1) == 1
	var deltas huffman
	if !plain {
		if err := r.readHuffman(&deltas); err != nil {
			return err
		}
	}
	c.selectors = make([]uint32, count)
	last := uint32(0)
	for i := range c.selectors {
		for row := range 4 {
			var v int
			if plain || i == 0 {
				v = int(r.take(8))
			} else if symbol, ok := r.symbol(deltas); ok {
				v = symbol
			} else {
				return errBits
			}
			if plain {
				last &^= 0xff << (8 * row)
			}
			last ^= uint32(v&0xff) << (8 * row)
		}
		c.selectors[i] = last
	}
	return r.err()
}

// recent is selectors that were used, moved to the front when they are used again, roughly.
type recent struct {
	values []int
	rover  int
}

func (h *recent) add(v int) {
	h.values[h.rover] = v
	if h.rover++; h.rover == len(h.values) {
		h.rover = len(h.values) / 2
	}
}

func (h *recent) use(i int) int {
	v := h.values[i]
	h.values[i], h.values[i/2] = h.values[i/2], v
	return v
}

// sliceReader reads which palette and which selectors each block of a slice has.
type sliceReader struct {
	*codebooks
	r                *bitReader
	above            []uint16 // palettes of the row above, and left of the block those of its own
	corner           int      // palette of the block above the left one
	later            []byte   // predictions for the next row, of two blocks each
	predictions      int      // of the blocks that come next
	lastPredictions  int
	predictionsToGo  int
	palette          int // of the block before
	remembered       recent
	sameSelectorToGo int
}

// decodeSlice calls paint for each block, with the place of its first texel.
func (c *codebooks) decodeSlice(ctx context.Context, data []byte, width, height int, paint func(x, y int, colors *palette, selectors uint32)) error {
	columns, rows := (width+3)/4, (height+3)/4
	s := sliceReader{
		codebooks: c, r: &bitReader{data: data}, above: make([]uint16, columns), later: make([]byte, (columns+1)/2),
		remembered: recent{make([]int, c.history), c.history / 2},
	}
	for y := range rows {
		if err := ctx.Err(); err != nil {
			return err
		}
		for x := range columns {
			colors, err := s.nextPalette(x, y)
			if err != nil {
				return err
			}
			selectors, err := s.nextSelectors()
			if err != nil {
				return err
			}
			paint(4*x, 4*y, &c.palettes[colors], c.selectors[selectors])
		}
		if err := s.r.err(); err != nil {
			return err
		}
	}
	return nil
}

// nextPredictions reads how the palettes of two by two blocks are found.
func (s *sliceReader) nextPredictions(x, y int) error {
	const repeat, fewest = 256, 3
	if y&1 == 1 {
		s.predictions = int(s.later[x/2])
		return nil
	}
	if s.predictionsToGo > 0 {
		s.predictionsToGo--
	} else {
		symbol, ok := s.r.symbol(s.prediction)
		switch {
		case !ok || symbol > repeat:
			return errBits
		case symbol == repeat:
			s.predictionsToGo = s.r.chunks(4) + fewest - 1
		default:
			s.lastPredictions = symbol
		}
	}
	s.predictions = s.lastPredictions
	s.later[x/2] = byte(s.predictions >> 4)
	return nil
}

func (s *sliceReader) nextPalette(x, y int) (int, error) {
	if x&1 == 0 {
		if err := s.nextPredictions(x, y); err != nil {
			return 0, err
		}
	}
	above, known := int(s.above[x]), true
	switch s.predictions & 3 {
	case 0: // that of the block on the left
		known = x > 0
	case 1:
		s.palette, known = above, y > 0
	case 2:
		s.palette, known = s.corner, x > 0 && y > 0
	case 3:
		var d int
		d, known = s.r.symbol(s.delta)
		if s.palette += d; s.palette >= len(s.palettes) {
			s.palette -= len(s.palettes)
		}
	}
	s.predictions >>= 2
	if !known || s.palette >= len(s.palettes) {
		return 0, errBits
	}
	s.corner = above
	s.above[x] = uint16(s.palette)
	return s.palette, nil
}

func (s *sliceReader) nextSelectors() (int, error) {
	const fewest, longRun = 3, 63
	count := len(s.selectors)
	if s.sameSelectorToGo > 0 {
		s.sameSelectorToGo--
		return s.fromHistory(0)
	}
	symbol, ok := s.r.symbol(s.selector)
	if !ok {
		return 0, errBits
	}
	if symbol < count {
		if len(s.remembered.values) > 0 {
			s.remembered.add(symbol)
		}
		return symbol, nil
	}
	if symbol < count+len(s.remembered.values) {
		return s.fromHistory(symbol - count)
	}
	if symbol > count+len(s.remembered.values) {
		return 0, errBits
	}
	run, ok := s.r.symbol(s.run)
	if !ok {
		return 0, errBits
	}
	if run == longRun {
		run = s.r.chunks(7)
	}
	s.sameSelectorToGo = run + fewest - 1
	return s.fromHistory(0)
}

func (s *sliceReader) fromHistory(i int) (int, error) {
	if i >= len(s.remembered.values) || len(s.selectors) == 0 {
		return 0, errBits
	}
	return s.remembered.use(i), nil
}
