package jpeg

// arithmeticConditions say how large a number counts as large, by table (T.81, annex B.2.4.3).
type arithmeticConditions struct {
	small, large [4]uint // binary logarithms, of DC
	high         [4]int  // the last coefficient of low frequency, of AC
}

func defaultConditions() arithmeticConditions {
	return arithmeticConditions{large: [4]uint{1, 1, 1, 1}, high: [4]int{5, 5, 5, 5}}
}

func (a *arithmeticConditions) read(body []byte) bool {
	for ; len(body) >= 2; body = body[2:] {
		table, value := body[0]&15, body[1]
		switch {
		case table > 3 || body[0]>>4 > 1:
			return false
		case body[0]>>4 == 0:
			a.small[table], a.large[table] = uint(value&15), uint(value>>4)
		default:
			a.high[table] = int(value)
		}
	}
	return len(body) == 0
}

// bin is what is known of a decision: the state of its estimate, and the more probable value in the top bit.
type bin byte

const moreProbable = 0x80

// arithmeticCoder decodes binary decisions, each by how probable its values have been so far (T.81, annexes D, F.1.4 and G.1.3).
type arithmeticCoder struct {
	scan       *scan
	conditions *arithmeticConditions
	data       []byte
	over       bool
	code       uint32 // the code's distance from the interval's bottom, with 16 bits that come next
	interval   uint32
	left       int // bits of the last byte
	dcBins     [4][64]bin
	acBins     [4][256]bin
}

func (c *arithmeticCoder) reset(data []byte) {
	*c = arithmeticCoder{scan: c.scan, conditions: c.conditions, data: data, interval: 1 << 16}
	for range 2 {
		c.code = (c.code | c.next()<<8) << 8
	}
}

func (c *arithmeticCoder) rest() []byte { return c.data }
func (c *arithmeticCoder) ends() bool   { return c.over }

// next is a byte of the data. Zeros at their end, before a marker, are not written.
func (c *arithmeticCoder) next() (b uint32) {
	switch {
	case len(c.data) == 0:
		c.over = true
		return 0
	case c.data[0] != 0xff:
		b, c.data = uint32(c.data[0]), c.data[1:]
	case len(c.data) >= 2 && c.data[1] == 0:
		b, c.data = 0xff, c.data[2:]
	}
	return b
}

// decide decodes a decision (T.81, D.2).
func (c *arithmeticCoder) decide(b *bin) bool {
	e := &estimates[*b&^moreProbable]
	value := *b & moreProbable
	c.interval -= e.less
	below := c.code>>16 < c.interval
	if below && c.interval >= 1<<15 {
		return value != 0
	}
	likely := below == (c.interval >= e.less) // the larger part of the interval is that of the probable value
	if !below {
		c.code -= c.interval << 16
		c.interval = e.less
	}
	result := value
	if likely {
		*b = value | e.likely
	} else {
		result ^= moreProbable
		if e.turns {
			value ^= moreProbable
		}
		*b = value | e.unlikely
	}
	for c.interval < 1<<15 {
		if c.left == 0 {
			c.code |= c.next() << 8
			c.left = 8
		}
		c.left--
		c.code <<= 1
		c.interval <<= 1
	}
	return result != 0
}

// even decodes a decision of which either value is as probable.
func (c *arithmeticCoder) even() bool {
	b := bin(evenEstimate)
	return c.decide(&b)
}

// firstBit decodes how large the first bit of a number is: one decision a doubling. It gives the last bin that it used, too.
func (c *arithmeticCoder) firstBit(bins []bin, at int) (value int32, last int, err error) {
	for value = 1; c.decide(&bins[at]); at++ {
		if value <<= 1; value == 1<<15 {
			return 0, 0, errDamaged
		}
	}
	return value, at, nil
}

// number decodes the bits below the first of a number, which is one more than they say.
func (c *arithmeticCoder) number(b *bin, first int32, negative bool) int32 {
	n := first
	for first >>= 1; first > 0; first >>= 1 {
		if c.decide(b) {
			n |= first
		}
	}
	if n++; negative {
		return -n
	}
	return n
}

