package cuda_test

import (
	"math"
	"testing"

	"glint/cuda"
)

const copyPower = 0.0287

// thinned is a field of reservoirs after the duplication map, block by block.
func thinned(t *testing.T, variant cuda.Variant, field []cuda.Reservoir, width, height uint32) []cuda.Reservoir {
	t.Helper()
	address, after := exchange(t, field)
	frame := cuda.Frame{
		Restir: cuda.RestirParams{History: address, ConfidenceCap: 8, CopyPower: copyPower},
		Film:   cuda.FilmParams{Width: width, Height: height},
	}
	n := cuda.ThinDuplicates.Threads()
	cuda.Run(variant, cuda.ThinDuplicates, &frame, 0, int((width+15)/16*((height+15)/16))*n, 0)
	return after
}

// copiesAround counts other pixels of 17×17 that hold a pixel's sample, one by one.
func copiesAround(field []cuda.Reservoir, width, height, at int) int {
	copies := 0
	for y := max(at/width-8, 0); y <= min(at/width+8, height-1); y++ {
		for x := max(at%width-8, 0); x <= min(at%width+8, width-1); x++ {
			i := y*width + x
			if i != at && field[i].W > 0 && field[i].X2 == field[at].X2 {
				copies++
			}
		}
	}
	return copies
}

// Among copies history keeps less confidence, by RTXDI's formula; alone it keeps all up to the cap. Nothing else changes.
func TestDuplicatesLoseConfidence(t *testing.T) {
	const width, height, asked = 40, 23, 8
	r := newRandom(11)
	before := make([]cuda.Reservoir, width*height)
	for i := range before {
		kind := float32(r.IntN(12)) // few samples, so that there are many copies
		before[i] = cuda.Reservoir{X2: [3]float32{kind, 2 * kind, 1}, L2: unit(r), W: 1 + unit(r), Meta: r.Uint32()&^255 | uint32(r.IntN(21))}
		switch {
		case i%7 == 0:
			before[i].W = 0
		case i%5 == 0:
			before[i].X2 = [3]float32{unit(r), unit(r), unit(r)} // nobody else's
		}
	}
	for _, variant := range []cuda.Variant{cuda.Baseline, cuda.BestVariant()} {
		for i, got := range thinned(t, variant, before, width, height) {
			bound := float64(asked)
			if copies := copiesAround(before, width, height, i); before[i].W > 0 && copies > 0 {
				bound += (1 - asked) * math.Pow(float64(copies)/288, copyPower)
			}
			want := before[i]
			want.Meta = want.Meta&^255 | min(want.Meta&255, uint32(bound+0.5))
			if got != want {
				t.Fatalf("pixel %d: confidence %d of %d, want %d", i, got.Meta&255, before[i].Meta&255, want.Meta&255)
			}
		}
	}
}
