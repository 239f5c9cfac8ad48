package ktx2

import (
	"context"
	"encoding/binary"
	"errors"
	"image"
)

// uastcMode is a way to store a block of 4 × 4 texels in 128 bits.
type uastcMode struct {
	code, codeBits  uint // that a block begins with
	hints           uint // bits for transcoders, which say nothing about colours
	subsets, planes int  // of texels with end points of their own; of weights
	components      int  // 2 are luminance and alpha, 3 without alpha
	weightBits      uint
	values          quantization // of end points
}

// quantization is how end points are stored: bits, and a digit of base 3 or 5 above them.
type quantization struct {
	bits   uint
	base   uint32 // 1 for none
	digits []uint // bits of so many digits that are stored together, up to a whole group
	step   uint32 // of the digit in the value of 9 bits, and
	form   string // what bits a value has besides (ASTC, unquantization of colour end points)
}

var (
	trits  = []uint{0, 2, 4, 5, 7, 8}
	quints = []uint{0, 3, 5, 7}

	values12  = quantization{2, 3, trits, 93, "b000b0bb0"}
	values16  = quantization{bits: 4, base: 1}
	values32  = quantization{bits: 5, base: 1}
	values40  = quantization{3, 5, quints, 26, "cb0000cbc"}
	values48  = quantization{4, 3, trits, 22, "dcb000dcb"}
	values160 = quantization{5, 5, quints, 6, "edcb0000e"}
	values192 = quantization{6, 3, trits, 5, "fedcb000f"}
	values256 = quantization{bits: 8, base: 1}
)

// solid is the mode of blocks of one colour.
const solid = 8

// uastcModes have their numbers in the specification.
var uastcModes = [...]uastcMode{
	0:     {0x01, 4, 15, 1, 1, 3, 4, values192},
	1:     {0x35, 6, 15, 1, 1, 3, 2, values256},
	2:     {0x1d, 5, 15, 2, 1, 3, 3, values16},
	3:     {0x03, 5, 15, 3, 1, 3, 2, values12},
	4:     {0x13, 5, 15, 2, 1, 3, 2, values40},
	5:     {0x0b, 5, 15, 1, 1, 3, 3, values256},
	6:     {0x1b, 5, 15, 1, 2, 3, 2, values160},
	7:     {0x07, 5, 15, 2, 1, 3, 2, values40},
	solid: {code: 0x17, codeBits: 5, components: 4},
	9:     {0x0f, 5, 23, 2, 1, 4, 2, values16},
	10:    {0x02, 3, 17, 1, 1, 4, 4, values48},
	11:    {0x00, 2, 17, 1, 2, 4, 2, values48},
	12:    {0x06, 3, 17, 1, 1, 4, 3, values192},
	13:    {0x1f, 5, 23, 1, 2, 4, 1, values256},
	14:    {0x0d, 5, 23, 1, 1, 4, 2, values256},
	15:    {0x05, 7, 23, 1, 1, 2, 4, values256},
	16:    {0x15, 6, 23, 2, 1, 2, 2, values256},
	17:    {0x25, 6, 23, 1, 2, 2, 2, values256},
	18:    {0x09, 4, 15, 1, 1, 3, 5, values32},
}

// Seeds of ASTC's partitions by the numbers that blocks have for them.
var (
	seeds2 = []uint32{28, 20, 16, 29, 91, 9, 107, 72, 149, 204, 50, 114, 496, 17, 78, 39, 252, 828, 43, 156, 116, 210, 476, 273, 684, 359,
		246, 195, 694, 524}
	seeds2Mode7 = []uint32{36, 48, 61, 137, 161, 183, 226, 281, 302, 307, 479, 495, 593, 594, 605, 799, 812, 988, 993}
	seeds3      = []uint32{260, 74, 32, 156, 183, 15, 745, 0, 335, 902, 254}
)

// partition says which subset each texel of a block belongs to, and which is the first texel of each.
type partition struct {
	subset [16]byte
	anchor [16]bool
}

