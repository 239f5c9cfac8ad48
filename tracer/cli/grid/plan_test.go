package grid

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

// TestReplan: when frames take less time than planned, they get more samples. When they take more, they lose samples, but never fall below the
// first plan. At the end of the warm-up they do not grow, because no frame is left to check that they fit.
func TestReplan(t *testing.T) {
	of := &trial{integrator: "path", ms: 1, denoising: [costSamples]float64{0.5, 0.5, 0.5}}
	const budget = 8 * time.Millisecond
	planned := of.frame(budget)
	if len(planned) != 7 {
		t.Fatalf("budget 8 ms, 1 ms a sample, 0.5 ms of denoising: %d samples planned, want 7", len(planned))
	}
	longer := append(slices.Repeat([]stage{alone}, 9), shown)
	for _, c := range []struct {
		now  []stage
		took float64
		grow bool
		want int
	}{
		{planned, 7.5, true, 7},  // on time
		{planned, 5.4, true, 10}, // 0.7 ms a sample
		{planned, 5.4, false, 7},
		{planned, 11, true, 7},
		{longer, 8.1, true, 10}, // within the slack
		{longer, 9, true, 8},    // 0.85 ms a sample
		{longer, 9, false, 8},
		{longer, 20, true, 7},
	} {
		if got := of.replan(budget, c.now, c.took, c.grow); len(got) != c.want {
			t.Errorf("%d samples took %.1f ms: %d planned (growing: %v), want %d", len(c.now), c.took, len(got), c.grow, c.want)
		}
	}
}
