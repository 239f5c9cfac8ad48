package jpeg

import (
	"cmp"
	"context"
	"errors"
)

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
				here = cmp.Or(here, errEnds)
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
		damage = cmp.Or(damage, here)
		if here != nil && (cut || d.reset == 0) && s.first+int(s.high) > 0 {
			break // nothing more comes, and what earlier scans gave stays
		}
	}
	d.rest = code.rest()
	return damage
}

// coder is that of a scan.
func (d *decoder) coder(s *scan) (coder, error) {
	if d.kind == arithmetic || d.kind == arithmeticP {
		return &arithmeticCoder{scan: s, conditions: &d.conditions}, nil
	}
	for _, k := range s.components {
		if s.first == 0 && s.high == 0 && d.huffman[0][k.dcTable] == nil || s.last > 0 && d.huffman[1][k.acTable] == nil {
			return nil, errors.New("a table of its codes is missing")
		}
	}
	return &huffmanCoder{scan: s, tables: &d.huffman}, nil
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