// uastcTables are made once for each image.
type uastcTables struct {
	modes       [128]byte // by the first bits of a block; len(uastcModes) for none
	unquantized [len(uastcModes)][]byte
	weights     [6][]uint32 // by the bits of a weight
	partitions  [len(uastcModes)][]partition
}

func newUASTCTables() *uastcTables {
	t := &uastcTables{}
	for i := range t.modes {
		t.modes[i] = byte(len(uastcModes))
		for m, mode := range uastcModes {
			if uint(i)&(1<<mode.codeBits-1) == mode.code {
				t.modes[i] = byte(m)
			}
		}
	}
	for m, mode := range uastcModes {
		t.unquantized[m] = mode.values.table()
		switch {
		case m == 7:
			t.partitions[m] = partitions(seeds2Mode7, 2)
		case mode.subsets == 2:
			t.partitions[m] = partitions(seeds2, 2)
		case mode.subsets == 3:
			t.partitions[m] = partitions(seeds3, 3)
		default:
			t.partitions[m] = []partition{{anchor: [16]bool{true}}}
		}
	}
	for n := uint(1); n < uint(len(t.weights)); n++ {
		for v := range uint32(1) << n {
			w := replicate(v, n, 6)
			if w > 32 {
				w++
			}
			t.weights[n] = append(t.weights[n], w)
		}
	}
	return t
}

// replicate widens v of n bits by repeating them.
func replicate(v uint32, n, to uint) uint32 {
	out, have := uint32(0), uint(0)
	for ; have < to; have += n {
		out = out<<n | v
	}
	return out >> (have - to)
}

// table is the value of 8 bits of each stored one.
func (q quantization) table() (out []byte) {
	if q.base == 1 {
		for v := range uint32(1) << q.bits {
			out = append(out, byte(replicate(v, q.bits, 8)))
		}
		return out
	}
	for v := range q.base << q.bits {
		flip := v & 1 * 0x1ff
		rest := uint32(0)
		for _, bit := range q.form { // 'b' is the second lowest bit
			rest <<= 1
			if bit != '0' {
				rest |= v >> (bit - 'a') & 1
			}
		}
		t := v>>q.bits*q.step + rest ^ flip
		out = append(out, byte(flip&0x80|t>>2))
	}
	return out
}

func partitions(seeds []uint32, subsets int) (out []partition) {
	for _, seed := range seeds {
		var p partition
		seen := [4]bool{}
		for i := range p.subset {
			s := astcSubset(seed, uint32(i%4), uint32(i/4), subsets)
			p.subset[i] = s
			p.anchor[i] = !seen[s]
			seen[s] = true
		}
		out = append(out, p)
	}
	return out
}

// astcSubset is the subset of a texel of a block of 4 × 4 (ASTC, partition pattern generation).
func astcSubset(seed, x, y uint32, subsets int) byte {
	x, y = 2*x, 2*y
	seed += uint32(subsets-1) * 1024
	n := seed
	n ^= n >> 15
	n -= n << 17
	n += n << 7
	n += n << 4
	n ^= n >> 5
	n += n << 16
	n ^= n >> 7
	n ^= n >> 3
	n ^= n << 6
	n ^= n >> 17
	shift1, shift2 := uint32(5), uint32(5)
	if seed&2 != 0 {
		shift1 = 4
	}
	if subsets == 3 {
		shift2 = 6
	}
	if seed&1 == 0 {
		shift1, shift2 = shift2, shift1
	}
	factor := func(i uint32) uint32 {
		v := n >> (4 * i) & 15
		if i&1 == 0 {
			return v * v >> shift1
		}
		return v * v >> shift2
	}
	a := (factor(0)*x + factor(1)*y + n>>14) & 63
	b := (factor(2)*x + factor(3)*y + n>>10) & 63
	c := (factor(4)*x + factor(5)*y + n>>6) & 63
	if subsets < 3 {
		c = 0
	}
	switch {
	case a >= b && a >= c:
		return 0
	case b >= c:
		return 1
	}
	return 2
}

