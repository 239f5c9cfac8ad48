package viewer

import (
	"fmt"
	"strings"

	"github.com/go-gl/glfw/v3.3/glfw"
)

// printable are the keys that GLFW numbers by the ASCII of what is printed on them.
const printable = "',-./0123456789;=ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]`"

// keyName is what is printed on a key of a US keyboard; empty for a key that has no name here.
func keyName(k glfw.Key) string {
	named := map[glfw.Key]string{
		glfw.KeySpace: "Space", glfw.KeyTab: "Tab", glfw.KeyEscape: "Esc", glfw.KeyBackspace: "Backspace", glfw.KeyHome: "Home",
		glfw.KeyEnter: "Enter", glfw.KeyEnd: "End", glfw.KeyPageUp: "Page Up", glfw.KeyPageDown: "Page Down", glfw.KeyDelete: "Delete",
		glfw.KeyUp: "Up", glfw.KeyDown: "Down", glfw.KeyLeft: "Left", glfw.KeyRight: "Right",
		glfw.KeyLeftShift: "Shift", glfw.KeyRightShift: "right Shift",
		glfw.KeyKPAdd: "keypad +", glfw.KeyKPSubtract: "keypad −", glfw.KeyKPMultiply: "keypad *", glfw.KeyKPDivide: "keypad /",
		glfw.KeyKPDecimal: "keypad .", glfw.KeyKPEnter: "keypad Enter", glfw.KeyKPEqual: "keypad =",
	}
	if name, ok := named[k]; ok {
		return name
	}
	switch {
	case k >= glfw.KeyF1 && k <= glfw.KeyF25:
		return fmt.Sprintf("F%d", k-glfw.KeyF1+1)
	case k >= glfw.KeyKP0 && k <= glfw.KeyKP9:
		return fmt.Sprintf("keypad %d", k-glfw.KeyKP0)
	case strings.ContainsRune(printable, rune(k)):
		return string(rune(k))
	}
	return ""
}

// modifier is a key that is held while another is pressed.
type modifier struct {
	mod  glfw.ModifierKey
	name string
}

// modifierNames are in the order in which they are written.
func modifierNames() []modifier {
	return []modifier{{glfw.ModControl, "Ctrl+"}, {glfw.ModAlt, "Alt+"}, {glfw.ModShift, "Shift+"}}
}

// String names the trigger as the key table shows it; parseChord reads that of a key.
func (t trigger) String() string { return t.named(keyName) }

func (t trigger) named(nameOf func(glfw.Key) string) string {
	var text strings.Builder
	for _, m := range modifierNames() {
		if t.mods&m.mod != 0 {
			text.WriteString(m.name)
		}
	}
	if t.gesture != noGesture {
		return text.String() + t.gesture.String()
	}
	return text.String() + nameOf(t.key)
}

// parseChord reads a key with its modifiers, in any order and case.
func parseChord(text string) (trigger, error) {
	t, name := trigger{}, strings.TrimSpace(text)
	for again := true; again; {
		again = false
		for _, m := range modifierNames() {
			if n := len(m.name); len(name) > n && strings.EqualFold(name[:n], m.name) {
				t.mods, name, again = t.mods|m.mod, name[n:], true
			}
		}
	}
	name = strings.Replace(name, "keypad -", "keypad −", 1) // which is what keyboards have
	for k := glfw.KeySpace; k <= glfw.KeyLast; k++ {
		if own := keyName(k); own != "" && strings.EqualFold(own, name) {
			t.key = k
			return t, nil
		}
	}
	return trigger{}, fmt.Errorf("%q is no key: write one as `glint keys` does, such as F12, Ctrl+Shift+K or keypad +", text)
}
