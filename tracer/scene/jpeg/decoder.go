package jpeg

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
)

type decoder struct {
	rest          []byte // of the file
	width, height int
	kind          byte // of frame
	components    []*component
	h, v          int // the largest sampling factors
	quant         [4][blockSize]uint16
	huffman       [2][4]*huffman
	conditions    arithmeticConditions
	reset         int // units between resets, 0 for none
	jfif          bool
	adobe         int   // its transform of colours, -1 for none
	scan          *scan // whose header was read
	seen          bool  // something is decoded
}

func newDecoder(data []byte) *decoder {
	return &decoder{rest: data, adobe: -1, conditions: defaultConditions()}
}

// segment reads the next marker and what belongs to it; of a scan only the header.
func (d *decoder) segment() (marker byte, err error) {
	marker, body, err := d.next()
	if err != nil {
		return 0, err
	}
	ok := true
	switch marker {
	case baseline, extended, progressive, arithmetic, arithmeticP:
		return marker, d.frame(marker, body)
	case 0xc3, 0xc5, 0xc6, 0xc7, 0xcb, 0xcd, 0xce, 0xcf:
		return marker, errors.New("lossless and hierarchical JPEG cannot be read")
	case huffTables:
		ok = d.readHuffman(body)
	case quantTables:
		ok = d.readQuant(body)
	case arithmeticTables:
		ok = d.conditions.read(body)
	case resetEvery:
		if ok = len(body) == 2; ok {
			d.reset = int(binary.BigEndian.Uint16(body))
		}
	case jfif:
		d.jfif = d.jfif || len(body) >= 5 && string(body[:5]) == "JFIF\x00"
	case adobe:
		if len(body) >= 12 && string(body[:5]) == "Adobe" {
			d.adobe = int(body[11])
		}
	case scanStart:
		ok = d.readScan(body)
	}
	if !ok {
		return marker, fmt.Errorf("its segment %#x is broken", marker)
	}
	return marker, nil
}

// next finds the next marker and the bytes that belong to it; some have none.
func (d *decoder) next() (marker byte, body []byte, err error) {
	for { // fill bytes, and what nobody knows
		if len(d.rest) < 2 {
			return 0, nil, errEnds
		}
		if marker = d.rest[1]; d.rest[0] == 0xff && marker != 0 && marker != 0xff {
			break
		}
		d.rest = d.rest[1:]
	}
	d.rest = d.rest[2:]
	if marker == start || marker == end || marker <= 1 || marker >= firstReset && marker <= lastReset {
		return marker, nil, nil
	}
	if len(d.rest) < 2 {
		return 0, nil, errEnds
	}
	size := int(binary.BigEndian.Uint16(d.rest))
	if size < 2 || size > len(d.rest) {
		return 0, nil, errEnds
	}
	body, d.rest = d.rest[2:size], d.rest[size:]
	return marker, body, nil
}

func (d *decoder) readQuant(body []byte) bool {
	for len(body) > 0 {
		wide, table := int(body[0]>>4), body[0]&15
		size := blockSize * (1 + wide)
		if body = body[1:]; wide > 1 || table > 3 || len(body) < size {
			return false
		}
		for i := range blockSize {
			if wide == 0 {
				d.quant[table][i] = uint16(body[i])
			} else {
				d.quant[table][i] = binary.BigEndian.Uint16(body[2*i:])
			}
		}
		body = body[size:]
	}
	return true
}

func (d *decoder) readHuffman(body []byte) bool {
	for len(body) > 0 {
		if len(body) < 17 {
			return false
		}
		class, table, counts := body[0]>>4, body[0]&15, body[1:17]
		body = body[17:]
		t := &huffman{}
		var code, total int32
		for i, n := range counts {
			t.offset[i+1] = total - code
			code += int32(n)
			total += int32(n)
			t.limit[i+1] = code
			code *= 2
		}
		if class > 1 || table > 3 || int(total) > len(body) {
			return false
		}
		t.values, body = body[:total], body[total:]
		d.huffman[class][table] = t
	}
	return true
}

// frame reads the header of the picture and makes room for its planes.
func (d *decoder) frame(kind byte, body []byte) error {
	if d.kind != 0 || len(body) < 6 || len(body) != 6+3*int(body[5]) {
		return errors.New("its frame header is broken")
	}
	d.height, d.width = int(binary.BigEndian.Uint16(body[1:])), int(binary.BigEndian.Uint16(body[3:]))
	if count := body[5]; body[0] != 8 || d.width == 0 || d.height == 0 || count != 1 && count != 3 && count != 4 {
		return fmt.Errorf("JPEG of %d × %d pixels, %d components of %d bits cannot be read", d.width, d.height, body[5], body[0])
	}
	for c := body[6:]; len(c) > 0; c = c[3:] {
		k := &component{id: c[0], h: int(c[1] >> 4), v: int(c[1] & 15), quant: int(c[2])}
		if len(body) == 6+3 { // one alone has no others to be compared with
			k.h, k.v = 1, 1
		}
		if k.h < 1 || k.h > 4 || k.v < 1 || k.v > 4 || k.quant > 3 {
			return errors.New("its sampling factors are broken")
		}
		d.components = append(d.components, k)
		d.h, d.v = max(d.h, k.h), max(d.v, k.v)
	}
	d.kind = kind
	return nil
}

// allocate makes room for the planes, once.
func (d *decoder) allocate() {
	if d.components[0].plane != nil {
		return
	}
	for _, k := range d.components {
		k.across, k.down = ceil(ceil(d.width*k.h, d.h), 8), ceil(ceil(d.height*k.v, d.v), 8)
		k.stride = 8 * k.h * ceil(d.width, 8*d.h)
		rows := 8 * k.v * ceil(d.height, 8*d.v)
		k.plane = slices.Repeat([]byte{128}, k.stride*rows)
		if d.isProgressive() {
			k.blocks = make([]block, k.stride*rows/blockSize)
		}
	}
}

func (d *decoder) isProgressive() bool { return d.kind == progressive || d.kind == arithmeticP }

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

func (d *decoder) component(id byte) *component {
	for _, k := range d.components {
		if k.id == id {
			return k
		}
	}
	return nil
}
