package session

import (
	"testing"

	"glint/tracer/profile"
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
