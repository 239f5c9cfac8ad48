package meshopt

import (
	"context"
	"encoding/binary"
	"errors"
	"math/bits"
)

const (
	groupSize   = 16  // elements
	blockSize   = 256 // elements at most
	blockBytes  = 8192
	groupMost   = 24 // bytes of a group at most; each stream ends in so many bytes or more that are no group's
	attributes0 = 0xa0
	attributes1 = 0xa1
)

// attributeReader reads the blocks of a stream of attributes (mode 0).
type attributeReader struct {
	data    []byte // all of it: groups are followed by the tail, so that reading beyond one is safe
	at      int
	stride  int
	version int    // of the format, 0 or 1
	modes   []byte // of each channel, which is 4 bytes of an element; nil in version 0
	last    []byte // element
	deltas  [4][blockSize]byte
}

func decodeAttributes(ctx context.Context, out, data []byte, layout Layout) error {
	r := attributeReader{data: data, at: 1, stride: layout.Stride}
	tail, least := r.stride, 32
	switch {
	case len(data) == 0:
		return errShort
	case data[0] == attributes1:
		tail, least, r.version = r.stride+r.stride/4, 24, 1
	case data[0] != attributes0:
		return errHeader
	}
	end := len(data) - max(tail, least)
	if end < 1 {
		return errShort
	}
	first := data[len(data)-tail:]
	r.last = append([]byte(nil), first[:r.stride]...)
	if r.version == 1 {
		r.modes = first[r.stride:]
	}
	for _, m := range r.modes {
		if m&15 > 2 || m&15 < 2 && m>>4 != 0 {
			return errors.New("a channel has a mode that does not exist")
		}
	}
	most := min(blockBytes/r.stride&^(groupSize-1), blockSize) * r.stride
	for n := 0; len(out) > 0; n++ {
		if n%64 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		block := out[:min(most, len(out))]
		if err := r.block(block); err != nil {
			return err
		}
		filter(block, layout)
		out = out[len(block):]
	}
	if r.at != end {
		return errRest
	}
	return nil
}

// block reads the elements of one block.
func (r *attributeReader) block(out []byte) error {
	count := len(out) / r.stride
	groups := (count + groupSize - 1) / groupSize
	control := r.data[r.at:]
	if r.version == 1 {
		if len(control) < r.stride/4 {
			return errShort
		}
		r.at += r.stride / 4
	}
	for channel := range r.stride / 4 {
		for k := range r.deltas {
			mode := byte(0)
			if r.version == 1 {
				mode = control[channel] >> (2 * k) & 3
			}
			if err := r.plane(r.deltas[k][:groups*groupSize], count, mode); err != nil {
				return err
			}
		}
		r.channel(out, count, channel)
	}
	return nil
}

// widths of the deltas of a group by the control mode of its plane (2 for version 0) and by its header, bits.
var widths = [3][4]int{{0, 1, 2, 4}, {1, 2, 4, 8}, {0, 2, 4, 8}}

// plane reads the deltas of one byte of each of count elements, and of those that fill the last group.
func (r *attributeReader) plane(out []byte, count int, control byte) error {
	row := &widths[2]
	if r.version == 1 {
		switch control {
		case 2:
			clear(out)
			return nil
		case 3:
			if len(r.data)-r.at < count { // here nothing fills the last group
				return errShort
			}
			r.at += copy(out[:count], r.data[r.at:])
			return nil
		}
		row = &widths[control]
	}
	headers := r.data[r.at:]
	size := (len(out)/groupSize + 3) / 4
	if len(headers) < size {
		return errShort
	}
	r.at += size
	for g := 0; len(out) >= groupSize; g++ {
		if len(r.data)-r.at < groupMost {
			return errShort
		}
		group := (*[groupSize]byte)(out)
		src := r.data[r.at:]
		switch row[headers[g/4]>>(2*(g%4))&3] {
		case 0:
			clear(group[:])
		case 1:
			r.at += bits1(group, src)
		case 2:
			r.at += bits2(group, src)
		case 4:
			r.at += bits4(group, src)
		case 8:
			r.at += copy(group[:], src)
		}
		out = out[groupSize:]
	}
	return nil
}

