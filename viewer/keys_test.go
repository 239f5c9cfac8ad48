package viewer

import (
	"os"
	"strings"
	"testing"

	"github.com/go-gl/glfw/v3.3/glfw"

	"glint/tracer"
	"glint/tracer/settings"
	"glint/viewer/hud"
	"glint/viewer/session"
)

func TestKeyTable(t *testing.T) {
	names := map[string]bool{}
	for _, row := range bindings() {
		if row.name == "" || names[row.name] {
			t.Errorf("name %q is empty or used twice", row.name)
		}
		names[row.name] = true
		if row.help == "" || row.group == "" || row.do == nil {
			t.Errorf("%s lacks help, group or action", row.name)
		}
		if len(row.on[session.Orbit])+len(row.on[session.Fly]) == 0 {
			t.Errorf("%s has no key", row.name)
		}
		if _, ok := settings.Lookup(tracer.SettingsTable(), row.setting); row.setting != "" && !ok {
			t.Errorf("%s: there is no setting %q", row.name, row.setting)
		}
	}
}

func TestNoTwoRowsClash(t *testing.T) {
	for mode := range session.Modes {
		owner := map[trigger]string{}
		for _, row := range bindings() {
			for _, on := range row.on[mode] {
				if other, taken := owner[on]; taken {
					t.Errorf("%s: %s belongs to %s and %s", mode, on, other, row.name)
				}
				owner[on] = row.name
			}
		}
	}
}

// TestKeysHaveNames: each key in use has a name that no other key has.
func TestKeysHaveNames(t *testing.T) {
	named := map[string]glfw.Key{}
	for _, row := range bindings() {
		for mode := range session.Modes {
			for _, on := range row.on[mode] {
				if on.gesture != noGesture {
					continue
				}
				name := keyName(on.key)
				if other, taken := named[name]; name == "" || taken && other != on.key {
					t.Errorf("%s: key %d has the name %q, which key %d has as well", row.name, on.key, name, other)
				}
				named[name] = on.key
			}
		}
	}
	for key, want := range map[glfw.Key]string{
		glfw.KeyKPDivide: "keypad /", glfw.KeyKP7: "keypad 7", glfw.KeySlash: "/", glfw.KeyF11: "F11", glfw.KeyInsert: "", glfw.KeyDelete: "Delete", glfw.Key('!'): "",
	} {
		if got := keyName(key); got != want {
			t.Errorf("key %d is called %q, want %q", key, got, want)
		}
	}
}

// TestLocalNames: on a German keyboard Z is where Y is on a US one.
func TestLocalNames(t *testing.T) {
	german := func(k glfw.Key) string {
		return map[glfw.Key]string{glfw.KeyZ: "y", glfw.KeySemicolon: "ö", glfw.KeyF1: "?", glfw.KeyKPDivide: "/"}[k]
	}
	for key, want := range map[glfw.Key]string{
		glfw.KeyZ: "Y", glfw.KeySemicolon: "Ö", glfw.KeyX: "X", glfw.KeyF1: "F1", glfw.KeyKPDivide: "keypad /", glfw.KeyTab: "Tab",
	} {
		if got := localName(key, german); got != want {
			t.Errorf("key %s is called %q, want %q", keyName(key), got, want)
		}
	}
}

func TestModifiers(t *testing.T) {
	keys := newKeymap(bindings())
	for _, c := range []struct {
		mode session.Mode
		on   trigger
		want string
	}{
		{session.Orbit, key(glfw.KeyQ), "aperture-up"},
		{session.Fly, key(glfw.KeyQ), "down"},
		{session.Fly, chord(glfw.ModShift, glfw.KeyW), "forward"},
		{session.Orbit, chord(glfw.ModControl, glfw.KeyQ), "quit"},
		{session.Orbit, chord(glfw.ModControl|glfw.ModCapsLock, glfw.KeyQ), "quit"},
		{session.Orbit, chord(glfw.ModAlt, glfw.KeyQ), ""},
		{session.Orbit, mouse(look), ""},
	} {
		got := ""
		if row := keys.find(c.mode, c.on); row != nil {
			got = row.name
		}
		if got != c.want {
			t.Errorf("%s in %s finds %q, want %q", c.on, c.mode, got, c.want)
		}
	}
}

func TestKeysText(t *testing.T) {
	text, markdown := KeysText(nil), KeysMarkdown()
	for _, row := range bindings() {
		if !strings.Contains(text, row.help) || !strings.Contains(markdown, "| "+row.help+" |") {
			t.Errorf("%s is missing", row.name)
		}
	}
	for _, want := range []string{"Ctrl+Q", "left drag", "F11", "Esc", "keypad +"} {
		if !strings.Contains(text, want) {
			t.Errorf("text does not name %s", want)
		}
	}
	if !strings.Contains(markdown, "| `Q`, `]`, pad right | `]`, pad right | wider aperture |") {
		t.Error(markdown)
	}
}

func TestKeyColumns(t *testing.T) {
	for mode := range session.Modes {
		want := 0
		for _, row := range bindings() {
			if len(row.on[mode]) > 0 {
				want++
			}
		}
		for count := 1; count <= hud.KeyColumnMax; count++ {
			got, longest := 0, 0
			for _, column := range hud.KeyColumns(keyRows(bindings(), keyName), mode, count) {
				rows := 0
				for _, group := range column {
					rows += len(group)
				}
				got, longest = got+rows, max(longest, rows)
			}
			if got != want || longest > want*4/3/count+1 {
				t.Errorf("%s in %d columns: the overlay shows %d of %d rows, the longest column %d", mode, count, got, want, longest)
			}
		}
	}
}

func TestKeysPageIsFresh(t *testing.T) {
	page, err := os.ReadFile("../docs/reference/keys.md")
	if err != nil {
		t.Fatal(err)
	}
	if string(page) != KeysMarkdown() {
		t.Error("docs/reference/keys.md does not follow from the key table: write it anew by `make docs`")
	}
}
