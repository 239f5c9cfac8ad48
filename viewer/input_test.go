package viewer

import (
	"image"
	"math"
	"strconv"
	"testing"
	"time"

	"glint/tracer/settings"
	"glint/viewer/session"
)

// seen is what keys and mouse can change.
type seen struct {
	settings                             settings.Settings
	controller                           session.Camera
	mode                                 session.Mode
	captured, showPanel, showKeys, vsync bool
	camera                               int
}

func observe(a *app) seen {
	return seen{a.session.Sides.Active.Settings, a.session.Stage.Camera, a.input.mode, a.input.captured, a.overlay.showPanel, a.overlay.showKeys, a.display.vsync, a.session.Stage.Shown.Camera}
}

func eyeDistance(r session.Camera) float64 { return float64(r.Camera.Eye.Sub(r.Camera.Target).Len()) }
func near(a, b float64) bool               { return math.Abs(a-b) < 1e-4*max(1, math.Abs(b)) }

// userActs is what the user does over the right half of the window, and how the state must differ after it.
var userActs = []struct {
	name string
	mode session.Mode
	acts []string
	want func(b, a seen) bool
}{
	{"Q", session.Orbit, []string{"key", "q"}, func(b, a seen) bool {
		return near(a.settings.Aperture-b.settings.Aperture, 0.1*float64(b.controller.Unit))
	}},
	{"W", session.Orbit, []string{"key", "q", "key", "q", "key", "w"}, func(b, a seen) bool { return near(a.settings.Aperture, 0.1*float64(b.controller.Unit)) }},
	{"E", session.Orbit, []string{"key", "e"}, func(b, a seen) bool {
		return near(a.settings.Focus, eyeDistance(b.controller)+0.5*float64(b.controller.Unit))
	}},
	{"R", session.Orbit, []string{"key", "r"}, func(b, a seen) bool {
		return near(a.settings.Focus, eyeDistance(b.controller)-0.5*float64(b.controller.Unit))
	}},
	{"left drag", session.Orbit, []string{"mousedown", "1", "mousemove_relative", "60", "30", "mouseup", "1"}, func(b, a seen) bool {
		return a.controller.Camera.Target == b.controller.Camera.Target && a.controller.Camera.Eye[0] < b.controller.Camera.Eye[0]-0.1 &&
			a.controller.Camera.Eye[1] > b.controller.Camera.Eye[1]+0.05 && near(eyeDistance(a.controller), eyeDistance(b.controller))
	}},
	{"right drag", session.Orbit, []string{"mousedown", "3", "mousemove_relative", "0", "80", "mouseup", "3"}, func(b, a seen) bool {
		return eyeDistance(a.controller) > eyeDistance(b.controller)*1.2 && a.controller.Camera.Target == b.controller.Camera.Target
	}},
	{"middle drag", session.Orbit, []string{"mousedown", "2", "mousemove_relative", "50", "60", "mouseup", "2"}, func(b, a seen) bool {
		d := a.controller.Camera.Target.Sub(b.controller.Camera.Target)
		return d[0] < -0.1 && d[1] > 0.1 && near(float64(d[2]), 0)
	}},
	{"shift middle drag", session.Orbit, []string{"keydown", "shift", "mousedown", "2", "mousemove_relative", "50", "60", "mouseup", "2", "keyup", "shift"}, func(b, a seen) bool {
		d := a.controller.Camera.Target.Sub(b.controller.Camera.Target)
		return d[0] < -0.1 && d[1] == 0 && d[2] < -0.1
	}},
	{"wheel", session.Orbit, []string{"click", "4"}, func(b, a seen) bool { return near(eyeDistance(a.controller), eyeDistance(b.controller)*notch) }},
	{"Space", session.Orbit, []string{"mousedown", "2", "mousemove_relative", "50", "60", "mouseup", "2", "click", "4", "key", "space"}, func(b, a seen) bool {
		return a.controller.Camera.Target.Sub(b.controller.Camera.Target).Len() < 1e-4 && near(eyeDistance(a.controller), eyeDistance(b.controller)*notch)
	}},
	{"click", session.Orbit, []string{"click", "1"}, func(b, a seen) bool { return a.settings.Focus == fakeDepth && a.controller == b.controller }},
	{"double click", session.Orbit, []string{"click", "--repeat", "2", "--delay", "60", "1"}, func(b, a seen) bool {
		return a.settings.Focus == fakeDepth && a.controller.Camera == b.controller.Camera && a.controller.Pivot[0] > 0.1 && near(float64(a.controller.Pivot[2]), 4-fakeDepth)
	}},
	{"click in fly", session.Fly, []string{"click", "1"}, func(_, a seen) bool { return a.settings.Focus == 0 && a.captured }}, // the middle: nothing there
	{"minus", session.Orbit, []string{"key", "minus"}, func(_, a seen) bool { return a.settings.Exposure == -0.25 }},
	{"equal", session.Fly, []string{"key", "equal", "key", "equal"}, func(_, a seen) bool { return a.settings.Exposure == 0.5 }},
	{"1", session.Orbit, []string{"key", "1"}, func(b, a seen) bool { return a.settings.Integrator != b.settings.Integrator }},
	{"2", session.Orbit, []string{"key", "2"}, func(_, a seen) bool { return a.settings.Sampling == "bsdf" }},
	{"F8", session.Orbit, []string{"key", "F8"}, func(_, a seen) bool { return a.settings.AutoExposure }},
	{"slash", session.Orbit, []string{"key", "slash"}, func(_, a seen) bool { return a.settings.LightScale == 0.25 }},
	{"slash twice", session.Fly, []string{"key", "slash", "key", "slash"}, func(_, a seen) bool { return a.settings.LightScale == 1 }},
	{"shift minus", session.Orbit, []string{"key", "shift+minus"}, func(_, a seen) bool { return a.settings.WhiteBalance == 6400 && a.settings.Exposure == 0 }},
	{"3", session.Fly, []string{"key", "3"}, func(_, a seen) bool { return a.settings.ToneMap == "neutral" }},
	{"4", session.Orbit, []string{"key", "4"}, func(_, a seen) bool { return !a.settings.Antialias }},
	{"5", session.Fly, []string{"key", "5"}, func(_, a seen) bool { return !a.settings.Roulette }},
	{"6", session.Orbit, []string{"key", "6"}, func(_, a seen) bool { return !a.settings.DepthOfField }},
	{"7", session.Orbit, []string{"key", "7"}, func(_, a seen) bool { return !a.settings.EnergyCompensation }},
	{"8", session.Orbit, []string{"key", "8"}, func(_, a seen) bool { return !a.settings.RestirTemporal }},
	{"9", session.Fly, []string{"key", "9"}, func(_, a seen) bool { return !a.settings.RestirSpatial }},
	{"0", session.Orbit, []string{"key", "0"}, func(_, a seen) bool { return a.settings.RestirMIS == "naive" }},
	{"F2", session.Fly, []string{"key", "F2"}, func(_, a seen) bool { return a.settings.RestirMode == "interactive" }},
	{"F3", session.Orbit, []string{"key", "F3"}, func(_, a seen) bool { return a.settings.ReuseView == "position" }},
	{"Shift+F3", session.Orbit, []string{"key", "shift+F3"}, func(_, a seen) bool { return a.settings.ReuseView == "duplicates" }},
	{"period", session.Orbit, []string{"key", "period"}, func(b, a seen) bool { return a.settings.Bounces == b.settings.Bounces+1 }},
	{"Backspace", session.Orbit, []string{"key", "7", "key", "minus", "key", "BackSpace"}, func(b, a seen) bool { return a.settings == b.settings }},
	{"H", session.Orbit, []string{"key", "h"}, func(b, a seen) bool { return a.showPanel != b.showPanel }},
	{"F1", session.Fly, []string{"key", "F1"}, func(_, a seen) bool { return a.showKeys }},
	{"V", session.Fly, []string{"key", "v"}, func(b, a seen) bool { return a.vsync != b.vsync }},
	{"C", session.Orbit, []string{"key", "c"}, func(_, a seen) bool { return a.camera == 1 && a.controller.Camera.Name == "side" }},
	{"Home", session.Orbit, []string{"key", "Home"}, func(_, a seen) bool { return a.controller.Camera.Name == "framed" }},
	{"Tab", session.Orbit, []string{"key", "Tab"}, func(_, a seen) bool { return a.mode == session.Fly && a.captured }},
	{"Tab in fly", session.Fly, []string{"key", "Tab"}, func(_, a seen) bool { return a.mode == session.Orbit && !a.captured }},
	{"Escape in fly", session.Fly, []string{"key", "Escape"}, func(_, a seen) bool { return a.mode == session.Fly && !a.captured }},
	{"M", session.Fly, []string{"key", "m"}, func(_, a seen) bool { return a.mode == session.Fly && !a.captured }},
	{"mouse look", session.Fly, []string{"mousemove_relative", "90", "0"}, func(b, a seen) bool {
		return a.controller.Camera.Target[0] > b.controller.Camera.Target[0]+0.1 && a.controller.Camera.Eye == b.controller.Camera.Eye
	}},
	{"wheel in fly", session.Fly, []string{"click", "5"}, func(b, a seen) bool {
		return near(float64(a.controller.Speed)*session.SpeedNotch, float64(b.controller.Speed))
	}},
	{"bracket", session.Fly, []string{"key", "bracketright"}, func(_, a seen) bool { return a.settings.Aperture > 0 }},
	{"apostrophe", session.Fly, []string{"key", "apostrophe"}, func(b, a seen) bool { return a.settings.Focus > eyeDistance(b.controller) }},
	{"backslash", session.Fly, []string{"key", "apostrophe", "key", "backslash"}, func(_, a seen) bool { return a.settings.Focus == 0 }},
	{"hold W", session.Fly, []string{"keydown", "w"}, func(b, a seen) bool { return a.controller.Camera.Eye[2] < b.controller.Camera.Eye[2]-0.02 }},
	{"hold D", session.Fly, []string{"keydown", "d"}, func(b, a seen) bool { return a.controller.Camera.Eye[0] > b.controller.Camera.Eye[0]+0.02 }},
	{"hold Q", session.Fly, []string{"keydown", "q"}, func(b, a seen) bool { return a.controller.Camera.Eye[1] < b.controller.Camera.Eye[1]-0.02 }},
}

