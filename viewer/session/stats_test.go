package session

import (
	"testing"
	"time"

	"glint/tracer/profile"
	"glint/tracer/view"
)

// timed are statistics of frames that took so many ms in kernels of two kinds.
func timed(extension, reuse float64) profile.Statistics {
	kernel := func(name string, kind profile.Kind, ms float64) profile.KernelTime {
		return profile.KernelTime{Name: name, Kind: kind, Launches: 1, Ms: profile.Spread{Frames: 1, Sum: ms, Min: ms, Max: ms}}
	}
	s := profile.Statistics{Timed: 1, Paths: 1000, Kernels: []profile.KernelTime{kernel("extend_paths", profile.Extension, extension)}}
	if reuse > 0 {
		s.Kernels = append(s.Kernels, kernel("spatial_reuse", profile.Reuse, reuse))
	}
	return s
}

// TestStatsKeepWhatIsNotNew: times and counts come at intervals of their own.
func TestStatsKeepWhatIsNotNew(t *testing.T) {
	var i StatsModel
	i.Update(timed(3, 0))
	i.Update(profile.Statistics{Counted: 1, Counters: profile.Counters{Paths: 10, ExtensionRays: 30}, Memory: profile.Memory{Film: 7}})
	i.Update(profile.Statistics{Memory: profile.Memory{Film: 8}})
	if s := i.Latest; s.Timed != 1 || s.RaysPerPath() != 3 || s.Memory.Film != 8 || i.Entries != 1 {
		t.Errorf("%+v", i)
	}
}

// TestLogStacks: kinds lie upon each other in a frame's order, and old entries make room.
func TestLogStacks(t *testing.T) {
	var i StatsModel
	i.Update(timed(1, 0))
	for n := range LogEntries {
		i.Update(timed(float64(n), 2))
	}
	layers, top := i.Layers()
	if len(layers) != 2 || layers[0].Kind != profile.Extension || i.Entries != LogEntries || top != LogEntries+1 {
		t.Fatalf("%d layers of %d entries up to %v", len(layers), i.Entries, top)
	}
	if last := LogEntries - 1; layers[0].To[0] != 0 || layers[1].To[0] != 2 || layers[1].From[last] != float32(last) || layers[1].To[last] != float32(LogEntries+1) {
		t.Errorf("layers %v", layers)
	}
}

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
