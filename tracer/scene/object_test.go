package scene

import (
	"slices"
	"testing"
)

// TestObjectsBeginWhereTheirFacesDo: faces that are dropped move those of later objects forward.
func TestObjectsBeginWhereTheirFacesDo(t *testing.T) {
	b := newBuilder()
	corner := []float32{0, 0, 0, 1, 0, 0, 0, 1, 0}
	flat := []float32{0, 0, 0, 1, 0, 0, 2, 0, 0}
	b.mesh(b.points(slices.Concat(corner, flat, corner)))
	b.mesh(b.points(corner))
	b.mesh(b.points(slices.Concat(flat, corner)))
	s := b.load(t)
	if want := []uint32{0, 2, 3}; len(s.Faces) != 4 || !slices.Equal(s.Objects, want) {
		t.Errorf("objects begin at %v of %d faces, want %v of 4", s.Objects, len(s.Faces), want)
	}
}