// TestViewsRestAfterADrag: a view that a drag has left must not count as moving, or it stays a preview for good.
func TestViewsRestAfterADrag(t *testing.T) {
	p := openProbe(t, nil)
	for _, button := range []string{"1", "2", "3"} {
		p.moveMouse(600)
		p.xdo("mousedown", button, "mousemove_relative", "60", "30")
		p.until("motion while button "+button+" drags", func(a *app) bool { return a.session.Frames.Rendered.View.Moving })
		p.xdo("mouseup", button)
		p.until("rest after button "+button, func(a *app) bool {
			return !a.session.Frames.Rendered.View.Moving && !a.input.dragged && !a.session.Stage.Player.Playing
		})
	}
}

func TestKeysAndMouse(t *testing.T) {
	p := openProbe(t, nil)
	for i, c := range userActs {
		t.Run(c.name, func(t *testing.T) {
			p.t = t
			var before seen
			if p.do(func(a *app) { p.reset(a, session.Orbit) }); c.mode == session.Orbit {
				p.moveMouse(600 + i) // another place each time: GLFW takes a move back to where it left the mouse for its own
			}
			p.do(func(a *app) { before = p.reset(a, c.mode) })
			p.do(func(*app) {}) // the frame after that has sent the display's server what the reset asked of it, such as the mouse to the middle
			p.xdo(c.acts...)
			p.until(c.name, func(a *app) bool { return c.want(before, observe(a)) })
			if c.acts[0] == "keydown" {
				p.xdo("keyup", c.acts[1])
				p.until("no key held", func(a *app) bool { return len(a.input.held) == 0 })
			}
		})
	}
}

