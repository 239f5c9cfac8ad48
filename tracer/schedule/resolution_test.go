package schedule

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"
)

// cost is what frames take: a part that does not depend on the scale, and one that goes by pixels.
type cost struct{ fixed, pixels time.Duration }

func (c cost) at(scale float64) time.Duration {
	return c.fixed + time.Duration(float64(c.pixels)*scale*scale)
}

// holds tells whether the scale is right for a cost: frames take what they may, or the scale is at its end.
func holds(g *DynamicResolution, c cost, goal time.Duration, within float64) bool {
	share := float64(c.at(g.Scale())) / float64(goal)
	return math.Abs(share-1) <= within || g.step == 0 && share < 1 || g.step == g.scales.smallestStep() && share > 1
}

// TestResolutionSettles: within 10 frames within 10 % of the goal, or 12 where times vary by 5, unless the goal is out of reach;
// and it stays there.
func TestResolutionSettles(t *testing.T) {
	const ms = time.Millisecond
	const goal = 16 * ms
	for _, c := range []cost{
		{1 * ms, 10 * ms}, {1 * ms, 17 * ms}, {2 * ms, 20 * ms}, {1 * ms, 40 * ms}, {4 * ms, 60 * ms}, {6 * ms, 40 * ms}, {1 * ms, 100 * ms}, {2 * ms, 500 * ms},
		{10 * ms, 30 * ms}, {20 * ms, 100 * ms},
	} {
		for seed := range uint64(20) {
			noise, within := 0.05, 0.12
			if seed == 0 {
				noise, within = 0, 0.1
			}
			random := rand.New(rand.NewPCG(seed, 1))
			g := &DynamicResolution{scales: GPUScales}
			changes := 0
			for frame := range 600 {
				if frame == 10 && !holds(g, c, goal, within) {
					t.Errorf("%+v, seed %d: frames take %v after %d frames, at %.2f", c, seed, c.at(g.Scale()), frame, g.Scale())
				}
				step := g.step
				jitter := time.Duration(random.IntN(20_001) - 10_000) // what a window has left of its goal is never quite the same
				g.Record(goal+jitter, time.Duration(float64(c.at(g.Scale()))*(1+noise*(2*random.Float64()-1))))
				if frame >= 20 && g.step != step {
					changes++
				}
			}
			if !holds(g, c, goal, within) {
				t.Errorf("%+v, seed %d: in the end frames take %v, at %.2f", c, seed, c.at(g.Scale()), g.Scale())
			}
			if changes > 6 { // two tries of a larger scale a retry, at most
				t.Errorf("%+v, seed %d: the scale changed %d times once it had settled", c, seed, changes)
			}
		}
	}
}

// TestResolutionRecovers: when the view becomes costly the scale falls, and when that is over it comes back.
func TestResolutionRecovers(t *testing.T) {
	const ms = time.Millisecond
	const goal = 16 * ms
	easy, hard := cost{1 * ms, 12 * ms}, cost{1 * ms, 60 * ms}
	g := &DynamicResolution{scales: GPUScales}
	run := func(c cost, frames int) {
		for range frames {
			g.Record(goal, c.at(g.Scale()))
		}
	}
	run(easy, 30)
	if g.Scale() != 1 {
		t.Fatalf("an easy view is rendered at %.2f", g.Scale())
	}
	run(hard, 10)
	if !holds(g, hard, goal, 0.1) {
		t.Errorf("10 frames after the view became costly they take %v", hard.at(g.Scale()))
	}
	run(easy, retryAfter+60)
	if g.Scale() != 1 {
		t.Errorf("an easy view is rendered at %.2f again", g.Scale())
	}
}

// TestResolutionForgivesOneFrame: a single slow frame changes nothing.
func TestResolutionForgivesOneFrame(t *testing.T) {
	const goal = 16 * time.Millisecond
	g := &DynamicResolution{scales: GPUScales}
	for frame := range 100 {
		spent := 15 * time.Millisecond
		if frame%10 == 5 {
			spent = 80 * time.Millisecond
		}
		g.Record(goal, spent)
	}
	if g.Scale() != 1 {
		t.Errorf("the scale fell to %.2f", g.Scale())
	}
}

func TestScalesOfGovernor(t *testing.T) {
	if GPUScales.at(0) != 1 || GPUScales.at(GPUScales.smallestStep()) != GPUScales.Smallest {
		t.Errorf("scales from %v to %v, want 1 to %v", GPUScales.at(0), GPUScales.at(GPUScales.smallestStep()), GPUScales.Smallest)
	}
	for step := range GPUScales.smallestStep() {
		if a, b := GPUScales.at(step), GPUScales.at(step+1); !(b < a && a*a/(b*b) < 1.11) {
			t.Errorf("step %d: from %v to %v", step, a, b)
		}
	}
}

// TestResolutionGivesUp: a frame that was given up leads to smaller ones, down to the smallest.
func TestResolutionGivesUp(t *testing.T) {
	g := NewDynamicResolution(CPUScales)
	for range 100 {
		if g.Smallest() {
			return
		}
		before := g.Scale()
		if g.GiveUp(); g.Scale() >= before {
			t.Fatalf("from %v to %v", before, g.Scale())
		}
	}
	t.Errorf("the scale stays at %v", g.Scale())
}
