package scene

import (
	"slices"
	"testing"
)

// TestSummary: what is said alike of several objects is one line.
func TestSummary(t *testing.T) {
	r := Report{Notes: []Note{
		{Object: "image 1", Text: "is broken"}, {Object: "material 0", Text: "has no occlusion"}, {Object: "material 1", Text: "has no occlusion"},
		{Object: `material 2 "a"`, Text: "has no occlusion"}, {Object: "mesh 0", Text: "is empty"}, {Object: "mesh 2", Text: "is empty"},
		{Text: "nothing moves"}, {Text: "and 3 warnings more"},
	}}
	want := []string{
		"image 1: is broken", "material 0 and 2 others: has no occlusion", "mesh 0 and another: is empty", "nothing moves",
		"and 3 warnings more",
	}
	if got := r.Summary(); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if places := r.Findings()[1].Places; len(places) != 3 || places[2].Name != `material 2 "a"` {
		t.Errorf("the second is about %v", places)
	}
}