// reset brings the state back to what the window opened with.
func (p *probe) reset(a *app, mode session.Mode) seen {
	a.session.Sides.Active.Settings = settings.Defaults()
	a.session.Stage.Camera = session.NewCamera(aScene("").Cameras[0], aScene("").Bounds().Radius())
	a.input.mode, a.overlay.showPanel, a.overlay.showKeys, a.display.vsync, a.session.Stage.Shown.Camera = mode, true, false, true, 0
	a.input.release()
	a.input.capture(mode == session.Fly)
	return observe(a)
}

// settle moves the mouse and waits until the window has heard of it.
func (p *probe) moveMouse(x int) {
	p.t.Helper()
	p.xdo("mousemove", strconv.Itoa(x), "300")
	p.until("the mouse", func(a *app) bool { return a.input.x == float64(x) })
}

func TestPanelKeepsItsMouse(t *testing.T) {
	p := openProbe(t, nil)
	var before session.Camera
	p.do(func(a *app) { before = a.session.Stage.Camera })
	p.xdo("mousemove", "60", "60")
	p.until("the panel to take the mouse", func(a *app) bool { return a.hud.WantsMouse(a.input.x, a.input.y) && !a.hud.WantsMouse(600, 300) })
	p.xdo("mousedown", "1", "mousemove_relative", "80", "40", "mouseup", "1", "click", "4")
	p.until("the events", func(a *app) bool { return a.input.x == 140 })
	p.do(func(a *app) {
		if a.session.Stage.Camera != before || a.session.Sides.Active.Settings.Focus != 0 {
			t.Error("a drag on the panel moved the camera")
		}
	})
}

