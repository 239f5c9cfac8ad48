package viewer

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
	var i statsModel
	i.update(timed(3, 0))
	i.update(profile.Statistics{Counted: 1, Counters: profile.Counters{Paths: 10, ExtensionRays: 30}, Memory: profile.Memory{Film: 7}})
	i.update(profile.Statistics{Memory: profile.Memory{Film: 8}})
	if s := i.latest; s.Timed != 1 || s.RaysPerPath() != 3 || s.Memory.Film != 8 || i.entries != 1 {
		t.Errorf("%+v", i)
	}
}

// TestLogStacks: kinds lie upon each other in a frame's order, and old entries make room.
func TestLogStacks(t *testing.T) {
	var i statsModel
	i.update(timed(1, 0))
	for n := range logEntries {
		i.update(timed(float64(n), 2))
	}
	layers, top := i.layers()
	if len(layers) != 2 || layers[0].kind != profile.Extension || i.entries != logEntries || top != logEntries+1 {
		t.Fatalf("%d layers of %d entries up to %v", len(layers), i.entries, top)
	}
	if last := logEntries - 1; layers[0].to[0] != 0 || layers[1].to[0] != 2 || layers[1].from[last] != float32(last) || layers[1].to[last] != float32(logEntries+1) {
		t.Errorf("layers %v", layers)
	}
}

// timerOf has seen samples that each cost as much.
func timerOf(samples int, cost time.Duration) (m sampleTimer) {
	for sample := 1; sample <= samples; sample++ {
		m.add(view.Stats{Samples: sample, Restarted: sample == 1, Elapsed: cost})
	}
	return m
}

// TestSteadyCost leaves out what the first samples cost in addition, and says nothing before it can.
func TestSteadyCost(t *testing.T) {
	var m sampleTimer
	for sample := 1; sample <= 100; sample++ {
		cost := 10 * time.Millisecond
		switch {
		case sample == 1:
			cost *= 50
		case sample <= warmSamples:
			cost *= 2
		}
		m.add(view.Stats{Samples: sample, Elapsed: cost})
		want := time.Duration(0)
		if sample >= 2*warmSamples {
			want = 10 * time.Millisecond
		}
		if got := m.steady(); got != want {
			t.Errorf("after %d samples: %v, want %v", sample, got, want)
		}
	}
	if fast, slow := timerOf(fewSamples+1, 10*time.Millisecond).steady(), timerOf(fewSamples+1, 300*time.Millisecond).steady(); fast != 0 || slow != 300*time.Millisecond {
		t.Errorf("a few samples: fast ones cost %v, slow ones %v", fast, slow)
	}
}

// TestTimerOfAnImageThatGoesOn: samples from before the timer began did not cost nothing.
func TestTimerOfAnImageThatGoesOn(t *testing.T) {
	var m sampleTimer
	for sample := 1000; sample < 1000+4*warmSamples; sample++ {
		m.add(view.Stats{Samples: sample, Elapsed: time.Second})
	}
	if m.mean() != time.Second || m.steady() != time.Second || m.samples != 1000+4*warmSamples-1 {
		t.Errorf("%d samples, each took %v, later ones %v", m.samples, m.mean(), m.steady())
	}
}

// TestStatisticsKey: statistics are gathered only while they are shown.
func TestStatisticsKey(t *testing.T) {
	p := openProbe(t, func(_ *Options, f *fake) { f.kind = "cuda" })
	p.until("a calm watch", func(*app) bool { return p.fake.watch == profile.Policy{CountEvery: hiddenEvery} })
	p.xdo("key", "i")
	p.until("statistics", func(a *app) bool {
		return p.fake.watch == profile.Policy{TimeEvery: shownEvery, CountEvery: shownEvery} && a.statistics.entries > 1 && !a.hud.at.page.empty()
	})
	p.do(func(a *app) {
		if at := a.hud.at.page.min; !a.hud.wantsMouse(float64(at.X+5), float64(at.Y+5)) {
			t.Error("the mouse goes through the statistics")
		}
	})
	p.xdo("key", "i")
	p.until("a calm watch", func(a *app) bool {
		return p.fake.watch == profile.Policy{CountEvery: hiddenEvery} && a.statistics.entries == 0
	})
}