// decodeUASTC decodes blocks, row by row.
func decodeUASTC(ctx context.Context, out *image.NRGBA, level []byte) error {
	t := newUASTCTables()
	width, height := out.Rect.Dx(), out.Rect.Dy()
	var texels [16][4]byte
	for y := 0; y < height; y += 4 {
		if err := ctx.Err(); err != nil {
			return err
		}
		for x := 0; x < width; x += 4 {
			if err := t.block(&texels, (*[16]byte)(level)); err != nil {
				return err
			}
			level = level[16:]
			for row := range min(4, height-y) {
				line := out.Pix[(y+row)*out.Stride+4*x:]
				for column := range min(4, width-x) {
					copy(line[4*column:], texels[4*row+column][:])
				}
			}
		}
	}
	return nil
}

var errBlock = errors.New("a block has a mode or a partition that does not exist")

// blockBits are the bits of a block that have not been read yet.
type blockBits struct{ low, high uint64 }

func (b *blockBits) take(n uint) uint32 {
	v := uint32(b.low) & (1<<n - 1)
	b.low = b.low>>n | b.high<<(64-n)
	b.high >>= n
	return v
}

// block decodes 4 × 4 texels.
func (t *uastcTables) block(out *[16][4]byte, data *[16]byte) error {
	b := blockBits{binary.LittleEndian.Uint64(data[:]), binary.LittleEndian.Uint64(data[8:])}
	number := t.modes[data[0]&127]
	if int(number) >= len(uastcModes) {
		return errBlock
	}
	m := &uastcModes[number]
	b.take(m.codeBits)
	if number == solid {
		c := [4]byte{byte(b.take(8)), byte(b.take(8)), byte(b.take(8)), byte(b.take(8))}
		for i := range out {
			out[i] = c
		}
		return nil
	}
	b.take(m.hints)
	pattern, own := 0, -1 // own is the component with a plane of its own
	switch {
	case m.subsets == 3:
		pattern = int(b.take(4))
	case m.subsets == 2:
		pattern = int(b.take(5))
	case m.planes == 2 && m.components == 2:
		own = 3
	case m.planes == 2:
		own = int(b.take(2))
	}
	if pattern >= len(t.partitions[number]) {
		return errBlock
	}
	ends := t.endPoints(&b, int(number))
	texels := &t.partitions[number][pattern]
	weights := t.weights[m.weightBits]
	for i := range out {
		n := m.weightBits
		if texels.anchor[i] { // whose highest bit is known to be 0
			n--
		}
		w := weights[b.take(n)]
		second := w
		if own >= 0 {
			second = weights[b.take(n)]
		}
		e := &ends[texels.subset[i]]
		for k := range out[i] {
			weight := w
			if k == own {
				weight = second
			}
			low, high := uint32(e[0][k])*257, uint32(e[1][k])*257
			out[i][k] = byte((low*(64-weight) + high*weight + 32) >> 14)
		}
	}
	return nil
}

// endPoints reads the two colours of each subset.
func (t *uastcTables) endPoints(b *blockBits, number int) (out [3][2][4]byte) {
	m := &uastcModes[number]
	q := &m.values
	count := 2 * m.components * m.subsets
	var digits [18]uint32
	for first := 0; q.base > 1 && first < count; {
		n := min(count-first, len(q.digits)-1)
		all := b.take(q.digits[n])
		for ; n > 0; n-- {
			digits[first] = all % q.base
			all /= q.base
			first++
		}
	}
	unquantized := t.unquantized[number]
	for i := range count {
		v := digits[i]<<q.bits | b.take(q.bits)
		subset, component, end := i/2/m.components, i/2%m.components, i%2
		c := unquantized[v]
		to := &out[subset][end]
		switch {
		case m.components != 2:
			to[component] = c
		case component == 0:
			to[0], to[1], to[2] = c, c, c
		default:
			to[3] = c
		}
		if m.components == 3 {
			to[3] = 255
		}
	}
	return out
}
