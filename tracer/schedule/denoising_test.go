package schedule

import "testing"

// TestPicturesAreDenoisedLessOften the longer a window rests, and never skipped where each call is asked for.
func TestPicturesAreDenoisedLessOften(t *testing.T) {
	for _, row := range []struct {
		samples           int
		rests, background bool
		want              int
	}{
		{0, true, false, 1}, {7, true, false, 8}, {16, true, false, 18}, {800, true, false, 900},
		{0, true, true, 0}, {8, true, true, 16}, {800, false, false, 801},
	} {
		if got := nextSampleCount(row.samples, row.rests, row.background); got != row.want {
			t.Errorf("%+v: again with %d", row, got)
		}
	}
}
