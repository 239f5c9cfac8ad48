package film_test

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"glint/tracer/film"
)

// blocks are the blocks of samples 0:end of one pixel with one plane, made up.
func blocks(end int) (firsts []int, values map[int][]float32) {
	dice := rand.New(rand.NewPCG(1, 2))
	values = map[int][]float32{}
	for first := 0; first < end; first += film.BlockSamples {
		firsts = append(firsts, first)
		values[first] = make([]float32, 8)
		for i := range values[first] {
			values[first][i] = float32(dice.ExpFloat64())
		}
	}
	return firsts, values
}

// sum adds blocks in an order.
func sum(t *testing.T, firsts []int, values map[int][]float32, end int) *film.Sums {
	t.Helper()
	s := &film.Sums{Size: film.Size{Width: 1, Height: 1}, Planes: 1, First: slices.Min(firsts), End: slices.Min(firsts)}
	for _, first := range firsts {
		if err := s.Add(first, min(film.BlockSamples, end-first), slices.Clone(values[first])); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// TestSumsDoNotDependOnOrder: the bits are the same in whatever order blocks come, and from whatever parts.
func TestSumsDoNotDependOnOrder(t *testing.T) {
	dice := rand.New(rand.NewPCG(3, 4))
	for _, end := range []int{1, 16, 17, 48, 160, 333, 1024, 1040} {
		firsts, values := blocks(end)
		want := sum(t, firsts, values, end)
		if err := want.Check(); err != nil || want.End != end {
			t.Fatalf("%d samples: %v, they end at %d", end, err, want.End)
		}
		for range 20 {
			mixed := slices.Clone(firsts)
			dice.Shuffle(len(mixed), func(i, j int) { mixed[i], mixed[j] = mixed[j], mixed[i] })
			if got := sum(t, mixed, values, end); !reflect.DeepEqual(got.Trees, want.Trees) || got.End != end {
				t.Fatalf("%d samples in the order %v: %v", end, mixed, got.End)
			}
			cut := dice.IntN(len(firsts))
			if cut == 0 {
				continue
			}
			a, b := sum(t, firsts[:cut], values, end), sum(t, firsts[cut:], values, end)
			if err := a.Append(b); err != nil || !reflect.DeepEqual(a.Trees, want.Trees) || !reflect.DeepEqual(a.Total(), want.Total()) || a.End != end {
				t.Fatalf("%d samples in parts that meet at block %d: %v", end, cut, err)
			}
		}
	}
}

// TestSumsWithGaps: what lies behind a gap does not count, and is dropped in the end.
func TestSumsWithGaps(t *testing.T) {
	firsts, values := blocks(333)
	want := sum(t, firsts[:5], values, 333)
	s := sum(t, append(slices.Clone(firsts[6:]), firsts[:5]...), values, 333)
	if s.End != 5*film.BlockSamples {
		t.Errorf("they end at %d", s.End)
	}
	s.Cut()
	if err := s.Check(); err != nil || !reflect.DeepEqual(s.Trees, want.Trees) {
		t.Errorf("%v: %d trees, want %d", err, len(s.Trees), len(want.Trees))
	}
	for _, first := range firsts[5:] {
		if err := s.Add(first, min(film.BlockSamples, 333-first), slices.Clone(values[first])); err != nil {
			t.Fatal(err)
		}
	}
	if !reflect.DeepEqual(s.Trees, sum(t, firsts, values, 333).Trees) {
		t.Error("they do not go on to what they would have been")
	}
	for _, row := range [][2]int{{0, 16}, {8, 16}, {336, 16}, {333, 3}} {
		if err := s.Add(row[0], row[1], make([]float32, 8)); err == nil {
			t.Errorf("block %v is taken", row)
		}
	}
	if err := s.Add(352, 16, make([]float32, 4)); err == nil {
		t.Error("half of the values are taken")
	}
}
