package scene

import "testing"

// Priorities stand in extras, which are anyone's: what is no number there says nothing.
func TestPriorityOfVolumes(t *testing.T) {
	for _, row := range []struct {
		extras any
		want   int
	}{
		{nil, 0}, {jsonObject{}, 0}, {"priority", 0}, {[]any{5}, 0}, {jsonObject{"priority": "high"}, 0}, {jsonObject{"priority": nil}, 0},
		{jsonObject{"priority": 3}, 3}, {jsonObject{"priority": -2, "other": true}, -2}, {jsonObject{"priority": 1.6}, 2},
		{jsonObject{"priority": 1e30}, mostPriority}, {jsonObject{"priority": -1e30}, -mostPriority},
	} {
		read := func(extras any) Material {
			b := newBuilder()
			b.mesh(b.triangle(jsonObject{"extras": extras}))
			return b.load(t).Materials[0]
		}
		m := read(row.extras)
		if m.Priority != row.want {
			t.Errorf("extras %v: priority %d, want %d", row.extras, m.Priority, row.want)
		}
		if again := read(m.Extras()); again.Priority != row.want || (m.Extras() == nil) != (row.want == 0) {
			t.Errorf("extras %v: written as %v and read again as %d, want %d", row.extras, m.Extras(), again.Priority, row.want)
		}
	}
}
