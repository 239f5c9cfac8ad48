package schedule

import (
	"testing"
	"time"

	"glint/tracer/view"
)

func TestPlan(t *testing.T) {
	const ms = time.Millisecond
	m := func(samples int, spent time.Duration) SampleTimer {
		return SampleTimer{Samples: samples, Spent: spent, Whole: spent}
	}
	for _, c := range []struct {
		name   string
		pacing Pacing
		a, b   SampleTimer
		sliced [2]bool
		want   [2]int
	}{
		{"restarted", EqualSamples, m(0, 0), m(0, 0), [2]bool{}, [2]int{1, 1}},
		{"restarted, by time", EqualTime, m(0, 0), m(3, 9*ms), [2]bool{}, [2]int{1, 1}},
		{"level", EqualSamples, m(5, 5*ms), m(5, 50*ms), [2]bool{}, [2]int{1, 1}},
		{"B lags", EqualSamples, m(6, 5*ms), m(5, 50*ms), [2]bool{}, [2]int{0, 1}},
		{"B is quick", EqualTime, m(3, 30*ms), m(4, 20*ms), [2]bool{}, [2]int{1, 2}},
		{"A is far quicker", EqualTime, m(1, ms), m(1, 100*ms), [2]bool{}, [2]int{maxLag, 0}},
		{"slices by samples", EqualSamples, m(2, 90*ms), m(3, 10*ms), [2]bool{true, true}, [2]int{1, 0}},
		{"slices, same samples", EqualSamples, m(2, 90*ms), m(2, 10*ms), [2]bool{true, true}, [2]int{0, 1}},
		{"slices by time", EqualTime, m(2, 90*ms), m(3, 10*ms), [2]bool{true, true}, [2]int{0, 1}},
	} {
		if got := c.pacing.Plan([2]SampleTimer{c.a, c.b}, 0, c.sliced); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// TestCatchUpKeepsTotalsEqual runs many frames with sides of various costs.
func TestCatchUpKeepsTotalsEqual(t *testing.T) {
	for _, cost := range [][2]time.Duration{{5, 10}, {10, 3}, {1, 100}, {7, 7}} {
		var m [2]SampleTimer
		for frame := range 1000 {
			calls := EqualTime.Plan(m, 40, [2]bool{})
			for i := range m {
				for range calls[i] {
					m[i].Add(view.Stats{Samples: m[i].Samples + 1, Elapsed: cost[i]})
				}
			}
			if calls[0]+calls[1] == 0 {
				t.Fatalf("costs %v: nothing is rendered in frame %d", cost, frame)
			}
			if apart := (m[0].Spent - m[1].Spent).Abs(); apart > max(cost[0], cost[1]) {
				t.Fatalf("costs %v: totals %v and %v after frame %d", cost, m[0].Spent, m[1].Spent, frame)
			}
		}
	}
}

// TestGoals: what the rest of a frame leaves of its time is for rendering.
func TestGoals(t *testing.T) {
	if FrameTime(0) != 0 || FrameTime(50) != 20*time.Millisecond {
		t.Errorf("goals %v and %v", FrameTime(0), FrameTime(50))
	}
	var p FrameBudget
	for range 200 {
		p.Given = 12 * time.Millisecond
		p.Account(15 * time.Millisecond)
	}
	if left := p.Left(FrameTime(50)); left < 16*time.Millisecond || left > 18*time.Millisecond {
		t.Errorf("%v of 20 ms are left where the rest takes 3", left)
	}
	if left := p.Left(time.Millisecond); left != minRenderTime {
		t.Errorf("%v are left of a goal out of reach", left)
	}
}

func TestPace(t *testing.T) {
	var p FrameBudget
	if p.ForSlice(SliceTime) != 30*time.Millisecond {
		t.Errorf("first budget %v", p.ForSlice(SliceTime))
	}
	for range 200 { // everything but rendering takes 20 ms
		p.Account(p.ForSlice(SliceTime) + 20*time.Millisecond)
	}
	if got := p.ForSlice(SliceTime); got < 19*time.Millisecond || got > 21*time.Millisecond {
		t.Errorf("budget %v of %v with 20 ms for the rest", got, SliceTime)
	}
	for range 200 {
		p.Account(time.Second)
	}
	if p.ForSlice(SliceTime) != 30*time.Millisecond {
		t.Errorf("budget %v where the goal is out of reach", p.ForSlice(SliceTime))
	}
}

// TestGathering: where a second call that shares by itself does not fit, one that gathers is tried, and kept where it fits.
func TestGathering(t *testing.T) {
	const ms = time.Millisecond
	one := PaceAfter(1, 10*ms)
	for _, c := range []struct {
		p    Pace
		room time.Duration
		want int
	}{
		{one, 25 * ms, 2}, {one, 16 * ms, 2}, {one, 14 * ms, 1}, // tried from half as much on
		{PaceAfter(2, 16*ms).Deferred(one), 16 * ms, 2}, {PaceAfter(2, 16*ms).Deferred(one), 15 * ms, 1},
		{PaceAfter(1, 10*ms).Deferred(PaceAfter(2, 16*ms).Deferred(one)), 17 * ms, 2},
		{PaceAfter(2, 11*ms).Deferred(one), 13 * ms, 1}, // no less than a third is believed
	} {
		if got := c.p.Fill(c.room); got != c.want {
			t.Errorf("%+v: %d calls in %v, want %d", c.p, got, c.room, c.want)
		}
	}
	if one.DeferReuse(20*ms) || !one.DeferReuse(19*ms) || (Pace{}).DeferReuse(time.Second) {
		t.Error("calls gather where two that share by themselves fit, or where nothing is known")
	}
}

// TestFill: calls grow to what fits, and no faster than what is known of them.
func TestFill(t *testing.T) {
	const ms = time.Millisecond
	for _, c := range []struct {
		calls      int
		cost, room time.Duration
		want       int
	}{
		{0, 0, 40 * ms, 1}, {1, ms, 40 * ms, 2}, {30, ms, 40 * ms, 40}, {40, ms, 10 * ms, 10}, {4, 100 * ms, 10 * ms, 1},
		{5000, 1, time.Second, maxCalls},
	} {
		if got := (Pace{Calls: c.calls, Cost: c.cost}).Fill(c.room); got != c.want {
			t.Errorf("after %d calls of %v, %d fit %v, want %d", c.calls, c.cost, got, c.room, c.want)
		}
	}
}

// TestGPUAndProcessor: the side that renders whole samples waits for the one that renders in slices, and then catches up in one frame, as far as
// there is room. In equal time it gets as much time.
func TestGPUAndProcessor(t *testing.T) {
	const ms = time.Millisecond
	for _, pacing := range []Pacing{EqualSamples, EqualTime} {
		for _, sliced := range []int{0, 1} {
			for _, slices := range []int{1, 4} { // that a sample takes
				whole := 1 - sliced
				var is [2]bool
				is[sliced] = true
				var m [2]SampleTimer
				made, together := 0, 0
				for frame := range 1000 {
					calls := pacing.Plan(m, 8*ms, is)
					if (calls[0] > 0) == (calls[1] > 0) || calls[sliced] > 1 || calls[whole] > 8 {
						t.Fatalf("%v: calls %v in frame %d", pacing, calls, frame)
					}
					if calls[sliced] > 0 {
						made++
						m[sliced].Add(view.Stats{Samples: made / slices, Elapsed: 10 * ms})
					}
					for range calls[whole] {
						m[whole].Add(view.Stats{Samples: m[whole].Samples + 1, Elapsed: ms})
					}
					ahead := m[whole].Samples - m[sliced].Samples
					if pacing == EqualSamples && (ahead > 1 || ahead > 0 && m[whole].Samples > 1 || ahead < -1) {
						t.Fatalf("frame %d: %d samples to %d", frame, m[whole].Samples, m[sliced].Samples)
					}
					if ahead == 0 && made%slices == 0 {
						together++
					}
					if apart := (m[0].Spent - m[1].Spent).Abs(); pacing == EqualTime && apart > 20*ms {
						t.Fatalf("frame %d: %v to %v", frame, m[0].Spent, m[1].Spent)
					}
				}
				if pacing == EqualSamples && together < 1000/(slices+1)-2 {
					t.Errorf("both rest at the same sample in %d of 1000 frames", together)
				}
			}
		}
	}
}
