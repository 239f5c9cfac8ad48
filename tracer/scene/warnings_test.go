package scene

import (
	"slices"
	"testing"
)

func TestSummary(t *testing.T) {
	r := Report{Warnings: []string{
		"image 1: is broken", "material 0: has no occlusion", "material 1: has no occlusion", `material 2 "a": has no occlusion`,
		"mesh 0: is empty", "mesh 2: is empty", "nothing moves", "and 3 warnings more",
	}}
	want := []string{
		"image 1: is broken", "material 0 and 2 others: has no occlusion", "mesh 0 and another: is empty", "nothing moves",
		"and 3 warnings more",
	}
	if got := r.Summary(); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
