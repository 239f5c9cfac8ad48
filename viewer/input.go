package viewer

import (
	"math"
	"time"

	"github.com/go-gl/glfw/v3.3/glfw"

	"glint/viewer/session"
)

// clickSlack is how far the mouse may move, in heights of the window, for a press and release to be a click.
const clickSlack = 0.006

const (
	doubleClickTime  = 400 * time.Millisecond // between the clicks of a double click
	doubleClickReach = 5                      // and how far apart they may be, screen coordinates
)

// input is the state of keyboard and mouse between events.
type input struct {
	keys keymap
	held map[glfw.Key]*binding // keys that act in every frame

	x, y    float64 // of the mouse, screen coordinates in the window
	button  glfw.MouseButton
	down    bool // the button was pressed over the image
	dragged bool // and the mouse has moved since: the user is changing the view
	travel  float64
	grabbed bool // the mouse drags the divider
	shift   bool // Shift was held when the button was pressed
	entered bool // the mouse has come into the window while it was captured: its next place is no movement
	clicked lastClick
}

// lastClick is where and when the left button clicked last.
type lastClick struct {
	x, y float64
	at   time.Time
}

// doubles tells whether a click at a point is the second of two, and remembers it.
func (c *lastClick) doubles(x, y float64, now time.Time) bool {
	double := now.Sub(c.at) < doubleClickTime && math.Hypot(x-c.x, y-c.y) < doubleClickReach
	*c = lastClick{x, y, now}
	if double {
		c.at = time.Time{} // a third click begins anew
	}
	return double
}

func newInput() input {
	return input{keys: newKeymap(bindings()), held: map[glfw.Key]*binding{}}
}

// release lets go of all keys and buttons: the window lost the keyboard, or the mode changed.
func (in *input) release() {
	clear(in.held)
	in.down, in.dragged, in.grabbed = false, false, false
}

// findMouse asks where the mouse is, after something other than the user moved it.
func (a *app) findMouse() {
	a.input.x, a.input.y = a.window.GetCursorPos()
	a.input.down, a.input.dragged, a.input.grabbed = false, false, false
}

// listen connects the window's events. They wait for the next frame to begin, since a long one looks out for them between samples.
// ImGui chains its own callbacks behind these.
func (a *app) listen(w *glfw.Window) {
	on := func(do func()) { a.events = append(a.events, do) }
	w.SetKeyCallback(func(_ *glfw.Window, k glfw.Key, _ int, action glfw.Action, mods glfw.ModifierKey) {
		on(func() { a.onKey(k, action, mods) })
	})
	w.SetMouseButtonCallback(func(_ *glfw.Window, b glfw.MouseButton, action glfw.Action, mods glfw.ModifierKey) {
		on(func() { a.onButton(b, action, mods) })
	})
	w.SetCursorPosCallback(func(_ *glfw.Window, x, y float64) { on(func() { a.onCursor(x, y) }) })
	w.SetScrollCallback(func(_ *glfw.Window, _, dy float64) { on(func() { a.onScroll(dy) }) })
	w.SetCursorEnterCallback(func(_ *glfw.Window, entered bool) {
		on(func() { a.input.entered = entered && a.captured })
	})
	w.SetRefreshCallback(func(*glfw.Window) { on(func() {}) }) // it is drawn again
	w.SetFocusCallback(func(_ *glfw.Window, focused bool) {
		on(func() {
			if !focused {
				a.input.release()
			}
		})
	})
	w.SetDropCallback(func(_ *glfw.Window, paths []string) {
		merge := shiftHeld(w) // as they are dropped
		on(func() { a.drop(paths, merge) })
	})
}

// shiftHeld asks for the state of the keys, since drops come without modifiers.
func shiftHeld(w *glfw.Window) bool {
	return w.GetKey(glfw.KeyLeftShift) == glfw.Press || w.GetKey(glfw.KeyRightShift) == glfw.Press
}

// answer does what the user has asked for since the last frame began.
func (a *app) answer(now time.Time) {
	if len(a.events) == 0 {
		return
	}
	a.touched = now
	events := a.events
	a.events = nil
	for _, do := range events {
		do()
	}
}

