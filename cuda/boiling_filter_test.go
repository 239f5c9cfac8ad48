package cuda_test

import (
	"slices"
	"testing"

	"glint/cuda"
)

// boilingCase is a field of reservoirs, and those that the filter must drop.
type boilingCase struct {
	name          string
	width, height uint32
	plant         map[int]float32 // brightness by pixel, where it is not about 1
	dropped       []int
}

func boilingCases() []boilingCase {
	const w, h = 40, 23 // 3×2 blocks, of which the last ones hold 8×7 pixels
	corner, inside := w*h-1, 5*w+3
	black := map[int]float32{}
	for i := range 16 * 16 { // the first block
		black[i/16*w+i%16] = 0
	}
	black[inside] = 1
	return []boilingCase{
		{"even field", w, h, nil, nil},
		{"just below the limit", w, h, map[int]float32{inside: 45}, nil},
		{"one outlier", w, h, map[int]float32{inside: 53}, []int{inside}},
		{"one in the block at the corner", w, h, map[int]float32{corner: 1000}, []int{corner}},
		{"two, far apart", w, h, map[int]float32{inside: 100, corner: 1000}, []int{inside, corner}},
		{"two in a block", w, h, map[int]float32{inside: 1000, inside + 1: 1000}, []int{inside, inside + 1}},
		{"nothing else is lit", w, h, black, nil},
		{"a single pixel", 1, 1, map[int]float32{0: 1e9}, nil},
	}
}

// field makes reservoirs of brightness 0.5 to 1.5; all that a kernel may not touch is random.
func (c boilingCase) field() []cuda.Reservoir {
	r := newRandom(5)
	out := make([]cuda.Reservoir, c.width*c.height)
	for i := range out {
		brightness := 0.5 + unit(r)
		if planted, ok := c.plant[i]; ok {
			brightness = planted
		}
		const third = 21845 // of 65535: grey
		w := 0.5 + 4*unit(r)
		out[i] = cuda.Reservoir{X2: [3]float32{unit(r), unit(r), unit(r)}, N2: r.Uint32(), L2: 3 * brightness / w,
			Chroma: third | third<<16, W: w, Meta: r.Uint32()}
	}
	return out
}

// filtered is the field after the filter, which runs block by block, the last one first.
func (c boilingCase) filtered(t *testing.T, variant cuda.Variant, field []cuda.Reservoir) []cuda.Reservoir {
	t.Helper()
	address, after := exchange(t, field)
	frame := cuda.Frame{
		Restir: cuda.RestirParams{Reservoirs: address, Boiling: 41},
		Film:   cuda.FilmParams{Width: c.width, Height: c.height},
	}
	n := cuda.BoilingFilter.Threads()
	for i := int((c.width+15)/16*((c.height+15)/16)) - 1; i >= 0; i-- {
		cuda.Run(variant, cuda.BoilingFilter, &frame, i*n, (i+1)*n, 0)
	}
	return after
}

// The filter drops what is more than 41 times brighter than the mean of its block, and touches nothing else.
func TestBoilingFilter(t *testing.T) {
	for _, c := range boilingCases() {
		for _, variant := range []cuda.Variant{cuda.Baseline, cuda.BestVariant()} {
			before := c.field()
			for i, got := range c.filtered(t, variant, before) {
				want := before[i]
				if slices.Contains(c.dropped, i) {
					want = cuda.Reservoir{}
				}
				if got != want {
					t.Errorf("%s: pixel %d of brightness %g is %+v, want %+v", c.name, i, before[i].L2*before[i].W/3, got, want)
				}
			}
		}
	}
}