const lowerBits = 14 // bins from that of a first bit to that of the bits below it

func (c *arithmeticCoder) dc(k *component) (err error) {
	bins := c.dcBins[k.dcTable][:]
	at := k.context
	if k.context = 0; !c.decide(&bins[at]) {
		return nil
	}
	const far = 20 // bins of larger numbers
	negative := c.decide(&bins[at+1])
	side := 0
	if negative {
		side = 1
	}
	at += 2 + side
	var first int32
	if c.decide(&bins[at]) {
		if first, at, err = c.firstBit(bins, far); err != nil {
			return err
		}
	}
	switch {
	case first < 1<<c.conditions.small[k.dcTable]>>1:
	case first > 1<<c.conditions.large[k.dcTable]>>1:
		k.context = 12 + 4*side
	default:
		k.context = 4 + 4*side
	}
	k.dc += c.number(&bins[at+lowerBits], first, negative)
	return nil
}

func (c *arithmeticCoder) ac(k *component, b *block) (err error) {
	bins := c.acBins[k.acTable][:]
	for i := max(c.scan.first, 1); i <= c.scan.last; i++ {
		if c.decide(&bins[3*(i-1)]) {
			return nil // no more of them
		}
		for !c.decide(&bins[3*(i-1)+1]) {
			if i++; i > c.scan.last {
				return errDamaged
			}
		}
		negative := c.even()
		at, first := 3*(i-1)+2, int32(0)
		if c.decide(&bins[at]) {
			first = 1
			if c.decide(&bins[at]) {
				far := 217
				if i <= c.conditions.high[k.acTable] {
					far = 189
				}
				if first, at, err = c.firstBit(bins, far); err != nil {
					return err
				}
				first <<= 1
			}
		}
		b[i] = int16(c.number(&bins[at+lowerBits], first, negative) << c.scan.low)
	}
	return nil
}

func (c *arithmeticCoder) refineDC() int16 {
	if c.even() {
		return 1
	}
	return 0
}

func (c *arithmeticCoder) refineAC(k *component, b *block) error {
	bins := c.acBins[k.acTable][:]
	known := c.scan.last // up to which there were coefficients before
	for known > 0 && b[known] == 0 {
		known--
	}
	for i := c.scan.first; i <= c.scan.last; i++ {
		if i > known && c.decide(&bins[3*(i-1)]) {
			return nil
		}
		for b[i] == 0 && !c.decide(&bins[3*(i-1)+1]) {
			if i++; i > c.scan.last {
				return errDamaged
			}
		}
		switch {
		case b[i] == 0:
			b[i] = 1 << c.scan.low
			if c.even() {
				b[i] = -b[i]
			}
		case c.decide(&bins[3*(i-1)+2]):
			b[i] = larger(b[i], c.scan.low)
		}
	}
	return nil
}

// estimate is a state of what is known of a decision.
type estimate struct {
	less     uint32 // the part of the interval that is of the less probable value
	likely   bin    // the state after the more probable value, and after the other
	unlikely bin
	turns    bool // the other value is then the more probable one
}

const evenEstimate = 113

