package schedule

import (
	"testing"
	"time"

	"glint/tracer/view"
)

// timerOf has seen samples that each cost as much.
func timerOf(samples int, cost time.Duration) (m SampleTimer) {
	for sample := 1; sample <= samples; sample++ {
		m.Add(view.Stats{Samples: sample, Restarted: sample == 1, Elapsed: cost})
	}
	return m
}

// TestSteadyCost leaves out what the first samples cost in addition, and says nothing before it can.
func TestSteadyCost(t *testing.T) {
	var m SampleTimer
	for sample := 1; sample <= 100; sample++ {
		cost := 10 * time.Millisecond
		switch {
		case sample == 1:
			cost *= 50
		case sample <= WarmSamples:
			cost *= 2
		}
		m.Add(view.Stats{Samples: sample, Elapsed: cost})
		want := time.Duration(0)
		if sample >= 2*WarmSamples {
			want = 10 * time.Millisecond
		}
		if got := m.Steady(); got != want {
			t.Errorf("after %d samples: %v, want %v", sample, got, want)
		}
	}
	if fast, slow := timerOf(fewSamples+1, 10*time.Millisecond).Steady(), timerOf(fewSamples+1, 300*time.Millisecond).Steady(); fast != 0 || slow != 300*time.Millisecond {
		t.Errorf("a few samples: fast ones cost %v, slow ones %v", fast, slow)
	}
}

// TestTimerOfAnImageThatGoesOn: samples from before the timer began did not cost nothing.
func TestTimerOfAnImageThatGoesOn(t *testing.T) {
	var m SampleTimer
	for sample := 1000; sample < 1000+4*WarmSamples; sample++ {
		m.Add(view.Stats{Samples: sample, Elapsed: time.Second})
	}
	if m.Mean() != time.Second || m.Steady() != time.Second || m.Samples != 1000+4*WarmSamples-1 {
		t.Errorf("%d samples, each took %v, later ones %v", m.Samples, m.Mean(), m.Steady())
	}
}
