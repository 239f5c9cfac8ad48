package viewer

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/go-gl/glfw/v3.3/glfw"

	"glint/viewer/session"
)

// TestChordsRoundTrip: what is printed of a key is read as the same key.
func TestChordsRoundTrip(t *testing.T) {
	var all []trigger
	for _, row := range bindings() {
		for mode := range session.Modes {
			all = append(all, row.on[mode]...)
		}
	}
	for k := glfw.KeySpace; k <= glfw.KeyLast; k++ {
		if keyName(k) != "" {
			all = append(all, key(k), chord(glfw.ModControl|glfw.ModAlt|glfw.ModShift, k))
		}
	}
	for _, want := range all {
		if !want.isKey() {
			continue
		}
		for _, text := range []string{want.String(), strings.ToLower(want.String()), " " + want.String()} {
			if got, err := parseChord(text); err != nil || got != want {
				t.Errorf("%q is read as %v, %v", text, got, err)
			}
		}
	}
	if got, err := parseChord("shift+CTRL+keypad -"); err != nil || got != chord(glfw.ModControl|glfw.ModShift, glfw.KeyKPSubtract) {
		t.Errorf("another order is read as %v, %v", got, err)
	}
	for _, text := range []string{"", "Ctrl+", "F26", "Strg+K", "K+Ctrl", "left drag", "!", "AB", "Ctrl+Ctrl", "keypad"} {
		if got, err := parseChord(text); err == nil {
			t.Errorf("%q is read as %v", text, got)
		}
	}
}

func TestRebind(t *testing.T) {
	for _, c := range []struct {
		name  string
		own   Keys
		wrong map[string]string // a part of why
		finds map[string]string // in orbit, by chord
	}{
		{"one key", Keys{"exposure-up": {"F12"}}, nil, map[string]string{"F12": "exposure-up", "=": "", "keypad +": ""}},
		{"several", Keys{"exposure-up": {"F12", "Ctrl+K"}}, nil, map[string]string{"F12": "exposure-up", "Ctrl+K": "exposure-up", "=": ""}},
		{"none", Keys{"exposure-up": nil}, nil, map[string]string{"=": ""}},
		{"two change places", Keys{"flip": {"Y"}, "difference": {"Z"}}, nil, map[string]string{"Y": "flip", "Z": "difference"}},
		{"a key that another gives up", Keys{"flip": {"Y"}, "difference": nil}, nil, map[string]string{"Y": "flip", "Z": ""}},
		{"a key of another", Keys{"flip": {"Y"}}, map[string]string{"flip": "Y is the key of difference"}, map[string]string{"Y": "difference", "Z": "flip"}},
		{"a key of a row above", Keys{"panel": {"X"}}, map[string]string{"panel": "X is the key of split"}, map[string]string{"X": "split", "H": "panel"}},
		{"two want one", Keys{"flip": {"F12"}, "difference": {"F12"}}, map[string]string{"difference": "F12 is the key of flip"}, map[string]string{"F12": "flip", "Y": "difference"}},
		{"one fails and keeps what another wanted", Keys{"flip": {"Y"}, "difference": {"Q Q"}},
			map[string]string{"flip": "Y is the key of difference", "difference": "is no key"}, map[string]string{"Y": "difference", "Z": "flip"}},
		{"the same twice", Keys{"flip": {"F12", "f12"}}, map[string]string{"flip": "F12 is the key of flip"}, map[string]string{"Z": "flip"}},
		{"misspelt", Keys{"exposure": {"F12"}}, map[string]string{"exposure": "no row"}, map[string]string{"F12": ""}},
		{"of the mouse", Keys{"rotate": {"F12"}}, map[string]string{"rotate": "done by mouse or gamepad"}, map[string]string{"F12": ""}},
		{"numbers", Keys{"view": {"F12"}}, map[string]string{"view": "a key for each number"}, map[string]string{"F12": "", "Alt+3": "view"}},
		{"no numbers", Keys{"view": nil}, nil, map[string]string{"Alt+3": ""}},
	} {
		t.Run(c.name, func(t *testing.T) {
			rows, wrong := rebind(bindings(), c.own)
			if !slices.Equal(slices.Sorted(maps.Keys(wrong)), slices.Sorted(maps.Keys(c.wrong))) {
				t.Errorf("wrong are %v", wrong)
			}
			for name, part := range c.wrong {
				if !strings.Contains(wrong[name], part) {
					t.Errorf("%s: %q does not say %q", name, wrong[name], part)
				}
			}
			keys := newKeymap(rows)
			for text, want := range c.finds {
				on, err := parseChord(text)
				if err != nil {
					t.Fatal(err)
				}
				got := ""
				if row := keys.find(session.Orbit, on); row != nil {
					got = row.name
				}
				if got != want {
					t.Errorf("%s finds %q, want %q", text, got, want)
				}
			}
		})
	}
}

// TestRebindKeepsModesAndGestures: a row gets its keys where it had some, and a click stays what it was.
func TestRebindKeepsModesAndGestures(t *testing.T) {
	rows, wrong := rebind(bindings(), Keys{"capture": {"F12"}, "aperture-up": {"Ctrl+U"}})
	if len(wrong) > 0 {
		t.Fatal(wrong)
	}
	keys := newKeymap(rows)
	for _, c := range []struct {
		mode session.Mode
		on   trigger
		want bool
	}{
		{session.Fly, mouse(rightClick), true}, {session.Fly, key(glfw.KeyF12), true}, {session.Fly, key(glfw.KeyM), false},
		{session.Orbit, key(glfw.KeyF12), false}, {session.Orbit, chord(glfw.ModControl, glfw.KeyU), true},
		{session.Fly, chord(glfw.ModControl, glfw.KeyU), true}, {session.Orbit, key(glfw.KeyQ), false},
	} {
		if row := keys.find(c.mode, c.on); (row != nil) != c.want {
			t.Errorf("%s in %s finds %v", c.on, c.mode, row)
		}
	}
	if text := KeysText(Keys{"aperture-up": {"Ctrl+U"}}); !strings.Contains(text, "Ctrl+U") || strings.Contains(text, "Q, ]") {
		t.Error("glint keys does not show the user's keys")
	}
}

// TestReboundKeysInAWindow: a key that was moved acts at its new place alone, tips say so, and a wrong one stops nothing.
func TestReboundKeysInAWindow(t *testing.T) {
	p := openProbe(t, func(o *Options, _ *fake) {
		o.Keys = Keys{"exposure-up": {"F12"}, "faster": {"C"}, "panel": {"no such key"}, "camera": nil}
	})
	p.moveMouse(600)
	p.xdo("key", "F12")
	p.until("F12 to brighten", func(a *app) bool { return a.session.Sides.Active.Settings.Exposure == 0.25 })
	p.xdo("key", "equal", "key", "h")
	p.until("H to hide the panel", func(a *app) bool { return !a.overlay.showPanel })
	p.do(func(a *app) {
		if got := a.session.Sides.Active.Settings.Exposure; got != 0.25 {
			t.Errorf("exposure is %v", got)
		}
		if got := a.model().Keys.Of("exposure-up", session.Orbit); got != "F12" {
			t.Errorf("tips say %q", got)
		}
		a.setMode(session.Fly)
	})
	p.xdo("keydown", "c")
	p.until("another key to fly faster by", func(a *app) bool { return a.boost })
	p.xdo("keyup", "c")
}
