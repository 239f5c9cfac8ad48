package viewer

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

// latest is what the window said last.
func latest(a *app) string {
	if len(a.messages) == 0 {
		return ""
	}
	return a.messages[len(a.messages)-1].Text
}

// TestFailedKernelsAreReported: once a scene, and in the notes as long as it is shown.
func TestFailedKernelsAreReported(t *testing.T) {
	p := openProbe(t, func(_ *Options, f *fake) { f.kernels = errors.New("compile kernels: no such thing (line 1)") })
	told := func(a *app) bool { return strings.HasSuffix(latest(a), "compile kernels: no such thing") }
	p.until("the report", told)
	p.do(func(a *app) {
		a.messages = nil
		if !slices.ContainsFunc(noteLines(a.stage, a.active), func(note string) bool { return strings.HasSuffix(note, "(line 1)") }) {
			t.Errorf("notes %q", noteLines(a.stage, a.active))
		}
	})
	var renders int
	p.do(func(*app) { renders = p.fake.renders })
	p.until("more frames", func(*app) bool { return p.fake.renders > renders+2 })
	p.do(func(a *app) {
		if latest(a) != "" {
			t.Errorf("the window says it again: %s", latest(a))
		}
		a.load(&loading{scene: aScene("another.glb")})
	})
	p.until("the report on another scene", told)
}
