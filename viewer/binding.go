package viewer

import (
	"github.com/go-gl/glfw/v3.3/glfw"

	"glint/viewer/session"
)

// gesture is something that is done with the mouse.
type gesture int

const (
	noGesture gesture = iota
	leftDrag
	rightDrag
	middleDrag
	look // the mouse moves while it is captured
	wheel
	click
	doubleClick
	rightClick
	dividerDrag
)

// trigger is what the user does: a key with modifiers, or a gesture.
type trigger struct {
	key     glfw.Key
	mods    glfw.ModifierKey
	gesture gesture
}

// event is the size of what the user did.
type event struct {
	dx, dy float64 // of a drag: to the right and down, in heights of the window. Of the wheel: dy in notches, away is positive
	x, y   float64 // of a click, or of the mouse that drags the divider, screen coordinates in the window
	dt     float64 // of a held key: time since the last frame, s
	key    glfw.Key
}

// kind says how often a key acts.
type kind int

const (
	press  kind = iota // once
	repeat             // again and again, as typing does
	hold               // in every frame
)

// binding is one action: what triggers it in each mode, and what it does. Setting names the row of the
// settings table that it changes, for help.
type binding struct {
	name    string
	group   string
	help    string
	on      [session.Modes][]trigger
	kind    kind
	setting string
	do      func(*app, event)
}

func key(k glfw.Key) trigger { return trigger{key: k} }

func chord(mods glfw.ModifierKey, k glfw.Key) trigger { return trigger{key: k, mods: mods} }

// digits are the keys from 1 to 9 with modifiers.
func digits(mods glfw.ModifierKey) (on []trigger) {
	for k := glfw.Key1; k <= glfw.Key9; k++ {
		on = append(on, chord(mods, k))
	}
	return on
}

func mouse(g gesture) trigger { return trigger{gesture: g} }

func both(on ...trigger) [session.Modes][]trigger { return [session.Modes][]trigger{on, on} }

func orbitOnly(on ...trigger) [session.Modes][]trigger {
	return [session.Modes][]trigger{session.Orbit: on}
}

func flyOnly(on ...trigger) [session.Modes][]trigger {
	return [session.Modes][]trigger{session.Fly: on}
}

func perMode(orbit, fly []trigger) [session.Modes][]trigger {
	return [session.Modes][]trigger{orbit, fly}
}

func triggers(on ...trigger) []trigger { return on }

func plain(do func(*app)) func(*app, event) { return func(a *app, _ event) { do(a) } }

// keymap finds the action of a trigger.
type keymap [session.Modes]map[trigger]*binding

func newKeymap(rows []binding) keymap {
	var m keymap
	for mode := range m {
		m[mode] = map[trigger]*binding{}
		for i := range rows {
			for _, t := range rows[i].on[mode] {
				m[mode][t] = &rows[i]
			}
		}
	}
	return m
}

const modifiers = glfw.ModShift | glfw.ModControl | glfw.ModAlt | glfw.ModSuper

// find prefers the row that asks for exactly these modifiers. Shift alone does not keep a row without modifiers from
// acting, since it is held to fly faster.
func (m keymap) find(mode session.Mode, t trigger) *binding {
	t.mods &= modifiers
	if row, ok := m[mode][t]; ok {
		return row
	}
	t.mods &^= glfw.ModShift
	return m[mode][t]
}
