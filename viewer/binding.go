package viewer

import (
	"slices"

	"github.com/go-gl/glfw/v3.3/glfw"

	"glint/viewer/session"
)

// gesture is something that is done with the mouse or a gamepad.
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
	leftStick
	rightStick
	padTriggers
	bumpers
	padA
	padB
	padX
	padY
	padStart
	padBack
	padUp
	padDown
	padLeft
	padRight
)

func (g gesture) String() string {
	return [...]string{
		leftDrag: "left drag", rightDrag: "right drag", middleDrag: "middle drag", look: "mouse", wheel: "wheel",
		click: "click", doubleClick: "double click", rightClick: "right click", dividerDrag: "drag it",
		leftStick: "left stick", rightStick: "right stick", padTriggers: "triggers", bumpers: "bumpers", padA: "pad A", padB: "pad B", padX: "pad X",
		padY: "pad Y", padStart: "pad Start", padBack: "pad Back", padUp: "pad up", padDown: "pad down", padLeft: "pad left", padRight: "pad right",
	}[g]
}

// trigger is what the user does: a key with modifiers, or a gesture.
type trigger struct {
	key     glfw.Key
	mods    glfw.ModifierKey
	gesture gesture
}

func (t trigger) isKey() bool { return t.gesture == noGesture }

// event is the size of what the user did.
type event struct {
	// Of a drag: to the right and down, in heights of the window. Of the wheel and of bumpers: dy in notches, away is positive. Of a stick or
	// of triggers: how far it is pushed, 0…1, times seconds.
	dx, dy float64
	x, y   float64 // of a click, or of the mouse that drags the divider, screen coordinates in the window
	dt     float64 // of a held key: time since the last frame, s
	key    glfw.Key
}

// kind says how often a key acts.
type kind int

const (
	press     kind = iota // once
	repeat                // again and again, as typing does
	hold                  // in every frame
	holdFirst             // in every frame, before the rows of kind hold, whose work it changes
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

// numbered tells whether the row has a key for each number.
func (b *binding) numbered() bool { return len(b.on[session.Orbit]) == session.SavedViews }

// withKeys is what triggers the row when its keys are others, in the modes in which it had some. Gestures stay.
func (b *binding) withKeys(keys []trigger) (on [session.Modes][]trigger) {
	for mode, was := range b.on {
		on[mode] = slices.DeleteFunc(slices.Clone(was), trigger.isKey)
		if at := slices.IndexFunc(was, trigger.isKey); at >= 0 {
			on[mode] = slices.Insert(on[mode], at, keys...)
		}
	}
	return on
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
