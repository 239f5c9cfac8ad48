package schedule

import (
	"math"
	"slices"
	"time"
)

// Scales are the scales that there are to choose from: full size, then ever smaller by a factor.
type Scales struct {
	Step, Smallest float64
	First          int // steps below full size, at which to begin
	// What a frame may take, as a share of the goal, before the scale changes; a change aims at Aim.
	Fast, Aim, Slow float64
}

// GPUScales differ by a tenth of the pixels, since history outlasts their change.
var GPUScales = Scales{Step: 1.05, Smallest: 0.33, Fast: 0.91, Aim: 0.96, Slow: 1.03}

// CPUScales are few: each change costs the history. A processor of which nothing is known begins with small images.
var CPUScales = Scales{Step: 1.25, Smallest: 1.0 / 24, First: 10, Fast: 0.6, Aim: 0.9, Slow: 1.2}

// smallestStep is the step that leads to the smallest scale.
func (s *Scales) smallestStep() int { return int(math.Ceil(math.Log(1/s.Smallest) / math.Log(s.Step))) }

// at is the scale so many steps below full size.
func (s *Scales) at(step int) float64 { return max(math.Pow(s.Step, -float64(step)), s.Smallest) }

// How many frames must agree before the scale changes: where they are far from the goal, and where they are near it.
const (
	soonFrames  = 2
	laterFrames = 6
	far         = 0.15 // of the goal
)

// otherGoal is how far apart goals are that have nothing to do with each other, relative.
const otherGoal = 0.2

// retryAfter is for how many frames a scale that was too slow is not tried again, so that scales do not alternate.
const retryAfter = 240

// The time of a frame grows with a power of the scale, which shows when the scale changes: less than the square where much of
// it does not depend on the scale.
const (
	leastPower = 0.7
	mostPower  = 2
)

// DynamicResolution chooses the scale of a moving view by what its frames take.
type DynamicResolution struct {
	scales Scales
	goal   time.Duration
	step   int             // below full size
	fresh  bool            // no frame at this step has been measured yet
	times  []time.Duration // of the latest frames at this step, since it was last looked at
	was    float64         // what share of the goal frames took at the step before; 0: there was none
	from   int             // that step
	top    int             // steps above are too slow
	wait   int             // frames until they are tried again
}

// NewDynamicResolution chooses among scales.
func NewDynamicResolution(s Scales) DynamicResolution {
	return DynamicResolution{scales: s, step: s.First}
}

// Scale is the share of the view's sides at which to render.
func (g *DynamicResolution) Scale() float64 { return g.scales.at(g.step) }

// Smallest tells whether there is no smaller scale.
func (g *DynamicResolution) Smallest() bool { return g.step == g.scales.smallestStep() }

// givenUp is by how many steps a scale changes at which a frame was not worth waiting for.
const givenUp = 4

// GiveUp tells that a frame took so long that it was given up. What was known of times is of no use any more.
func (g *DynamicResolution) GiveUp() {
	*g = DynamicResolution{scales: g.scales, step: min(g.step+givenUp, g.scales.smallestStep())}
}

// Record tells the time of a frame of which the goal is known. A window's goals differ by what else its frames do.
func (g *DynamicResolution) Record(goal, spent time.Duration) {
	if apart := math.Abs(float64(goal-g.goal)) / float64(goal); apart > otherGoal {
		*g = DynamicResolution{scales: g.scales, step: g.step}
	}
	g.goal = goal
	if g.wait--; g.wait <= 0 {
		g.top = 0
	}
	if g.fresh { // the first frame of a size also pays for memory
		g.fresh = false
		return
	}
	g.times = append(g.times, spent)
	share := float64(g.median()) / float64(goal)
	if n := len(g.times); n < soonFrames || n < laterFrames && math.Abs(share-1) < far {
		return
	}
	if share < g.scales.Fast || share > g.scales.Slow {
		g.change(share)
	}
	g.times = g.times[:0]
}

// median is the lower one: a single slow frame does not count.
func (g *DynamicResolution) median() time.Duration {
	sorted := slices.Sorted(slices.Values(g.times))
	return sorted[(len(sorted)-1)/2]
}

// change goes to the scale at which frames that take such a share of the goal should take what is aimed at.
func (g *DynamicResolution) change(share float64) {
	power := float64(mostPower)
	if g.was > 0 {
		measured := math.Log(g.was/share) / math.Log(g.scales.at(g.from)/g.scales.at(g.step))
		power = min(max(measured, leastPower), mostPower)
	}
	by := math.Log(share/g.scales.Aim) / (power * math.Log(g.scales.Step))
	next := min(max(g.step+int(math.Ceil(by-0.01)), g.top, 0), g.scales.smallestStep())
	if next == g.step {
		return
	}
	if next > g.step {
		g.top, g.wait = g.step+1, retryAfter
	}
	g.was, g.from = share, g.step
	g.step, g.fresh = next, true
}
