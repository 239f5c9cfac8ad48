package viewer

import (
	"math"
	"time"

	"github.com/go-gl/glfw/v3.3/glfw"

	"glint/tracer/schedule"
	"glint/viewer/hud"
	"glint/viewer/session"
)

// clickSlack is how far the mouse may move, in heights of the window, for a press and release to be a click.
const clickSlack = 0.006

const (
	doubleClickTime  = 400 * time.Millisecond // between the clicks of a double click
	doubleClickReach = 5                      // and how far apart they may be, screen coordinates
)

// panels are what lies over the image, which may want a key or the mouse for itself.
type panels interface {
	WantsMouse(x, y float64) bool
	WantsKeyboard() bool
	CloseTop() bool
	IgnoreMouse(on bool)
}

// input turns what the user does into rows of the key table. It is the state of keyboard and mouse between events.
type input struct {
	from    *hud.Window
	panels  panels
	act     func(*binding, event)
	dropped func(paths []string, merge bool) // of files
	// overDivider tells whether the mouse would drag the divider from a point, screen coordinates in the window.
	overDivider func(x, y float64) bool

	keys     keymap
	pad      gamepad
	held     map[glfw.Key]*binding // keys that act in every frame
	mode     session.Mode
	captured bool // the mouse is hidden and turns the camera

	events    []func()  // what the user did since the last frame began
	touched   time.Time // when the user last did something
	lookedOut time.Time // for events
	away      bool      // the user is in another window, which a gamepad may be for

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
		c.at = time.Time{} // a third click is a first again
	}
	return double
}

// capture hides the mouse and lets it turn the camera, or frees it.
func (in *input) capture(on bool) {
	if in.captured == on {
		return
	}
	in.captured = on
	mode := glfw.CursorNormal
	if on {
		mode = glfw.CursorDisabled
	}
	in.from.SetInputMode(glfw.CursorMode, mode)
	if glfw.RawMouseMotionSupported() {
		in.from.SetInputMode(glfw.RawMouseMotion, boolHint(on))
	}
	in.findMouse()
	in.panels.IgnoreMouse(on)
}

// holds tells whether the user holds a key that moves, or a button.
func (in *input) holds() bool {
	for _, b := range []glfw.MouseButton{glfw.MouseButtonLeft, glfw.MouseButtonRight, glfw.MouseButtonMiddle} {
		if in.from.GetMouseButton(b) == glfw.Press {
			return true
		}
	}
	return len(in.held) > 0
}

// grab takes hold of the divider or lets go of it. It tells whether the left button did either.
func (in *input) grab(action glfw.Action) bool {
	held := in.grabbed
	in.grabbed = action == glfw.Press && in.overDivider(in.x, in.y)
	return held || in.grabbed
}

// release lets go of all keys and buttons: the window lost the keyboard, or the mode changed.
func (in *input) release() {
	clear(in.held)
	in.down, in.dragged, in.grabbed = false, false, false
}

// findMouse asks where the mouse is, after something other than the user moved it.
func (in *input) findMouse() {
	in.x, in.y = in.from.GetCursorPos()
	in.down, in.dragged, in.grabbed = false, false, false
}

// listen connects the window's events. They wait for the next frame to begin, since a long one looks out for them between samples.
// ImGui chains its own callbacks behind these.
func (in *input) listen() {
	w := in.from
	on := func(do func()) { in.events = append(in.events, do) }
	w.SetKeyCallback(func(_ *glfw.Window, k glfw.Key, _ int, action glfw.Action, mods glfw.ModifierKey) {
		on(func() { in.onKey(k, action, mods) })
	})
	w.SetMouseButtonCallback(func(_ *glfw.Window, b glfw.MouseButton, action glfw.Action, mods glfw.ModifierKey) {
		on(func() { in.onButton(b, action, mods) })
	})
	w.SetCursorPosCallback(func(_ *glfw.Window, x, y float64) { on(func() { in.onCursor(x, y) }) })
	w.SetScrollCallback(func(_ *glfw.Window, _, dy float64) { on(func() { in.onScroll(dy) }) })
	w.SetCursorEnterCallback(func(_ *glfw.Window, entered bool) {
		on(func() { in.entered = entered && in.captured })
	})
	w.SetRefreshCallback(func(*glfw.Window) { on(func() {}) }) // it is drawn again
	w.SetFocusCallback(func(_ *glfw.Window, focused bool) {
		on(func() {
			if in.away = !focused; in.away {
				in.release()
			}
		})
	})
	glfw.SetJoystickCallback(func(glfw.Joystick, glfw.PeripheralEvent) { on(func() { in.pad.read = findGamepad() }) })
	w.SetDropCallback(func(_ *glfw.Window, paths []string) {
		merge := shiftHeld(w.Window) // as they are dropped
		on(func() { in.dropped(paths, merge) })
	})
}

// shiftHeld asks for the state of the keys, since drops come without modifiers.
func shiftHeld(w *glfw.Window) bool {
	return w.GetKey(glfw.KeyLeftShift) == glfw.Press || w.GetKey(glfw.KeyRightShift) == glfw.Press
}

