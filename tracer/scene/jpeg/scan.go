package jpeg

import "context"

// scan is one pass over the picture, or over a part of its components.
type scan struct {
	components  []*component
	first, last int  // coefficients, in the order of the file
	high, low   uint // bits of them that are left after the scan before, 0 for none before, and after this one
}

// coder is how coefficients are written: Huffman's codes or arithmetic ones.
type coder interface {
	reset(data []byte)                     // starts, at the beginning of a scan and behind each reset
	rest() []byte                          // data that were not read
	ends() bool                            // more was read than there is
	dc(c *component) error                 // reads the change of c.dc
	ac(c *component, b *block) error       // reads the first bits of coefficients
	refineDC() int16                       // reads a bit
	refineAC(c *component, b *block) error // reads one more bit of each coefficient
}

// readScan reads which components a scan has, and which part of their coefficients.
func (d *decoder) readScan(body []byte) bool {
	if len(body) < 1 || body[0] == 0 || len(body) != 4+2*int(body[0]) || d.kind == 0 {
		return false
	}
	s := &scan{last: blockSize - 1}
	for c := body[1 : len(body)-3]; len(c) > 0; c = c[2:] {
		k := d.component(c[0])
		if k == nil || c[1]>>4 > 3 || c[1]&15 > 3 {
			return false
		}
		k.dcTable, k.acTable = int(c[1]>>4), int(c[1]&15)
		s.components = append(s.components, k)
	}
	if d.isProgressive() {
		part := body[len(body)-3:]
		s.first, s.last, s.high, s.low = int(part[0]), int(part[1]), uint(part[2]>>4), uint(part[2]&15)
		if s.first > s.last || s.last >= blockSize || s.low > 13 || s.first == 0 && s.last > 0 || s.first > 0 && len(s.components) > 1 {
			return false
		}
	}
	for _, k := range s.components {
		if !k.begin(s) {
			return false
		}
	}
	d.scan = s
	return len(s.components) <= len(d.components)
}

// begin tells whether a scan is the next of its coefficients: the first one, or that of the bit below those of the scan before (T.81,
// G.1.1.1). So a coefficient has 14 at the most: other scans need no data, and a short file could keep the decoder busy for minutes.
func (k *component) begin(s *scan) bool {
	if s.high > 0 && s.low+1 != s.high {
		return false
	}
	for i := s.first; i <= s.last; i++ {
		if next := s.high > 0; next != (k.begun[i] > 0) || next && k.begun[i] != s.high+1 {
			return false
		}
		k.begun[i] = s.low + 1
	}
	return true
}

func (d *decoder) component(id byte) *component {
	for _, k := range d.components {
		if k.id == id {
			return k
		}
	}
	return nil
}

// pass decodes the scan whose header was read. Behind what cannot be decoded, up to the next reset, blocks have the colour of the last
// one before.
func (d *decoder) pass(ctx context.Context) (damage error) {
	s := d.scan
	d.allocate()
	code, err := d.coder(s)
	if err != nil {
		return err
	}
	across, down := ceil(d.width, 8*d.h), ceil(d.height, 8*d.v)
	alone := len(s.components) == 1
	if alone {
		across, down = s.components[0].across, s.components[0].down
	}
	s.restart(code, d.rest)
	cut := false // no reset follows
	var here error
	for unit := range across * down {
		if unit%across == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if d.reset > 0 && unit > 0 && unit%d.reset == 0 && !cut {
			rest := behindReset(code.rest())
			if cut = rest == nil; cut {
				here = first(here, errEnds)
			} else {
				here = nil
				s.restart(code, rest)
			}
		}
		for _, k := range s.components {
			h, v := k.h, k.v
			if alone {
				h, v = 1, 1
			}
			for i := range h * v {
				here = d.block(code, k, unit%across*h+i%h, unit/across*v+i/h, here)
			}
		}
		damage = first(damage, here)
		if here != nil && (cut || d.reset == 0) && s.first+int(s.high) > 0 {
			break // nothing more comes, and what earlier scans gave stays
		}
	}
	d.rest = code.rest()
	return damage
}

func (s *scan) restart(code coder, data []byte) {
	for _, k := range s.components {
		k.dc, k.context = 0, 0
	}
	code.reset(data)
}

// behindReset is what follows the next marker, if that is a reset; else nil.
func behindReset(data []byte) []byte {
	for ; len(data) >= 2; data = data[1:] {
		if data[0] == 0xff && data[1] != 0 && data[1] != 0xff {
			if data[1] < firstReset || data[1] > lastReset {
				return nil
			}
			return data[2:]
		}
	}
	return nil
}

// block decodes a block, or takes the last colour where nothing can be decoded any more.
func (d *decoder) block(code coder, k *component, x, y int, failed error) error {
	s := d.scan
	var own block
	b := &own
	if k.blocks != nil {
		b = &k.blocks[y*k.stride/8+x]
	}
	switch {
	case failed == nil:
		if failed = d.coefficients(code, k, b); code.ends() {
			failed = errEnds
		}
	case s.first == 0 && s.high == 0:
		b[0] = int16(k.dc << s.low)
	}
	if k.blocks == nil {
		d.draw(k, b, x, y)
	}
	return failed
}

func (d *decoder) coefficients(code coder, k *component, b *block) error {
	s := d.scan
	if s.first == 0 && s.high > 0 {
		b[0] |= code.refineDC() << s.low
		return nil
	}
	if s.first == 0 {
		if err := code.dc(k); err != nil {
			return err
		}
		b[0] = int16(k.dc << s.low)
		d.seen = d.seen || !code.ends()
	}
	if s.last == 0 {
		return nil
	}
	if s.high > 0 {
		return code.refineAC(k, b)
	}
	return code.ac(k, b)
}
