package jpeg

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
