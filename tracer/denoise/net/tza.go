package net

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
)

// Tensor is a named array of numbers, the last dimension side by side.
type Tensor struct {
	Name   string
	Dims   []int
	Layout string // a letter for each dimension: "oihw" of a convolution's weights, "x" of a bias
	Values []float32
}

// A tensor archive (.tza), as OIDN has them: magic, version, the offset of a table; the table's rows name tensors and where they lie.
const (
	tzaMagic   = "\xd7\x41"
	tzaMajor   = 2  // other versions are laid out otherwise
	tzaHeader  = 12 // bytes
	tzaAlign   = 64 // of what is written [bytes]
	tzaHalf    = 'h'
	tzaFloat   = 'f'
	mostDims   = 8
	leastEntry = 12 // bytes of a row without name and dimensions
)

var errShort = errors.New("it ends too early")

// ReadTZA reads an archive. What follows it in data does not matter.
func ReadTZA(data []byte) ([]Tensor, error) {
	if len(data) < tzaHeader || string(data[:2]) != tzaMagic {
		return nil, errors.New("no tensor archive: it does not begin as one")
	}
	if data[2] != tzaMajor {
		return nil, fmt.Errorf("tensor archive of version %d.%d: want 2", data[2], data[3])
	}
	at := binary.LittleEndian.Uint64(data[4:])
	if at > uint64(len(data)) {
		return nil, fmt.Errorf("tensor archive: its table lies behind its end, at %d of %d bytes", at, len(data))
	}
	r := tzaReader{rest: data[at:]}
	count := r.number(4)
	if r.failed || count > uint64(len(r.rest)/leastEntry) {
		return nil, fmt.Errorf("tensor archive: a table of %d tensors: %w", count, errShort)
	}
	tensors := make([]Tensor, 0, count)
	left := uint64(len(data)) // that tensors may take together: none lies in another
	for i := range count {
		t, size, err := r.tensor(data)
		if err == nil && size > left {
			err = errors.New("it shares bytes with others")
		}
		if err != nil {
			return nil, fmt.Errorf("tensor archive: tensor %d of %d, %q: %w", i+1, count, t.Name, err)
		}
		left -= size
		tensors = append(tensors, t)
	}
	return tensors, nil
}

// tzaReader reads a table from its beginning. After one failure it gives zeros.
type tzaReader struct {
	rest   []byte
	failed bool
}

func (r *tzaReader) take(n int) []byte {
	if n > len(r.rest) {
		r.failed, r.rest = true, nil
		return make([]byte, n)
	}
	taken := r.rest[:n]
	r.rest = r.rest[n:]
	return taken
}

// number is one of so many bytes.
func (r *tzaReader) number(size int) uint64 {
	var wide [8]byte
	copy(wide[:], r.take(size))
	return binary.LittleEndian.Uint64(wide[:])
}

// tensor reads a row of the table, and what it names of the whole data: so many bytes.
func (r *tzaReader) tensor(data []byte) (t Tensor, size uint64, err error) {
	t.Name = string(r.take(int(r.number(2))))
	dims := int(r.number(1))
	if dims > mostDims {
		return t, 0, fmt.Errorf("%d dimensions: at most %d are possible", dims, mostDims)
	}
	count := uint64(1)
	for range dims {
		d := r.number(4)
		t.Dims = append(t.Dims, int(d))
		if d > 0 && count > uint64(len(data))/d {
			return t, 0, fmt.Errorf("dimensions %d: %w", t.Dims, errShort)
		}
		count *= d
	}
	t.Layout = string(r.take(dims))
	kind, at := byte(r.number(1)), r.number(8)
	if r.failed {
		return t, 0, errShort
	}
	each := uint64(2)
	switch kind {
	case tzaHalf:
	case tzaFloat:
		each = 4
	default:
		return t, 0, fmt.Errorf("numbers of type %q: want h or f", kind)
	}
	size = count * each
	if at > uint64(len(data)) || size > uint64(len(data))-at {
		return t, 0, fmt.Errorf("%d bytes at %d: %w", size, at, errShort)
	}
	t.Values = make([]float32, count)
	for i := range t.Values {
		if from := data[at+uint64(i)*each:]; each == 2 {
			t.Values[i] = Half(binary.LittleEndian.Uint16(from)).Float()
		} else {
			t.Values[i] = math.Float32frombits(binary.LittleEndian.Uint32(from))
		}
	}
	return t, size, nil
}

// WriteTZA makes an archive of halves.
func WriteTZA(tensors []Tensor) ([]byte, error) {
	var table bytes.Buffer
	little := binary.LittleEndian
	out := append([]byte(tzaMagic), tzaMajor, 0)
	out = append(out, make([]byte, tzaHeader-len(out))...)
	table.Write(little.AppendUint32(nil, uint32(len(tensors))))
	for _, t := range tensors {
		count := 1
		for _, d := range t.Dims {
			count *= d
		}
		if len(t.Name) > math.MaxUint16 || len(t.Dims) > mostDims || len(t.Layout) != len(t.Dims) || len(t.Values) != count {
			return nil, fmt.Errorf("write a tensor archive: tensor %.40q: %d numbers, dimensions %d, layout %q do not go together",
				t.Name, len(t.Values), t.Dims, t.Layout)
		}
		out = append(out, make([]byte, -len(out)&(tzaAlign-1))...)
		row := append(little.AppendUint16(nil, uint16(len(t.Name))), t.Name...)
		row = append(row, byte(len(t.Dims)))
		for _, d := range t.Dims {
			row = little.AppendUint32(row, uint32(d))
		}
		row = append(append(row, t.Layout...), tzaHalf)
		table.Write(little.AppendUint64(row, uint64(len(out))))
		for _, v := range t.Values {
			out = little.AppendUint16(out, uint16(HalfOf(v)))
		}
	}
	little.PutUint64(out[4:], uint64(len(out)))
	return slices.Concat(out, table.Bytes()), nil
}