// interrupted looks out for events in the middle of a frame, now and then, and tells whether there are any: then the frame is to
// end, so that the next one answers them.
func (a *app) interrupted() bool {
	if now := time.Now(); now.Sub(a.lookedOut) > session.LookOutEvery {
		a.lookedOut = now
		glfw.PollEvents()
	}
	return len(a.events) > 0
}

// trigger does what the key table says.
func (a *app) trigger(t trigger, e event) {
	if row := a.input.keys.find(a.mode, t); row != nil {
		row.do(a, e)
	}
}

func (a *app) onKey(k glfw.Key, action glfw.Action, mods glfw.ModifierKey) {
	if action == glfw.Release {
		delete(a.input.held, k)
		return
	}
	if a.hud.WantsKeyboard() {
		if k == glfw.KeyEscape && action == glfw.Press {
			a.hud.CloseTop()
		}
		return
	}
	row := a.input.keys.find(a.mode, trigger{key: k, mods: mods})
	switch {
	case row == nil:
	case row.kind == hold:
		a.input.held[k] = row
	case action == glfw.Press || row.kind == repeat:
		row.do(a, event{key: k})
	}
}

// holdKeys makes held keys act for a frame of dt seconds.
func (a *app) holdKeys(dt float64) {
	a.boost = false
	for _, pass := range []bool{true, false} { // Shift first: it changes what the others do
		for k, row := range a.input.held {
			if pass == (k == glfw.KeyLeftShift || k == glfw.KeyRightShift) {
				row.do(a, event{dt: dt})
			}
		}
	}
}

func (a *app) onButton(b glfw.MouseButton, action glfw.Action, mods glfw.ModifierKey) {
	in := &a.input
	if b == glfw.MouseButtonLeft && (in.grabbed || !in.down) && a.grab(action) {
		return
	}
	if action == glfw.Press {
		if !in.down && (a.captured || !a.hud.WantsMouse(in.x, in.y)) {
			in.button, in.down, in.dragged, in.travel, in.shift = b, true, false, 0, mods&glfw.ModShift != 0
		}
		return
	}
	if !in.down || b != in.button {
		return
	}
	dragged := in.dragged
	in.down, in.dragged = false, false
	if dragged {
		return
	}
	clicks := map[glfw.MouseButton]gesture{glfw.MouseButtonLeft: click, glfw.MouseButtonRight: rightClick}
	if g, ok := clicks[b]; ok {
		x, y := a.pointer()
		if g == click && in.clicked.doubles(x, y, time.Now()) && a.input.keys.find(a.mode, mouse(doubleClick)) != nil {
			g = doubleClick
		}
		a.trigger(trigger{gesture: g, mods: mods}, event{x: x, y: y})
	}
}

// pointer is where a click points: the mouse, or the middle of the window while the mouse is captured.
func (a *app) pointer() (x, y float64) {
	if a.captured {
		w, h := a.window.GetSize()
		return float64(w) / 2, float64(h) / 2
	}
	return a.input.x, a.input.y
}

func (a *app) onCursor(x, y float64) {
	in := &a.input
	if in.entered {
		in.x, in.y, in.entered = x, y, false
	}
	dx, dy := x-in.x, y-in.y
	in.x, in.y = x, y
	_, height := a.window.GetSize()
	if height == 0 {
		return
	}
	e := event{dx: dx / float64(height), dy: dy / float64(height)}
	if a.captured {
		a.trigger(mouse(look), e)
		return
	}
	if in.grabbed {
		a.trigger(mouse(dividerDrag), event{x: x, y: y})
		return
	}
	if !in.down {
		return
	}
	if in.travel += math.Hypot(e.dx, e.dy); in.travel > clickSlack {
		in.dragged = true
	}
	drags := map[glfw.MouseButton]gesture{
		glfw.MouseButtonLeft: leftDrag, glfw.MouseButtonRight: rightDrag, glfw.MouseButtonMiddle: middleDrag,
	}
	if g, ok := drags[in.button]; ok && in.dragged {
		t := mouse(g)
		if in.shift {
			t.mods = glfw.ModShift
		}
		a.trigger(t, e)
	}
}

func (a *app) onScroll(dy float64) {
	if a.captured || !a.hud.WantsMouse(a.input.x, a.input.y) {
		a.trigger(mouse(wheel), event{dy: dy})
	}
}
