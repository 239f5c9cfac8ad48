package net

import (
	"math"
	"testing"
)

// TestHalvesComeBack: every half is the float32 that it stands for, and what lies between two goes to the nearer one.
func TestHalvesComeBack(t *testing.T) {
	for h := range Half(0x7c01) {
		x := h.Float()
		if got := HalfOf(x); got != h {
			t.Fatalf("%#x is %g, which is %#x", uint16(h), x, uint16(got))
		}
		if got := HalfOf(-x); got != h|0x8000 {
			t.Fatalf("%g is %#x", -x, uint16(got))
		}
		if h == 0 {
			continue
		}
		before := (h - 1).Float()
		middle := before + (x-before)/2
		if h == 0x7c00 { // infinite
			middle = 65520
		}
		if got := HalfOf(middle); got != h&^1 && got != (h-1)&^1 || got&1 != 0 {
			t.Fatalf("%g, between %#x and %#x, is %#x", middle, uint16(h-1), uint16(h), uint16(got))
		}
		if got := HalfOf(math.Nextafter32(middle, 0)); got != h-1 {
			t.Fatalf("a little less than %g is %#x, want %#x", middle, uint16(got), uint16(h-1))
		}
	}
	if nan := HalfOf(float32(math.NaN())).Float(); nan == nan {
		t.Errorf("no number is %g", nan)
	}
}
