package session

import (
	"errors"
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

// TestMessagesCanBeRead: a message stays for 2 s and 0.3 s more for each word, a warning for 10 s or that.
func TestMessagesCanBeRead(t *testing.T) {
	words := func(n int) string { return strings.TrimSpace(strings.Repeat("lines ", n)) }
	for _, row := range []struct {
		say   func(m *Messages)
		least float64 // s
	}{
		{func(m *Messages) { m.Say(words(2)) }, 2.5},
		{func(m *Messages) { m.Say(words(20)) }, 7.9},
		{func(m *Messages) { m.Opened(time.Now(), "a.glb", words(10)) }, 4.9},
		{func(m *Messages) { m.Warn(words(2)) }, 10},
		{func(m *Messages) { m.WarnOf("a.glb", errors.New(words(40))) }, 13.9},
	} {
		var m Messages
		row.say(&m)
		begun := m[0].Since
		after := func(s float64) int { return len(m.Current(begun.Add(time.Duration(s * float64(time.Second))))) }
		if after(row.least-0.01) != 1 || after(row.least+0.5) != 0 {
			t.Errorf("%q stays for %v, want %v s", m[0].Text, m[0].Until.Sub(begun), row.least)
		}
	}
}
