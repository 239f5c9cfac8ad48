package part

import "testing"

// TestFilesMayLieElsewhere: parts that were made on machines with other folders belong together.
func TestFilesMayLieElsewhere(t *testing.T) {
	want := map[string]string{"scene": "a.glb", "file": "/here/a.glb", "environment": "/here/sky.hdr", "samples": "4"}
	for key, value := range map[string]string{"": "", "file": "/there/b.glb", "environment": "/here/sun.hdr", "samples": "5"} {
		have := map[string]string{"scene": "a.glb", "file": "/there/a.glb", "environment": "/there/sky.hdr", "samples": "4", key: value}
		if got := DifferingNote(want, have); got != key {
			t.Errorf("with another %q the notes differ in %q", key, got)
		}
	}
}
