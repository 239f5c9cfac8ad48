package meshopt

import (
	"encoding/binary"
	"math"
	"math/bits"
)

// filter makes the values of whole elements of what is stored in their place.
func filter(data []byte, layout Layout) {
	switch layout.Filter {
	case Octahedral:
		if layout.Stride == 4 {
			octahedral8(data)
		} else {
			octahedral16(data)
		}
	case Quaternion:
		quaternions(data)
	case Exponential:
		exponential(data)
	case Color:
		if layout.Stride == 4 {
			color8(data)
		} else {
			color16(data)
		}
	}
}

func octahedral8(data []byte) {
	for ; len(data) >= 4; data = data[4:] {
		x, y, z := unit(float32(int8(data[0])), float32(int8(data[1])), float32(int8(data[2])))
		data[0], data[1], data[2] = byte(round(x*127)), byte(round(y*127)), byte(round(z*127))
	}
}

func octahedral16(data []byte) {
	for ; len(data) >= 8; data = data[8:] {
		x, y, z := unit(signed(data), signed(data[2:]), signed(data[4:]))
		put(data, round(x*32767))
		put(data[2:], round(y*32767))
		put(data[4:], round(z*32767))
	}
}

// unit is the vector at (x, y)/one of the octahedron unfolded to a square.
func unit(x, y, one float32) (float32, float32, float32) {
	x, y = x/one, y/one
	z := 1 - abs(x) - abs(y)
	folded := min(z, 0) // what lies beyond the square of the upper half
	x -= copysign(folded, x)
	y -= copysign(folded, y)
	scale := 1 / sqrt(x*x+y*y+z*z)
	return x * scale, y * scale, z * scale
}

func quaternions(data []byte) {
	for ; len(data) >= 8; data = data[8:] {
		last := binary.LittleEndian.Uint16(data[6:])
		scale := 1 / math.Sqrt2 / float32(int16(last|3))
		x, y, z := signed(data)*scale, signed(data[2:])*scale, signed(data[4:])*scale
		w := sqrt(max(0, 1-x*x-y*y-z*z))
		largest := int(last & 3)
		for i, v := range [4]float32{w, x, y, z} {
			put(data[2*((largest+i)&3):], round(v*32767))
		}
	}
}

func exponential(data []byte) {
	for ; len(data) >= 4; data = data[4:] {
		v := binary.LittleEndian.Uint32(data)
		exponent := int32(v) >> 24
		mantissa := int32(v<<8) >> 8
		power := math.Float32frombits(uint32(min(max(exponent, -126), 127)+127) << 23)
		binary.LittleEndian.PutUint32(data, math.Float32bits(power*float32(mantissa)))
	}
}

func color8(data []byte) {
	for ; len(data) >= 4; data = data[4:] {
		c := rgba(int32(data[0]), int32(int8(data[1])), int32(int8(data[2])), int32(data[3]), 255)
		for i, v := range c {
			data[i] = byte(v)
		}
	}
}

func color16(data []byte) {
	for ; len(data) >= 8; data = data[8:] {
		word := func(i int) uint16 { return binary.LittleEndian.Uint16(data[2*i:]) }
		c := rgba(int32(word(0)), int32(int16(word(1))), int32(int16(word(2))), int32(word(3)), 65535)
		for i, v := range c {
			put(data[2*i:], v)
		}
	}
}

// rgba makes a colour up to largest of luma, chroma (YCoCg) and alpha, whose highest bit says how many bits each has.
func rgba(y, co, cg, alpha int32, largest float32) [4]int32 {
	one := int32(1)<<bits.Len32(uint32(alpha)) - 1
	scale := largest / float32(one)
	alpha &= one >> 1
	alpha = alpha<<1 | alpha&1
	out := [4]int32{y + co - cg, y + cg, y - co - cg, alpha}
	for i, v := range out {
		out[i] = round(float32(v) * scale)
	}
	return out
}

func signed(data []byte) float32 { return float32(int16(binary.LittleEndian.Uint16(data))) }

func put(data []byte, v int32) { binary.LittleEndian.PutUint16(data, uint16(v)) }

// round goes to the nearest number, from the middle away from zero; what is no number becomes 0.
func round(v float32) int32 {
	if v != v {
		return 0
	}
	return int32(v + copysign(0.5, v))
}

func abs(v float32) float32 { return math.Float32frombits(math.Float32bits(v) &^ (1 << 31)) }

func copysign(v, sign float32) float32 {
	const bit = 1 << 31
	return math.Float32frombits(math.Float32bits(v)&^bit | math.Float32bits(sign)&bit)
}

func sqrt(v float32) float32 { return float32(math.Sqrt(float64(v))) }
