package metric

import "testing"

// TestLoneDots: what stands out counts, unless the reference has it too, others beside it do so, or it is darker than anybody sees.
func TestLoneDots(t *testing.T) {
	around := func(x, y int, base, bright float32, size int) func(u, v, c int) float32 {
		return func(u, v, _ int) float32 {
			if u >= x && u < x+size && v >= y && v < y+size {
				return bright
			}
			return base
		}
	}
	for _, row := range []struct {
		name      string
		test, ref func(x, y, c int) float32
		want      int
	}{
		{"a dot", around(5, 5, 1, 9, 1), around(0, 0, 1, 1, 1), 1},
		{"in the corner", around(0, 0, 1, 9, 1), around(0, 0, 1, 1, 1), 1},
		{"too faint", around(5, 5, 1, 7, 1), around(0, 0, 1, 1, 1), 0},
		{"two by two", around(5, 5, 1, 9, 2), around(0, 0, 1, 1, 1), 4},
		{"a patch", around(4, 4, 1, 9, 5), around(0, 0, 1, 1, 1), 12}, // around its corners most is ground
		{"in the reference", around(5, 5, 1, 9, 1), around(5, 5, 1, 9, 1), 0},
		{"at another place of the reference", around(5, 5, 1, 9, 1), around(7, 5, 1, 9, 1), 1},
		{"in the dark", around(5, 5, 0, 7e-3, 1), around(0, 0, 1, 1, 1), 0},
		{"out of the dark", around(5, 5, 0, 9e-3, 1), around(0, 0, 1, 1, 1), 1},
		{"a black reference", around(5, 5, 1, 9, 1), around(0, 0, 0, 0, 1), 0},
	} {
		got, err := LoneDots(picture(11, 11, row.test), picture(11, 11, row.ref))
		if err != nil {
			t.Fatal(err)
		}
		if got != row.want {
			t.Errorf("%s: %d dots, want %d", row.name, got, row.want)
		}
	}
}
