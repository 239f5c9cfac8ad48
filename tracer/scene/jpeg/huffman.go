package jpeg

// huffman is a table of codes: those of a length are numbers that follow each other (T.81, annex C).
type huffman struct {
	limit  [17]int32 // by length: the first code that is too large, and what is added to a code for the index of its value
	offset [17]int32
	values []byte
}

// huffmanCoder reads Huffman's codes (T.81, annexes F.2.2 and G).
type huffmanCoder struct {
	scan   *scan
	tables *[2][4]*huffman
	data   []byte
	bits   byte
	left   int // of bits
	over   bool
	run    int // of blocks without any more coefficients
}

func (c *huffmanCoder) reset(data []byte) {
	*c = huffmanCoder{scan: c.scan, tables: c.tables, data: data}
}
func (c *huffmanCoder) rest() []byte { return c.data }
func (c *huffmanCoder) ends() bool   { return c.over }

// bit is the next one, 0 at the end of the data.
func (c *huffmanCoder) bit() int32 {
	if c.left == 0 {
		stuffed := len(c.data) >= 2 && c.data[0] == 0xff && c.data[1] == 0
		if len(c.data) == 0 || c.data[0] == 0xff && !stuffed {
			c.over = true
			return 0
		}
		c.bits, c.left = c.data[0], 8
		c.data = c.data[1:]
		if stuffed {
			c.data = c.data[1:]
		}
	}
	c.left--
	return int32(c.bits>>c.left) & 1
}

func (c *huffmanCoder) number(bits int) (n int32) {
	for range bits {
		n = 2*n + c.bit()
	}
	return n
}

// signed is a number whose first bit is its sign: 0 for negative ones, which are then counted from the least.
func (c *huffmanCoder) signed(bits int) int32 {
	n := c.number(bits)
	if bits > 0 && n < 1<<(bits-1) {
		n += 1 - 1<<bits
	}
	return n
}

func (c *huffmanCoder) value(t *huffman) (byte, error) {
	var code int32
	for length := 1; length <= 16; length++ {
		if code = 2*code + c.bit(); code < t.limit[length] {
			if at := code + t.offset[length]; at >= 0 {
				return t.values[at], nil
			}
			break
		}
	}
	return 0, errDamaged
}

func (c *huffmanCoder) dc(k *component) error {
	bits, err := c.value(c.tables[0][k.dcTable])
	if err == nil && bits > 15 {
		err = errDamaged
	}
	if err != nil {
		return err
	}
	if change := c.signed(int(bits)); !c.over {
		k.dc += change
	}
	return nil
}

func (c *huffmanCoder) ac(k *component, b *block) error {
	if c.run > 0 {
		c.run--
		return nil
	}
	for at := max(c.scan.first, 1); at <= c.scan.last; at++ {
		code, err := c.value(c.tables[1][k.acTable])
		if err != nil {
			return err
		}
		zeros, bits := int(code>>4), int(code&15)
		if bits == 0 && zeros < 15 {
			c.run = 1<<zeros + int(c.number(zeros)) - 1
			return nil
		}
		if at += zeros; at > c.scan.last {
			return errDamaged
		}
		if value := c.signed(bits); !c.over { // else it is made up of bits that are missing
			b[at] = int16(value << c.scan.low)
		}
	}
	return nil
}

func (c *huffmanCoder) refineDC() int16 { return int16(c.bit()) }

func (c *huffmanCoder) refineAC(k *component, b *block) error {
	at := c.scan.first
	for c.run == 0 && at <= c.scan.last {
		code, err := c.value(c.tables[1][k.acTable])
		if err != nil {
			return err
		}
		zeros, fresh := int(code>>4), int16(0)
		if code&15 != 0 {
			fresh = int16(2*c.bit()-1) << c.scan.low
		} else if zeros < 15 {
			c.run = 1<<zeros + int(c.number(zeros))
			break
		}
		if at = c.refine(b, at, zeros); at <= c.scan.last && fresh != 0 && !c.over {
			b[at] = fresh
		}
		at++
	}
	if c.run > 0 {
		c.refine(b, at, blockSize)
		c.run--
	}
	return nil
}

// refine reads a bit of each coefficient that is not zero, up to the zero behind so many others, and says where that is.
func (c *huffmanCoder) refine(b *block, at, zeros int) int {
	for ; at <= c.scan.last; at++ {
		if b[at] == 0 {
			if zeros == 0 {
				break
			}
			zeros--
			continue
		}
		if c.bit() != 0 { // 0 where bits are missing
			b[at] = larger(b[at], c.scan.low)
		}
	}
	return at
}
