package viewer

import (
	"math"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-gl/glfw/v3.3/glfw"

	"glint/tracer/schedule"
	"glint/viewer/session"
)

// padAt is a gamepad with sticks and triggers off their rest, and buttons pressed.
func padAt(axes map[glfw.GamepadAxis]float32, buttons ...glfw.GamepadButton) *glfw.GamepadState {
	s := (&gamepad{}).state()
	for axis, at := range axes {
		s.Axes[axis] = at
	}
	for _, b := range buttons {
		s.Buttons[b] = glfw.Press
	}
	return &s
}

func TestStickResponse(t *testing.T) {
	for _, c := range []struct{ x, y, wantX, wantY float64 }{
		{0.149, 0, 0, 0}, {0.1, 0.1, 0, 0}, {1, 0, 1, 0}, {0, -1, 0, -1}, {0.575, 0, 0.25, 0},
		{1, 1, math.Sqrt2 / 2, math.Sqrt2 / 2}, {math.NaN(), 0, 0, 0},
	} {
		if x, y := response(c.x, c.y); math.Abs(x-c.wantX) > 1e-12 || math.Abs(y-c.wantY) > 1e-12 {
			t.Errorf("(%v, %v) becomes (%v, %v)", c.x, c.y, x, y)
		}
	}
	if x, _ := response(0.16, 0); x <= 0 || x > 0.001 {
		t.Errorf("just outside the dead zone it is %v", x)
	}
}

// TestGamepadMoves: sticks act by time, buttons once and, when they are held, again; at rest nothing does.
func TestGamepadMoves(t *testing.T) {
	var at *glfw.GamepadState
	p := gamepad{read: func() *glfw.GamepadState { return at }, held: map[glfw.GamepadButton]time.Time{}}
	now := time.Now()
	step := func(s *glfw.GamepadState, after time.Duration) []padMove {
		at, now = s, now.Add(after)
		return p.moves(now, after.Seconds())
	}
	const frame = 20 * time.Millisecond
	for _, s := range []*glfw.GamepadState{padAt(nil), nil, padAt(map[glfw.GamepadAxis]float32{glfw.AxisLeftX: 0.14, glfw.AxisRightTrigger: -0.75})} {
		if m := step(s, frame); len(m) > 0 || p.acting || p.wakes() {
			t.Errorf("at rest it does %+v", m)
		}
	}
	at = padAt(map[glfw.GamepadAxis]float32{glfw.AxisRightY: -1})
	if !p.wakes() {
		t.Error("a stick that moves does not wake the window")
	}
	for _, after := range []time.Duration{frame, 2 * frame} {
		m := step(at, after)
		if len(m) != 1 || m[0].gesture != rightStick || m[0].event.dx != 0 || math.Abs(m[0].event.dy+after.Seconds()) > 1e-9 || !p.acting || p.wakes() {
			t.Errorf("a stick that is pushed up does %+v", m)
		}
	}
	if m := step(padAt(map[glfw.GamepadAxis]float32{glfw.AxisLeftTrigger: 1}), frame); len(m) != 1 || m[0].gesture != padTriggers || m[0].event.dy != -frame.Seconds() {
		t.Errorf("the left trigger does %+v", m)
	}
	acted := []time.Duration{}
	for held := time.Duration(0); held < 650*time.Millisecond; held += frame {
		for _, m := range step(padAt(nil, glfw.ButtonDpadUp), frame) {
			if m.gesture != padUp || m.again != (held > 0) {
				t.Errorf("after %v: %+v", held, m)
			}
			acted = append(acted, held)
		}
	}
	if len(acted) != 4 || acted[0] != 0 || acted[1] < padRepeats || acted[3]-acted[1] < 2*padRepeat {
		t.Errorf("a button that is held acts at %v", acted)
	}
	if m := step(padAt(nil, glfw.ButtonLeftBumper), frame); len(m) != 1 || m[0].event.dy != -1 {
		t.Errorf("a bumper does %+v", m)
	}
}

