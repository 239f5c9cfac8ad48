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

// TestObjectsKnowTheirNodes: what is drawn in the world and each instance, also of what moves, lead to the nodes that draw them.
func TestObjectsKnowTheirNodes(t *testing.T) {
	s := repeated().loadBy(t, Options{Animated: true, Instancing: InstanceAlways, Edits: Edits{{Pointer: "/nodes/9/translation", Value: []float64{5, 0, 0}}}})
	var drawn []string
	for object := range len(s.Objects) + len(s.Instances) {
		drawn = append(drawn, s.Editable.Node(object, len(s.Objects)))
	}
	want := []string{"/nodes/5", "/nodes/6", "/nodes/7", "/nodes/8", "/nodes/10", "/nodes/0", "/nodes/1", "/nodes/2", "/nodes/3", "/nodes/4", "/nodes/9"}
	if !slices.Equal(drawn, want) {
		t.Errorf("objects are drawn by %v, want %v", drawn, want)
	}
	for _, object := range []int{-1, len(want)} {
		if node := s.Editable.Node(object, len(s.Objects)); node != "" {
			t.Errorf("object %d is drawn by %s", object, node)
		}
	}
	if at := s.Editable.Find("/nodes/2"); s.Editable.Nodes[at].Mesh != "mesh 0" {
		t.Errorf("its mesh is %q", s.Editable.Nodes[at].Mesh)
	}
}
