package cli

import (
	"slices"
	"testing"
	"time"
)

// TestFramesFitTheBudget: what denoising few samples takes is counted, so a frame of the grid fits unless a single sample does not.
func TestFramesFitTheBudget(t *testing.T) {
	path := &trial{integrator: "path", ms: 2, denoising: [costSamples]float64{3, 2, 1}}
	restir := &trial{integrator: "restir", ms: 3, gathering: 2, denoising: path.denoising}
	restir.settings.RestirPaths = 2
	for _, c := range []struct {
		name   string
		of     *trial
		budget time.Duration
		want   []stage
	}{
		{"nothing fits", path, 4 * time.Millisecond, []stage{shown}},
		{"one, since a second would need 6 ms", path, 5 * time.Millisecond, []stage{shown}},
		{"two", path, 6 * time.Millisecond, []stage{alone, shown}},
		{"three take a shorter filter", path, 7 * time.Millisecond, []stage{alone, alone, shown}},
		{"one that is shared by itself", restir, 6 * time.Millisecond, []stage{shown}},
		{"another that is shared with it", restir, 7 * time.Millisecond, []stage{gathered, shown}},
	} {
		if got := c.of.frame(c.budget); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}
