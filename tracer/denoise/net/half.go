package net

import "math"

// Half is a number of 16 bits as kernels store it (IEEE 754 binary16).
type Half uint16

// halfScale moves an exponent from where a float32 has it to where a half has it: 2¹¹².
const halfScale = 1 << 112

// HalfOf rounds to the nearest half, or to the even one of two. What is beyond ±65504 becomes infinite.
func HalfOf(x float32) Half {
	bits := math.Float32bits(x)
	sign, size := Half(bits>>16&0x8000), bits&0x7fffffff
	switch {
	case size > 0x7f800000: // not a number
		return sign | 0x7e00
	case size >= 0x477ff000: // 65520, half way to the number behind 65504
		return sign | 0x7c00
	case size < 0x38800000: // denormal: the sum keeps units of 2⁻²⁴
		return sign | Half(math.Float32bits(math.Float32frombits(size)+0.5)-math.Float32bits(0.5))
	}
	return sign | Half((size-0x38000000+0xfff+size>>13&1)>>13)
}

// Float is the half as a float32, which has every half.
func (h Half) Float() float32 {
	sign, size := uint32(h&0x8000)<<16, uint32(h&0x7fff)<<13
	if size >= 0x7c00<<13 {
		return math.Float32frombits(sign | size | 0x7f800000)
	}
	return math.Float32frombits(sign | math.Float32bits(math.Float32frombits(size)*halfScale))
}