// estimates are T.81's table D.3, and one that stays even.
var estimates = [114]estimate{
	{0x5a1d, 1, 1, true}, {0x2586, 2, 14, false}, {0x1114, 3, 16, false}, {0x080b, 4, 18, false}, {0x03d8, 5, 20, false},
	{0x01da, 6, 23, false}, {0x00e5, 7, 25, false}, {0x006f, 8, 28, false}, {0x0036, 9, 30, false}, {0x001a, 10, 33, false},
	{0x000d, 11, 35, false}, {0x0006, 12, 9, false}, {0x0003, 13, 10, false}, {0x0001, 13, 12, false}, {0x5a7f, 15, 15, true},
	{0x3f25, 16, 36, false}, {0x2cf2, 17, 38, false}, {0x207c, 18, 39, false}, {0x17b9, 19, 40, false}, {0x1182, 20, 42, false},
	{0x0cef, 21, 43, false}, {0x09a1, 22, 45, false}, {0x072f, 23, 46, false}, {0x055c, 24, 48, false}, {0x0406, 25, 49, false},
	{0x0303, 26, 51, false}, {0x0240, 27, 52, false}, {0x01b1, 28, 54, false}, {0x0144, 29, 56, false}, {0x00f5, 30, 57, false},
	{0x00b7, 31, 59, false}, {0x008a, 32, 60, false}, {0x0068, 33, 62, false}, {0x004e, 34, 63, false}, {0x003b, 35, 32, false},
	{0x002c, 9, 33, false}, {0x5ae1, 37, 37, true}, {0x484c, 38, 64, false}, {0x3a0d, 39, 65, false}, {0x2ef1, 40, 67, false},
	{0x261f, 41, 68, false}, {0x1f33, 42, 69, false}, {0x19a8, 43, 70, false}, {0x1518, 44, 72, false}, {0x1177, 45, 73, false},
	{0x0e74, 46, 74, false}, {0x0bfb, 47, 75, false}, {0x09f8, 48, 77, false}, {0x0861, 49, 78, false}, {0x0706, 50, 79, false},
	{0x05cd, 51, 48, false}, {0x04de, 52, 50, false}, {0x040f, 53, 50, false}, {0x0363, 54, 51, false}, {0x02d4, 55, 52, false},
	{0x025c, 56, 53, false}, {0x01f8, 57, 54, false}, {0x01a4, 58, 55, false}, {0x0160, 59, 56, false}, {0x0125, 60, 57, false},
	{0x00f6, 61, 58, false}, {0x00cb, 62, 59, false}, {0x00ab, 63, 61, false}, {0x008f, 32, 61, false}, {0x5b12, 65, 65, true},
	{0x4d04, 66, 80, false}, {0x412c, 67, 81, false}, {0x37d8, 68, 82, false}, {0x2fe8, 69, 83, false}, {0x293c, 70, 84, false},
	{0x2379, 71, 86, false}, {0x1edf, 72, 87, false}, {0x1aa9, 73, 87, false}, {0x174e, 74, 72, false}, {0x1424, 75, 72, false},
	{0x119c, 76, 74, false}, {0x0f6b, 77, 74, false}, {0x0d51, 78, 75, false}, {0x0bb6, 79, 77, false}, {0x0a40, 48, 77, false},
	{0x5832, 81, 80, true}, {0x4d1c, 82, 88, false}, {0x438e, 83, 89, false}, {0x3bdd, 84, 90, false}, {0x34ee, 85, 91, false},
	{0x2eae, 86, 92, false}, {0x299a, 87, 93, false}, {0x2516, 71, 86, false}, {0x5570, 89, 88, true}, {0x4ca9, 90, 95, false},
	{0x44d9, 91, 96, false}, {0x3e22, 92, 97, false}, {0x3824, 93, 99, false}, {0x32b4, 94, 99, false}, {0x2e17, 86, 93, false},
	{0x56a8, 96, 95, true}, {0x4f46, 97, 101, false}, {0x47e5, 98, 102, false}, {0x41cf, 99, 103, false},
	{0x3c3d, 100, 104, false}, {0x375e, 93, 99, false}, {0x5231, 102, 105, false}, {0x4c0f, 103, 106, false},
	{0x4639, 104, 107, false}, {0x415e, 99, 103, false}, {0x5627, 106, 105, true}, {0x50e7, 107, 108, false},
	{0x4b85, 103, 109, false}, {0x5597, 109, 110, false}, {0x504f, 107, 111, false}, {0x5a10, 111, 110, true},
	{0x5522, 109, 112, false}, {0x59eb, 111, 112, true}, {0x5a1d, 113, 113, false},
}