// TestGamepadInAWindow: what is done with a gamepad changes the view and the settings as rows of the key table say.
func TestGamepadInAWindow(t *testing.T) {
	p := openProbe(t, nil)
	var at atomic.Pointer[glfw.GamepadState]
	var polls atomic.Int64
	at.Store(padAt(nil))
	p.do(func(a *app) {
		a.input.pad.read = func() *glfw.GamepadState {
			polls.Add(1)
			return at.Load()
		}
	})
	forward := func(c session.Camera) float64 { return c.Camera.Target.Sub(c.Camera.Eye).Normalize()[0] }
	for _, c := range []struct {
		name string
		mode session.Mode
		pad  *glfw.GamepadState
		want func(b, a seen) bool
	}{
		{"left stick", session.Orbit, padAt(map[glfw.GamepadAxis]float32{glfw.AxisLeftX: 1}), func(b, a seen) bool {
			return a.controller.Camera.Eye[0] < b.controller.Camera.Eye[0]-0.1 && a.controller.Camera.Target == b.controller.Camera.Target
		}},
		{"right stick", session.Orbit, padAt(map[glfw.GamepadAxis]float32{glfw.AxisRightX: 1}), func(b, a seen) bool {
			return forward(a.controller) > 0.05 && a.controller.Camera.Eye == b.controller.Camera.Eye
		}},
		{"right trigger", session.Orbit, padAt(map[glfw.GamepadAxis]float32{glfw.AxisRightTrigger: 1}), func(b, a seen) bool {
			return eyeDistance(a.controller) < 0.95*eyeDistance(b.controller)
		}},
		{"left stick in fly", session.Fly, padAt(map[glfw.GamepadAxis]float32{glfw.AxisLeftY: -1}), func(b, a seen) bool {
			return a.controller.Camera.Eye[2] < b.controller.Camera.Eye[2]-0.02 && a.controller.Camera.Eye[0] == b.controller.Camera.Eye[0]
		}},
		{"right stick in fly", session.Fly, padAt(map[glfw.GamepadAxis]float32{glfw.AxisRightX: -1}), func(_, a seen) bool { return forward(a.controller) < -0.05 }},
		{"left trigger in fly", session.Fly, padAt(map[glfw.GamepadAxis]float32{glfw.AxisLeftTrigger: 1}), func(b, a seen) bool {
			return a.controller.Camera.Eye[1] < b.controller.Camera.Eye[1]-0.02
		}},
		{"right bumper", session.Fly, padAt(nil, glfw.ButtonRightBumper), func(b, a seen) bool {
			return near(float64(a.controller.Speed), float64(b.controller.Speed)*session.SpeedNotch)
		}},
		{"d-pad up", session.Orbit, padAt(nil, glfw.ButtonDpadUp), func(_, a seen) bool { return a.settings.Exposure >= 0.25 }},
		{"d-pad down", session.Fly, padAt(nil, glfw.ButtonDpadDown), func(_, a seen) bool { return a.settings.Exposure <= -0.25 }},
		{"d-pad right", session.Orbit, padAt(nil, glfw.ButtonDpadRight), func(_, a seen) bool { return a.settings.Aperture > 0 }},
		{"X", session.Orbit, padAt(nil, glfw.ButtonX), func(b, a seen) bool { return a.settings.Denoise != b.settings.Denoise }},
		{"start", session.Orbit, padAt(nil, glfw.ButtonStart), func(_, a seen) bool { return a.controller.Camera.Name == "framed" }},
		{"back", session.Orbit, padAt(nil, glfw.ButtonBack), func(_, a seen) bool { return a.mode == session.Fly }},
		{"B", session.Fly, padAt(nil, glfw.ButtonB), func(_, a seen) bool { return a.mode == session.Fly && !a.captured }},
	} {
		t.Run(c.name, func(t *testing.T) {
			p.t = t
			var before seen
			p.do(func(a *app) { before = p.reset(a, c.mode) })
			at.Store(c.pad)
			p.until(c.name, func(a *app) bool { return c.want(before, observe(a)) })
			at.Store(padAt(nil))
			p.until("rest", func(a *app) bool { return !a.input.pad.acting })
		})
	}
	p.t = t

	p.do(func(a *app) { p.reset(a, session.Orbit) })
	p.moveMouse(600) // where the fake finds something, as it does not in the middle
	at.Store(padAt(nil, glfw.ButtonA))
	p.until("the middle", func(a *app) bool { return latest(a) == "there is nothing" })
	at.Store(padAt(nil, glfw.ButtonY))
	p.until("two sides", func(a *app) bool { return a.session.Sides.Comparing() })
	at.Store(padAt(nil, glfw.ButtonB))
	p.until("B", func(a *app) bool { return a.input.pad.was.Buttons[glfw.ButtonB] == glfw.Press })
	p.do(func(a *app) {
		if !a.quitAsked.IsZero() {
			t.Error("B asks whether to quit")
		}
		a.session.Sides.CloseSplit()
	})

	// At rest, it is asked, and nothing is rendered for it.
	at.Store(padAt(map[glfw.GamepadAxis]float32{glfw.AxisLeftX: 0.1}))
	p.until("rest", func(a *app) bool {
		p.fake.samples = schedule.EnoughSamples
		return a.session.Frames.Idle
	})
	var renders int
	p.do(func(*app) { renders = p.fake.renders })
	asked := polls.Load()
	time.Sleep(300 * time.Millisecond)
	p.do(func(a *app) {
		if p.fake.renders != renders || !a.session.Frames.Idle {
			t.Error("a gamepad at rest keeps the window busy")
		}
	})
	if n := polls.Load() - asked; n < 6 || n > 60 {
		t.Errorf("it was asked %d times in 0.3 s", n)
	}
	var before session.Camera
	p.do(func(a *app) { before = a.session.Stage.Camera })
	at.Store(padAt(map[glfw.GamepadAxis]float32{glfw.AxisLeftX: 1}))
	p.until("the view to turn", func(a *app) bool { return a.session.Stage.Camera != before })
	p.do(func(a *app) { a.input.away, before = true, a.session.Stage.Camera })
	time.Sleep(50 * time.Millisecond)
	p.do(func(a *app) {
		if a.session.Stage.Camera != before {
			t.Error("a gamepad acts while the user is in another window")
		}
	})
}