// answer handles the events since the last frame began.
func (in *input) answer(now time.Time) {
	if len(in.events) == 0 {
		return
	}
	in.touched = now
	events := in.events
	in.events = nil
	for _, do := range events {
		do()
	}
}

// interrupted looks out for events in the middle of a frame, now and then, and tells whether there are any: then the frame is to
// end, so that the next one answers them.
func (in *input) interrupted() bool {
	if now := time.Now(); now.Sub(in.lookedOut) > schedule.LookOutEvery {
		in.lookedOut = now
		glfw.PollEvents()
		in.lookAtPad()
	}
	return len(in.events) > 0
}

// await waits some seconds for events, also for what a gamepad does.
func (in *input) await(seconds float64) {
	if in.pad.read == nil {
		glfw.WaitEventsTimeout(seconds)
		return
	}
	for begun := time.Now(); len(in.events) == 0 && time.Since(begun).Seconds() < seconds; in.lookAtPad() {
		slept := time.Now()
		if glfw.WaitEventsTimeout(padWait); time.Since(slept).Seconds() < padWait/2 { // there is other work
			return
		}
	}
}

// lookAtPad makes an event of it when a gamepad begins to do something.
func (in *input) lookAtPad() {
	if !in.away && in.pad.wakes() {
		in.events = append(in.events, func() {})
	}
}

// usePad has a gamepad act for a frame of dt seconds.
func (in *input) usePad(now time.Time, dt float64) {
	if in.pad.read == nil || in.away {
		in.pad.acting = false
		return
	}
	for _, m := range in.pad.moves(now, dt) {
		if m.gesture == padA {
			m.event.x, m.event.y = in.middle()
		}
		in.touched = now
		if row := in.keys.find(in.mode, mouse(m.gesture)); row != nil && (!m.again || row.kind == repeat) {
			in.act(row, m.event)
		}
	}
}

// trigger does what the key table says.
func (in *input) trigger(t trigger, e event) {
	if row := in.keys.find(in.mode, t); row != nil {
		in.act(row, e)
	}
}

func (in *input) onKey(k glfw.Key, action glfw.Action, mods glfw.ModifierKey) {
	if action == glfw.Release {
		delete(in.held, k)
		return
	}
	if in.panels.WantsKeyboard() {
		if k == glfw.KeyEscape && action == glfw.Press {
			in.panels.CloseTop()
		}
		return
	}
	row := in.keys.find(in.mode, trigger{key: k, mods: mods})
	switch {
	case row == nil:
	case row.kind == hold, row.kind == holdFirst:
		in.held[k] = row
	case action == glfw.Press || row.kind == repeat:
		in.act(row, event{key: k})
	}
}

// holdKeys makes held keys act for a frame of dt seconds.
func (in *input) holdKeys(dt float64) {
	for _, pass := range []kind{holdFirst, hold} {
		for _, row := range in.held {
			if row.kind == pass {
				in.act(row, event{dt: dt})
			}
		}
	}
}

func (in *input) onButton(b glfw.MouseButton, action glfw.Action, mods glfw.ModifierKey) {
	if b == glfw.MouseButtonLeft && (in.grabbed || !in.down) && in.grab(action) {
		return
	}
	if action == glfw.Press {
		if !in.down && (in.captured || !in.panels.WantsMouse(in.x, in.y)) {
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
		x, y := in.pointer()
		if g == click && in.clicked.doubles(x, y, time.Now()) && in.keys.find(in.mode, mouse(doubleClick)) != nil {
			g = doubleClick
		}
		in.trigger(trigger{gesture: g, mods: mods}, event{x: x, y: y})
	}
}

// pointer is where a click points: the mouse, or the middle of the window while the mouse is captured.
func (in *input) pointer() (x, y float64) {
	if in.captured {
		return in.middle()
	}
	return in.x, in.y
}

func (in *input) middle() (x, y float64) {
	w, h := in.from.GetSize()
	return float64(w) / 2, float64(h) / 2
}

func (in *input) onCursor(x, y float64) {
	if in.entered {
		in.x, in.y, in.entered = x, y, false
	}
	dx, dy := x-in.x, y-in.y
	in.x, in.y = x, y
	_, height := in.from.GetSize()
	if height == 0 {
		return
	}
	e := event{dx: dx / float64(height), dy: dy / float64(height)}
	if in.captured {
		in.trigger(mouse(look), e)
		return
	}
	if in.grabbed {
		in.trigger(mouse(dividerDrag), event{x: x, y: y})
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
		in.trigger(t, e)
	}
}

func (in *input) onScroll(dy float64) {
	if in.captured || !in.panels.WantsMouse(in.x, in.y) {
		in.trigger(mouse(wheel), event{dy: dy})
	}
}

// overImage tells whether the mouse points at the image, and not at a panel.
func (in *input) overImage() bool { return !in.captured && !in.panels.WantsMouse(in.x, in.y) }
