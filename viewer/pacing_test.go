package viewer

import (
	"glint/tracer/view"
	"testing"
	"time"
)

func TestPlan(t *testing.T) {
	const ms = time.Millisecond
	m := func(samples int, spent time.Duration) meter {
		return meter{samples: samples, spent: spent, whole: spent}
	}
	for _, c := range []struct {
		name   string
		pacing pacing
		a, b   meter
		slices bool
		want   [2]int
	}{
		{"anew", equalSamples, m(0, 0), m(0, 0), false, [2]int{1, 1}},
		{"anew by time", equalTime, m(0, 0), m(3, 9*ms), false, [2]int{1, 1}},
		{"level", equalSamples, m(5, 5*ms), m(5, 50*ms), false, [2]int{1, 1}},
		{"B lags", equalSamples, m(6, 5*ms), m(5, 50*ms), false, [2]int{0, 1}},
		{"B is quick", equalTime, m(3, 30*ms), m(4, 20*ms), false, [2]int{1, 2}},
		{"A is far quicker", equalTime, m(1, ms), m(1, 100*ms), false, [2]int{mostCalls, 0}},
		{"slices by samples", equalSamples, m(2, 90*ms), m(3, 10*ms), true, [2]int{1, 0}},
		{"slices, same samples", equalSamples, m(2, 90*ms), m(2, 10*ms), true, [2]int{0, 1}},
		{"slices by time", equalTime, m(2, 90*ms), m(3, 10*ms), true, [2]int{0, 1}},
	} {
		if got := c.pacing.plan([2]meter{c.a, c.b}, c.slices); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// TestCatchUpKeepsTotalsEqual runs many frames with sides of various costs.
func TestCatchUpKeepsTotalsEqual(t *testing.T) {
	for _, cost := range [][2]time.Duration{{5, 10}, {10, 3}, {1, 100}, {7, 7}} {
		var m [2]meter
		for frame := range 1000 {
			calls := equalTime.plan(m, false)
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
