package scene

import "testing"

// TestClipsGoByTheirNumber in the file: those that cannot be played do not change it.
func TestClipsGoByTheirNumber(t *testing.T) {
	m := &Motion{Clips: []Clip{{Name: "right", Number: 1}, {Name: "left", Number: 2}}}
	m.Clips = withAll(m.Clips, 4) // the last one of the file, 3, cannot be played either
	for name, want := range map[string]int{"": 0, "0": -1, "1": 0, "2": 1, "3": -1, "4": 2, "left": 1, "all": 2, "up": -1} {
		if got := m.Find(name); got != want {
			t.Errorf("clip %q is that at %d, want %d", name, got, want)
		}
	}
}

// TestWordsFindTheirClips, also where several clips have one name, or one has another's number for a name.
func TestWordsFindTheirClips(t *testing.T) {
	m := &Motion{Clips: []Clip{{Name: "walk", Number: 0}, {Name: "walk", Number: 1}, {Name: "", Number: 2}, {Name: "run", Number: 3}}}
	for clip, want := range []string{"walk", "1", "2", "run"} {
		if got := m.Word(clip); got != want || m.Find(got) != clip {
			t.Errorf("clip %d is found by %q, want %q", clip, got, want)
		}
	}
}
