package session

import (
	"strings"
	"testing"
	"time"
)

// TestMessagesStack: warnings stay beside each other, what keys say takes turns.
func TestMessagesStack(t *testing.T) {
	var m Messages
	later := time.Now().Add(time.Hour)
	for _, text := range []string{"exposure: 1 EV", "exposure: 2 EV"} {
		m.add(Message{Text: text, Until: later})
	}
	for _, text := range []string{"a.glb is broken", "b.glb is broken", "a.glb is too short"} {
		m.add(Message{Text: text, About: text[:5], Warning: true, Until: later})
	}
	m.add(Message{Text: "no file dialog", Warning: true, Until: later})
	m.add(Message{Text: "no file dialog", Warning: true, Until: later})
	m.add(Message{Text: "exposure: 3 EV", Until: later})
	var got []string
	for _, one := range m {
		got = append(got, one.Text)
	}
	if want := "b.glb is broken|a.glb is too short|no file dialog|exposure: 3 EV"; strings.Join(got, "|") != want {
		t.Errorf("%q, want %q", got, want)
	}
	if left := m.Current(later.Add(time.Second)); len(left) != 0 {
		t.Errorf("%v stay for ever", left)
	}
}
