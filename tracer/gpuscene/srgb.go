package gpuscene

import (
	"slices"
	"sync"

	"glint/cuda"
)

// encodedSteps of linear light are fine enough for 8 bits of sRGB where its curve is steepest.
const encodedSteps = 1 << 14

// curve is that of sRGB in tables.
type curve struct {
	linear  [256]float32
	encoded [encodedSteps]byte
}

var srgbCurve = sync.OnceValue(func() *curve {
	c := &curve{}
	for i := range c.linear {
		c.linear[i] = float32(cuda.SRGBDecode(float64(i) / 255))
	}
	value := 0
	for i := range c.encoded { // the value that is nearest
		for light := float32(i) / (encodedSteps - 1); value < 255 && light > (c.linear[value]+c.linear[value+1])/2; {
			value++
		}
		c.encoded[i] = byte(value)
	}
	return c
})

// srgbDecode16 is linear between the curve at two values of 8 bits, as in core/tables.cuh.
func srgbDecode16(v float32) float32 {
	linear := &srgbCurve().linear
	at := v * 255
	i := min(int(at), 254)
	return linear[i] + (linear[i+1]-linear[i])*(at-float32(i))
}

// srgbEncode16 is the inverse of srgbDecode16.
func srgbEncode16(light float32) float32 {
	linear := srgbCurve().linear[:]
	i, _ := slices.BinarySearch(linear, light)
	i = min(max(i-1, 0), 254)
	return (float32(i) + (light-linear[i])/(linear[i+1]-linear[i])) / 255
}
