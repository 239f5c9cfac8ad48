package viewer

import (
	"math"
	"time"

	"github.com/go-gl/glfw/v3.3/glfw"
)

const (
	deadZone   = 0.15                   // of a stick's way, which it may rest at
	padRepeats = 400 * time.Millisecond // after which a button that is held acts again
	padRepeat  = 100 * time.Millisecond // and then as often
	padWait    = 1.0 / 60               // s: how often a gamepad that rests is looked at
)

// padStick is a stick of a gamepad, by its axes.
type padStick struct {
	x, y    glfw.GamepadAxis
	gesture gesture
}

func padSticks() []padStick {
	return []padStick{{glfw.AxisLeftX, glfw.AxisLeftY, leftStick}, {glfw.AxisRightX, glfw.AxisRightY, rightStick}}
}

// padButton is a button of a gamepad, and how many notches it counts.
type padButton struct {
	button  glfw.GamepadButton
	gesture gesture
	notches float64
}

func padButtons() []padButton {
	return []padButton{
		{glfw.ButtonA, padA, 0}, {glfw.ButtonB, padB, 0}, {glfw.ButtonX, padX, 0}, {glfw.ButtonY, padY, 0},
		{glfw.ButtonStart, padStart, 0}, {glfw.ButtonBack, padBack, 0}, {glfw.ButtonLeftBumper, bumpers, -1}, {glfw.ButtonRightBumper, bumpers, 1},
		{glfw.ButtonDpadUp, padUp, 0}, {glfw.ButtonDpadDown, padDown, 0}, {glfw.ButtonDpadLeft, padLeft, 0}, {glfw.ButtonDpadRight, padRight, 0},
	}
}

// padMove is something that is done with a gamepad.
type padMove struct {
	gesture gesture
	event   event
	again   bool // the button is held
}

// gamepad is the state of a gamepad between frames. It sends no events, and is asked.
type gamepad struct {
	read   func() *glfw.GamepadState // nil while there is none; its answer is nil when it has gone
	was    glfw.GamepadState
	held   map[glfw.GamepadButton]time.Time // when buttons act again
	acting bool                             // something was off its rest in the last frame
}

// moves are what a gamepad does in a frame of dt seconds. As with a held key, what a stick does grows with the time.
func (p *gamepad) moves(now time.Time, dt float64) (moves []padMove) {
	s := p.state()
	p.acting = !rests(s)
	for _, stick := range padSticks() {
		if x, y := response(float64(s.Axes[stick.x]), float64(s.Axes[stick.y])); x != 0 || y != 0 {
			moves = append(moves, padMove{gesture: stick.gesture, event: event{dx: x * dt, dy: y * dt}})
		}
	}
	if pull := pulled(s, glfw.AxisRightTrigger) - pulled(s, glfw.AxisLeftTrigger); pull != 0 {
		moves = append(moves, padMove{gesture: padTriggers, event: event{dy: pull * dt}})
	}
	for _, b := range padButtons() {
		m := padMove{gesture: b.gesture, event: event{dy: b.notches}}
		switch {
		case s.Buttons[b.button] != glfw.Press:
			continue
		case p.was.Buttons[b.button] != glfw.Press:
			p.held[b.button] = now.Add(padRepeats)
		case !now.Before(p.held[b.button]):
			p.held[b.button], m.again = now.Add(padRepeat), true
		default:
			continue
		}
		moves = append(moves, m)
	}
	p.was = s
	return moves
}

// wakes tells whether something is done that was not in the last frame.
func (p *gamepad) wakes() bool {
	if p.read == nil {
		return false
	}
	s := p.state()
	return !p.acting && !rests(s) || s.Buttons != p.was.Buttons
}

// state is that of a gamepad at rest where there is none.
func (p *gamepad) state() glfw.GamepadState {
	if p.read != nil {
		if s := p.read(); s != nil {
			return *s
		}
	}
	return glfw.GamepadState{Axes: [6]float32{glfw.AxisLeftTrigger: -1, glfw.AxisRightTrigger: -1}}
}

// rests tells whether nothing is pushed.
func rests(s glfw.GamepadState) bool {
	for _, stick := range padSticks() {
		if x, y := response(float64(s.Axes[stick.x]), float64(s.Axes[stick.y])); x != 0 || y != 0 {
			return false
		}
	}
	return pulled(s, glfw.AxisLeftTrigger)+pulled(s, glfw.AxisRightTrigger) == 0 && s.Buttons == glfw.GamepadState{}.Buttons
}

// pulled is how far a trigger is, 0…1.
func pulled(s glfw.GamepadState, axis glfw.GamepadAxis) float64 {
	x, _ := response((float64(s.Axes[axis])+1)/2, 0)
	return x
}

// response is what a stick's place stands for: nothing near its middle, and from there its square, so that a view can be placed finely.
func response(x, y float64) (float64, float64) {
	r := math.Hypot(x, y)
	if !(r > deadZone) {
		return 0, 0
	}
	part := (min(r, 1) - deadZone) / (1 - deadZone)
	return x / r * part * part, y / r * part * part
}

// findGamepad reads the first gamepad; nil when there is none.
func findGamepad() func() *glfw.GamepadState {
	for joy := glfw.Joystick1; joy <= glfw.JoystickLast; joy++ {
		if joy.IsGamepad() {
			return joy.GetGamepadState
		}
	}
	return nil
}
