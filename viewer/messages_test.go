package viewer

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"glint/viewer/session"
)

// latest is what the window said last.
func latest(a *app) string {
	if len(a.session.Messages) == 0 {
		return ""
	}
	return a.session.Messages[len(a.session.Messages)-1].Text
}

// TestFailedKernelsAreReported: once a scene, and in the notes as long as it is shown.
func TestFailedKernelsAreReported(t *testing.T) {
	p := openProbe(t, func(_ *Options, f *fake) { f.kernels = errors.New("compile kernels: no such thing (line 1)") })
	told := func(a *app) bool { return strings.HasSuffix(latest(a), "compile kernels: no such thing") }
	p.until("the report", told)
	p.do(func(a *app) {
		a.session.Messages = nil
		if !slices.ContainsFunc(session.NoteLines(a.session.Stage, a.session.Sides.Active), func(note string) bool { return strings.HasSuffix(note, "(line 1)") }) {
			t.Errorf("notes %q", session.NoteLines(a.session.Stage, a.session.Sides.Active))
		}
	})
	var renders int
	p.do(func(*app) { renders = p.fake.renders })
	p.until("more frames", func(*app) bool { return p.fake.renders > renders+2 })
	p.do(func(a *app) {
		if latest(a) != "" {
			t.Errorf("the window says it again: %s", latest(a))
		}
		a.session.Loader.Load(&session.Loading{Scene: aScene("another.glb")})
	})
	p.until("the report on another scene", told)
}
