package ktx2

import (
	"errors"
	"math/bits"
)

// bitReader reads bits, the lowest of each byte first. Beyond the end there are zeros, and an error.
type bitReader struct {
	data []byte
	at   int
	word uint64 // bits that were read ahead
	have uint   // of them; fewer than none were taken beyond the end
	over int    // zeros that were read ahead beyond the end
}

var errBits = errors.New("its codes end too early, or cannot be")

// fill sees to 32 bits or more.
func (r *bitReader) fill() {
	for r.have <= 56 {
		if r.at < len(r.data) {
			r.word |= uint64(r.data[r.at]) << r.have
			r.at++
		} else {
			r.over += 8
		}
		r.have += 8
	}
}

// take reads up to 16 bits.
func (r *bitReader) take(n uint) uint32 {
	if r.have < 32 {
		r.fill()
	}
	v := uint32(r.word) & (1<<n - 1)
	r.word >>= n
	r.have -= n
	return v
}

// err tells whether more was read than there is.
func (r *bitReader) err() error {
	if int(r.have) < r.over {
		return errBits
	}
	return nil
}

// chunks reads a number in chunks of so many bits, each of which says in one bit more whether another follows.
func (r *bitReader) chunks(n uint) int {
	v := 0
	for shift := uint(0); shift < 32; shift += n {
		c := int(r.take(n + 1))
		v |= c & (1<<n - 1) << shift
		if c>>n == 0 {
			break
		}
	}
	return v
}

const longestCode = 16

// huffman finds a symbol by the bits that begin with its code: symbol<<8 | length. It is empty where there are no codes.
type huffman []uint32

// newHuffman gives codes to symbols by the lengths of these (RFC 1951, 3.2.2).
func newHuffman(lengths []byte) (huffman, error) {
	var counts [longestCode + 1]int
	longest := 0
	for _, n := range lengths {
		if n > 0 {
			counts[n]++
			longest = max(longest, int(n))
		}
	}
	if longest == 0 {
		return nil, nil
	}
	var next [longestCode + 1]int
	code := 0
	for n := 1; n <= longest; n++ {
		code = (code + counts[n-1]) << 1
		next[n] = code
		if code+counts[n] > 1<<n {
			return nil, errBits
		}
	}
	table := make(huffman, 1<<longest)
	for symbol, n := range lengths {
		if n == 0 {
			continue
		}
		first := int(bits.Reverse16(uint16(next[n])) >> (16 - n))
		next[n]++
		for i := first; i < len(table); i += 1 << n {
			table[i] = uint32(symbol)<<8 | uint32(n)
		}
	}
	return table, nil
}

// symbol reads a symbol, or gives false where there is no such code.
func (r *bitReader) symbol(table huffman) (int, bool) {
	if len(table) == 0 {
		return 0, false
	}
	if r.have < 32 {
		r.fill()
	}
	entry := table[r.word&uint64(len(table)-1)]
	n := uint(entry & 0xff)
	r.word >>= n
	r.have -= n
	return int(entry >> 8), n > 0
}

// readHuffman reads tables as BasisLZ stores them.
func (r *bitReader) readHuffman(tables ...*huffman) (err error) {
	for i := 0; i < len(tables) && err == nil; i++ {
		*tables[i], err = r.readTable()
	}
	return err
}

func (r *bitReader) readTable() (huffman, error) {
	order := [...]byte{17, 18, 19, 20, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15, 16}
	total, count := int(r.take(14)), int(r.take(5))
	if count > len(order) {
		return nil, errBits
	}
	if total == 0 {
		return nil, r.err()
	}
	var small [len(order)]byte
	for _, symbol := range order[:count] {
		small[symbol] = byte(r.take(3))
	}
	codes, err := newHuffman(small[:])
	if err != nil {
		return nil, err
	}
	lengths := make([]byte, 0, total)
	for len(lengths) < total {
		symbol, ok := r.symbol(codes)
		if !ok {
			return nil, errBits
		}
		value, run := byte(0), 1
		switch symbol {
		case 17:
			run = 3 + int(r.take(3))
		case 18:
			run = 11 + int(r.take(7))
		case 19, 20:
			if len(lengths) == 0 || lengths[len(lengths)-1] == 0 {
				return nil, errBits
			}
			value = lengths[len(lengths)-1]
			if symbol == 19 {
				run = 3 + int(r.take(2))
			} else {
				run = 7 + int(r.take(7))
			}
		default:
			value = byte(symbol)
		}
		if run > total-len(lengths) {
			return nil, errBits
		}
		for range run {
			lengths = append(lengths, value)
		}
	}
	if err := r.err(); err != nil {
		return nil, err
	}
	return newHuffman(lengths)
}
