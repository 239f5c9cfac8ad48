package scene

import (
	"reflect"
	"slices"
)

// Same tells whether two scenes look and move alike, wherever they were read from.
func (s *Scene) Same(other *Scene) bool {
	if !slices.Equal(s.Vertices, other.Vertices) || !slices.Equal(s.Faces, other.Faces) { // fast, where most of a scene is
		return false
	}
	a, b := *s, *other
	a.Vertices, a.Faces, b.Vertices, b.Faces = nil, nil, nil, nil
	a.Report, b.Report = Report{}, Report{}
	return reflect.DeepEqual(a, b)
}
