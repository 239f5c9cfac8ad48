package viewer

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"
)

// latest is what the window said last.
func latest(a *app) string {
	if len(a.messages) == 0 {
		return ""
	}
	return a.messages[len(a.messages)-1].text
}

// TestMessagesStack: warnings stay beside each other, what keys say takes turns.
func TestMessagesStack(t *testing.T) {
	var m messages
	later := time.Now().Add(time.Hour)
	for _, text := range []string{"exposure: 1 EV", "exposure: 2 EV"} {
		m.add(message{text: text, until: later})
	}
	for _, text := range []string{"a.glb is broken", "b.glb is broken", "a.glb is too short"} {
		m.add(message{text: text, about: text[:5], warning: true, until: later})
	}
	m.add(message{text: "no file dialog", warning: true, until: later})
	m.add(message{text: "no file dialog", warning: true, until: later})
	m.add(message{text: "exposure: 3 EV", until: later})
	var got []string
	for _, one := range m {
		got = append(got, one.text)
	}
	if want := "b.glb is broken|a.glb is too short|no file dialog|exposure: 3 EV"; strings.Join(got, "|") != want {
		t.Errorf("%q, want %q", got, want)
	}
	if left := m.current(later.Add(time.Second)); len(left) != 0 {
		t.Errorf("%v stay for ever", left)
	}
}

// TestFailedKernelsAreReported: once a scene, and in the notes as long as it is shown.
func TestFailedKernelsAreReported(t *testing.T) {
	p := openProbe(t, func(_ *Options, f *fake) { f.kernels = errors.New("compile kernels: no such thing (line 1)") })
	told := func(a *app) bool { return strings.HasSuffix(latest(a), "compile kernels: no such thing") }
	p.until("the report", told)
	p.do(func(a *app) {
		a.messages = nil
		if !slices.ContainsFunc(a.noteLines(), func(note string) bool { return strings.HasSuffix(note, "(line 1)") }) {
			t.Errorf("notes %q", a.noteLines())
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
