package viewer

import (
	"testing"
	"time"

	"glint/tracer/view"
)

func TestPlan(t *testing.T) {
	const ms = time.Millisecond
	m := func(samples int, spent time.Duration) sampleTimer {
		return sampleTimer{samples: samples, spent: spent, whole: spent}
	}
	for _, c := range []struct {
		name       string
		pacing     pacing
		a, b       sampleTimer
		timeSliced bool
		want       [2]int
	}{
		{"anew", equalSamples, m(0, 0), m(0, 0), false, [2]int{1, 1}},
		{"anew by time", equalTime, m(0, 0), m(3, 9*ms), false, [2]int{1, 1}},
		{"level", equalSamples, m(5, 5*ms), m(5, 50*ms), false, [2]int{1, 1}},
		{"B lags", equalSamples, m(6, 5*ms), m(5, 50*ms), false, [2]int{0, 1}},
		{"B is quick", equalTime, m(3, 30*ms), m(4, 20*ms), false, [2]int{1, 2}},
		{"A is far quicker", equalTime, m(1, ms), m(1, 100*ms), false, [2]int{maxLag, 0}},
		{"slices by samples", equalSamples, m(2, 90*ms), m(3, 10*ms), true, [2]int{1, 0}},
		{"slices, same samples", equalSamples, m(2, 90*ms), m(2, 10*ms), true, [2]int{0, 1}},
		{"slices by time", equalTime, m(2, 90*ms), m(3, 10*ms), true, [2]int{0, 1}},
	} {
		if got := c.pacing.plan([2]sampleTimer{c.a, c.b}, 0, c.timeSliced); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// TestCatchUpKeepsTotalsEqual runs many frames with sides of various costs.
func TestCatchUpKeepsTotalsEqual(t *testing.T) {
	for _, cost := range [][2]time.Duration{{5, 10}, {10, 3}, {1, 100}, {7, 7}} {
		var m [2]sampleTimer
		for frame := range 1000 {
			calls := equalTime.plan(m, 40, false)
			for i := range m {
				for range calls[i] {
					m[i].add(view.Stats{Samples: m[i].samples + 1, Elapsed: cost[i]})
				}
			}
			if calls[0]+calls[1] == 0 {
				t.Fatalf("costs %v: nothing is rendered in frame %d", cost, frame)
			}
			if apart := (m[0].spent - m[1].spent).Abs(); apart > max(cost[0], cost[1]) {
				t.Fatalf("costs %v: totals %v and %v after frame %d", cost, m[0].spent, m[1].spent, frame)
			}
		}
	}
}

func TestLabelSpans(t *testing.T) {
	const gap = 8
	room := span{340, 940} // 340 to 1280
	for _, c := range []struct {
		divider float32
		a, b    float32
	}{
		{800, 592, 808},
		{360, 340, 548},   // too little room for A left of the divider
		{100, 340, 548},   // the divider is under the panel
		{1270, 872, 1080}, // none for B right of it
		{1100, 872, 1080},
	} {
		got := labelSpans(c.divider, room, [2]float32{200, 200}, gap)
		if got[0].from != c.a || got[1].from != c.b {
			t.Errorf("divider %v: labels at %v and %v, want %v and %v", c.divider, got[0].from, got[1].from, c.a, c.b)
		}
	}
	narrow := labelSpans(150, span{0, 300}, [2]float32{200, 200}, gap)
	if narrow[0].from != 0 || narrow[1].from < narrow[0].to() {
		t.Errorf("in a narrow window the labels overlap: %v", narrow)
	}
}

// TestGoals: what the rest of a frame leaves of its time is for rendering.
func TestGoals(t *testing.T) {
	if frameTime(0) != 0 || frameTime(50) != 20*time.Millisecond {
		t.Errorf("goals %v and %v", frameTime(0), frameTime(50))
	}
	var p frameBudget
	for range 200 {
		p.given = 12 * time.Millisecond
		p.took(15 * time.Millisecond)
	}
	if left := p.left(frameTime(50)); left < 16*time.Millisecond || left > 18*time.Millisecond {
		t.Errorf("%v of 20 ms are left where the rest takes 3", left)
	}
	if left := p.left(time.Millisecond); left != minRenderTime {
		t.Errorf("%v are left of a goal out of reach", left)
	}
}

// TestTargetFrameRate: on a GPU a call of Render is told what it may take while a frame rate is asked for, and on a processor
// the frame is cut to fit.
func TestTargetFrameRate(t *testing.T) {
	for _, kind := range []string{"cuda", "cpu"} {
		t.Run(kind, func(t *testing.T) {
			p := openProbe(t, func(_ *Options, f *fake) { f.kind = kind })
			p.xdo("key", "F10")
			p.until("a goal", func(a *app) bool {
				a.controller.orbit(0.01, 0)
				v := p.fake.view
				goal, budget := v.Goal > 0 && v.Goal < frameTime(usualFPS), v.Budget > 0 && v.Budget < frameTime(usualFPS)
				return a.active.settings.TargetFPS == usualFPS && v.Moving && goal == (kind == "cuda") && budget == (kind == "cpu")
			})
			p.xdo("key", "F10")
			p.until("no goal", func(a *app) bool {
				a.controller.orbit(0.01, 0)
				return a.active.settings.TargetFPS == 0 && p.fake.view.Goal == 0
			})
			p.xdo("key", "F9")
			p.until("a smaller image", func(*app) bool { return p.fake.settings.RenderScale < 1 && p.fake.settings.RenderScale > 0.9 })
			p.xdo("key", "shift+F9")
			p.until("full size", func(*app) bool { return p.fake.settings.RenderScale == 1 })
		})
	}
}

func TestPace(t *testing.T) {
	var p frameBudget
	if p.forSlice(sliceTime) != 30*time.Millisecond {
		t.Errorf("first budget %v", p.forSlice(sliceTime))
	}
	for range 200 { // everything but rendering takes 20 ms
		p.took(p.forSlice(sliceTime) + 20*time.Millisecond)
	}
	if got := p.forSlice(sliceTime); got < 19*time.Millisecond || got > 21*time.Millisecond {
		t.Errorf("budget %v of %v with 20 ms for the rest", got, sliceTime)
	}
	for range 200 {
		p.took(time.Second)
	}
	if p.forSlice(sliceTime) != 30*time.Millisecond {
		t.Errorf("budget %v where the goal is out of reach", p.forSlice(sliceTime))
	}
}

// TestFramesAreFilled: on a GPU a frame has room for many samples, more at rest than while the view moves, and their number
// grows from what has been measured, not from a guess.
func TestFramesAreFilled(t *testing.T) {
	const cost = time.Millisecond
	p := openProbe(t, func(o *Options, f *fake) {
		f.kind, f.cost = "cuda", map[string]time.Duration{"path": cost}
		o.Settings.Integrator = "path"
	})
	calls := func(a *app) int { return a.active.pace.calls }
	p.until("a resting frame full of samples", func(a *app) bool {
		return calls(a) > 20 && time.Duration(calls(a))*cost <= restFrameTime
	})
	p.until("a moving frame with fewer", func(a *app) bool {
		a.controller.orbit(0.01, 0)
		return a.rendered.view.Moving && calls(a) > 4 && time.Duration(calls(a))*cost < frameTime(usualRefresh)
	})
	if p.fake.careless > 0 {
		t.Errorf("%d calls were denoised that nobody sees", p.fake.careless)
	}
}

// TestGathering: where a second call that shares by itself does not fit, one that gathers is tried, and kept where it fits.
func TestGathering(t *testing.T) {
	const ms = time.Millisecond
	one := after(1, 10*ms)
	for _, c := range []struct {
		p    pace
		room time.Duration
		want int
	}{
		{one, 25 * ms, 2}, {one, 16 * ms, 2}, {one, 14 * ms, 1}, // tried from half as much on
		{after(2, 16*ms).gathered(one), 16 * ms, 2}, {after(2, 16*ms).gathered(one), 15 * ms, 1},
		{after(1, 10*ms).gathered(after(2, 16*ms).gathered(one)), 17 * ms, 2},
		{after(2, 11*ms).gathered(one), 13 * ms, 1}, // no less than a third is believed
	} {
		if got := c.p.fill(c.room); got != c.want {
			t.Errorf("%+v: %d calls in %v, want %d", c.p, got, c.room, c.want)
		}
	}
	if one.gathers(20*ms) || !one.gathers(19*ms) || (pace{}).gathers(time.Second) {
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
		if got := (pace{calls: c.calls, cost: c.cost}).fill(c.room); got != c.want {
			t.Errorf("after %d calls of %v, %d fit %v, want %d", c.calls, c.cost, got, c.room, c.want)
		}
	}
}
