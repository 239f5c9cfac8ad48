package viewer

import (
	"github.com/go-gl/glfw/v3.3/glfw"
)

// Mode is a way to move.
type Mode int

// The two ways to move.
const (
	Orbit Mode = iota // about a point of the scene
	Fly               // through the scene
	modes
)

// String is the mode's name.
func (m Mode) String() string {
	return [...]string{"orbit", "fly"}[m]
}

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
}

// kind says how often a key acts.
type kind int

const (
	press  kind = iota // once
	repeat             // again and again, as typing does
	hold               // in every frame
)

// binding is one action: what triggers it in each mode, and what it does. A setting's name stands for the action that
// steps that row of the settings table.
type binding struct {
	name    string
	group   string
	help    string
	on      [modes][]trigger
	kind    kind
	setting string
	do      func(*app, event)
}

func key(k glfw.Key) trigger                          { return trigger{key: k} }
func chord(mods glfw.ModifierKey, k glfw.Key) trigger { return trigger{key: k, mods: mods} }
func mouse(g gesture) trigger                         { return trigger{gesture: g} }
func both(on ...trigger) [modes][]trigger             { return [modes][]trigger{on, on} }
func orbitOnly(on ...trigger) [modes][]trigger        { return [modes][]trigger{Orbit: on} }
func flyOnly(on ...trigger) [modes][]trigger          { return [modes][]trigger{Fly: on} }
func perMode(orbit, fly []trigger) [modes][]trigger   { return [modes][]trigger{orbit, fly} }
func triggers(on ...trigger) []trigger                { return on }
func steps(setting string, by int) func(*app, event) {
	return func(a *app, _ event) { a.step(setting, by) }
}
func flies(ahead, right, up float32) func(*app, event) {
	return func(a *app, e event) { a.fly(ahead, right, up, e.dt) }
}
func turnsOrbit(perHeight float64) func(*app, event) {
	return func(a *app, e event) { a.rig.orbit(e.dx*perHeight, -e.dy*perHeight) }
}
func turnsHead(perHeight float64) func(*app, event) {
	return func(a *app, e event) { a.rig.turn(e.dx*perHeight, -e.dy*perHeight) }
}
func plain(do func(*app)) func(*app, event) { return func(a *app, _ event) { do(a) } }

// keymap finds the action of a trigger.
type keymap [modes]map[trigger]*binding

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
func (m keymap) find(mode Mode, t trigger) *binding {
	t.mods &= modifiers
	if row, ok := m[mode][t]; ok {
		return row
	}
	t.mods &^= glfw.ModShift
	return m[mode][t]
}