// bits1 reads deltas of one bit, where 1 stands for a byte that follows, and tells how many bytes that were.
func bits1(out *[groupSize]byte, src []byte) int {
	clear(out[:])
	at := 2
	for word := uint(binary.LittleEndian.Uint16(src)); word != 0; word &= word - 1 {
		out[bits.TrailingZeros(word)&(groupSize-1)] = src[at]
		at++
	}
	return at
}

// bits2 reads deltas of two bits, where 3 stands for a byte that follows.
func bits2(out *[groupSize]byte, src []byte) int {
	const each = 0x0303030303030303
	word := uint64(binary.BigEndian.Uint32(src)) // the first delta is in the highest bits of the first byte
	// Two bits to a byte, by halves.
	spread := func(v uint64) uint64 {
		v = (v | v<<24) & 0x000000ff000000ff
		v = (v | v<<12) & 0x000f000f000f000f
		v = (v | v<<6) & each
		return v
	}
	low, high := spread(word>>16), spread(word&0xffff)
	binary.BigEndian.PutUint64(out[:], low)
	binary.BigEndian.PutUint64(out[8:], high)
	return explicit(out, src, 4, low&(low>>1)&0x0101010101010101, high&(high>>1)&0x0101010101010101)
}

// bits4 reads deltas of four bits, where 15 stands for a byte that follows.
func bits4(out *[groupSize]byte, src []byte) int {
	const each = 0x0f0f0f0f0f0f0f0f
	spread := func(word uint32) uint64 {
		v := uint64(word)
		v = (v | v<<16) & 0x0000ffff0000ffff
		v = (v | v<<8) & 0x00ff00ff00ff00ff
		v = (v | v<<4) & each
		return v
	}
	low, high := spread(binary.BigEndian.Uint32(src)), spread(binary.BigEndian.Uint32(src[4:]))
	binary.BigEndian.PutUint64(out[:], low)
	binary.BigEndian.PutUint64(out[8:], high)
	return explicit(out, src, 8, (low+0x0101010101010101)>>4&0x0101010101010101, (high+0x0101010101010101)>>4&0x0101010101010101)
}

// explicit puts bytes of src from at on where a bit of a byte of low and high, eight deltas each with the first in the highest
// byte, says that one follows. It tells where the last ended.
func explicit(out *[groupSize]byte, src []byte, at int, low, high uint64) int {
	for ; low != 0; at++ {
		n := bits.LeadingZeros64(low)
		out[n/8&7] = src[at]
		low &^= 1 << (63 - n)
	}
	for ; high != 0; at++ {
		n := bits.LeadingZeros64(high)
		out[8+n/8&7] = src[at]
		high &^= 1 << (63 - n)
	}
	return at
}

// channel makes count elements' bytes of one channel of the deltas that were read.
func (r *attributeReader) channel(out []byte, count, channel int) {
	d0, d1, d2, d3 := r.deltas[0][:count], r.deltas[1][:count], r.deltas[2][:count], r.deltas[3][:count]
	value := binary.LittleEndian.Uint32(r.last[4*channel:])
	mode := byte(0)
	if r.modes != nil {
		mode = r.modes[channel]
	}
	at, stride := 4*channel, r.stride
	delta := func(i int) uint32 { return uint32(d0[i]) | uint32(d1[i])<<8 | uint32(d2[i])<<16 | uint32(d3[i])<<24 }
	switch mode & 15 {
	case 0:
		for i := range count {
			d := delta(i)
			d = d>>1&0x7f7f7f7f ^ d&0x01010101*0xff // signs are in the lowest bits
			value = (value&0x7f7f7f7f + d&0x7f7f7f7f) ^ (value^d)&0x80808080
			binary.LittleEndian.PutUint32(out[at:], value)
			at += stride
		}
	case 1:
		for i := range count {
			d := delta(i)
			d = d>>1&0x7fff7fff ^ d&0x00010001*0xffff
			value = (value&0x7fff7fff + d&0x7fff7fff) ^ (value^d)&0x80008000
			binary.LittleEndian.PutUint32(out[at:], value)
			at += stride
		}
	default:
		turn := int(mode >> 4)
		for i := range count {
			value ^= bits.RotateLeft32(delta(i), turn)
			binary.LittleEndian.PutUint32(out[at:], value)
			at += stride
		}
	}
	binary.LittleEndian.PutUint32(r.last[4*channel:], value)
}