// TestHelpScrolls: in a small window the wheel moves the help page, and not the camera behind it.
func TestHelpScrolls(t *testing.T) {
	p := openProbe(t, func(o *Options, _ *fake) { o.Width, o.Height = 640, 400 })
	var before session.Camera
	p.do(func(a *app) { a.overlay.showKeys, before = true, a.session.Stage.Camera })
	p.xdo("mousemove", "300", "150")
	p.until("help under the mouse", func(a *app) bool { return a.hud.WantsMouse(300, 150) })
	var top image.Image
	p.do(func(a *app) { top = windowImage(a) })
	p.xdo("click", "5", "click", "5", "click", "5")
	p.until("another part of the page", func(a *app) bool {
		now, changed := windowImage(a), 0
		for x := range 600 {
			for y := 150; y < 250; y++ { // some lines of text
				if now.At(x, y) != top.At(x, y) {
					changed++
				}
			}
		}
		return changed > 1000
	})
	p.do(func(a *app) {
		if a.session.Stage.Camera != before {
			t.Error("the wheel zoomed behind the help page")
		}
	})
}

// TestCaptureFromOutside: a mouse that is captured from beside the window does not turn the view by the way that it takes.
func TestCaptureFromOutside(t *testing.T) {
	p := openProbe(t, nil)
	var before session.Camera
	p.xdo("mousemove", "1500", "900")
	p.do(func(a *app) { before = a.session.Stage.Camera })
	p.xdo("key", "Tab")
	p.until("fly mode", func(a *app) bool { return a.input.captured })
	p.xdo("mousemove_relative", "90", "0")
	p.until("a turn", func(a *app) bool { return a.session.Stage.Camera != before })
	p.do(func(a *app) {
		was, _ := before.Angles()
		yaw, pitch := a.session.Stage.Camera.Angles()
		if turned := yaw - was; turned < 0.1 || turned > 0.4 || !near(pitch, 0) {
			t.Errorf("turned by %v, to a pitch of %v; the mouse moved by 90 of 600", turned, pitch)
		}
	})
}

// TestInputEndsLongFrames: a resting frame on a GPU takes many samples, and ends early when the user does something.
func TestInputEndsLongFrames(t *testing.T) {
	p := openProbe(t, func(o *Options, f *fake) {
		f.kind, f.cost = "cuda", map[string]time.Duration{"path": time.Millisecond}
		o.Settings.Integrator = "path"
	})
	p.until("long frames", func(a *app) bool { return a.session.Sides.Active.Pace.Calls > 100 })
	const after = 5
	calls, got := 0, 0
	p.do(func(a *app) {
		p.fake.rendering = func() {
			if calls++; calls == after {
				a.input.events = append(a.input.events, func() { got = a.session.Sides.Active.Pace.Calls })
			}
		}
	})
	p.until("the event", func(*app) bool { return got > 0 })
	p.do(func(*app) { p.fake.rendering = nil })
	if got > after+1 {
		t.Errorf("the frame went on to %d samples after an event at the sample %d", got, after)
	}
}

// TestTurntableByKeys: a key turns the view, and a drag or Esc stops it.
func TestTurntableByKeys(t *testing.T) {
	p := openProbe(t, nil)
	p.moveMouse(600)
	for _, stop := range [][]string{{"mousedown", "1", "mousemove_relative", "60", "30", "mouseup", "1"}, {"key", "Escape"}, {"key", "shift+t"}} {
		var before session.Camera
		p.do(func(a *app) { before = a.session.Stage.Camera })
		p.xdo("key", "shift+t")
		p.until("the view to turn", func(a *app) bool {
			return a.session.Stage.Camera.Camera.Eye.Sub(before.Camera.Eye).Len() > 0.05 && a.session.Frames.Rendered.View.Moving
		})
		p.xdo(stop...)
		p.until(stop[0], func(a *app) bool { return !a.session.Stage.Turntable.On && !a.session.Frames.Rendered.View.Moving })
		p.do(func(a *app) {
			if !a.quitAsked.IsZero() || a.session.Sides.Active.Settings != settings.Defaults() {
				t.Errorf("%v does something else", stop)
			}
		})
	}
}
