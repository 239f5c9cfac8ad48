package viewer

import (
	"fmt"
	"glint/tracer/view"

	"github.com/go-gl/glfw/v3.3/glfw"
)

const (
	boostFactor = 4    // of the speed of flying
	nearestStep = 0.01 // units: focus by keys never comes nearer than this, since 0 means the look-at point
)

// step moves a row of the settings table and says so.
func (a *app) step(setting string, by int) {
	row, ok := lookup(setting)
	if !ok {
		return
	}
	if setting == "focus" && a.settings.Focus == 0 {
		a.settings.Focus = float64(a.rig.distance()) // where the lens has focused so far
	}
	adjust(row, &a.settings, by, a.rig.unit)
	if setting == "focus" {
		a.settings.Focus = max(a.settings.Focus, nearestStep*float64(a.rig.unit))
	}
	a.say(describe(row, a.settings))
}

// dimLights switches between all lights as they are and at a quarter.
func (a *app) dimLights() {
	const dim = 0.25
	if a.settings.LightScale == 1 {
		a.settings.LightScale = dim
	} else {
		a.settings.LightScale = 1
	}
	if row, ok := lookup("light-scale"); ok {
		a.say(describe(row, a.settings))
	}
}

func (a *app) resetSettings() {
	a.settings = a.startSettings()
	a.say("settings as at the start")
}

// usualFPS is the frame rate that toggleTarget asks for: that of most displays.
const usualFPS = 60

// toggleTarget has a moving view hold a frame rate, or no longer.
func (a *app) toggleTarget() {
	if a.settings.TargetFPS > 0 {
		a.settings.TargetFPS = 0
		a.say("frame rate: as it comes")
		return
	}
	a.settings.TargetFPS = usualFPS
	a.say(fmt.Sprintf("frame rate: %d fps, by the size of what is rendered", usualFPS))
}

func (a *app) fly(ahead, right, up float32, dt float64) {
	d := a.rig.speed * float32(dt)
	if a.boost {
		d *= boostFactor
	}
	a.rig.fly(ahead*d, right*d, up*d)
}

// pan moves the look-at point so that the ground stays under the mouse.
func (a *app) pan(e event) {
	h := float64(a.rig.viewHeight())
	a.rig.pan(float32(-e.dx*h), float32(e.dy*h))
}

// focusAt focuses on what the window shows at a point, screen coordinates.
func (a *app) focusAt(x, y float64) {
	if a.shown == nil {
		return
	}
	ww, wh := a.window.GetSize()
	fw, fh := a.window.GetFramebufferSize()
	if ww == 0 || wh == 0 {
		return
	}
	px, py := int(x*float64(fw)/float64(ww)), int(y*float64(fh)/float64(wh))
	if px < 0 || py < 0 || px >= fw || py >= fh {
		return
	}
	depth, hit, err := a.device.Pick(view.View{Camera: a.rig.camera, Width: fw, Height: fh}, px, py)
	switch {
	case err != nil:
		a.warn("Focus: " + err.Error())
	case !hit:
		a.say("nothing there to focus on")
	default:
		a.settings.Focus = float64(depth)
		a.mark = newMark(x, y)
		a.say("focus: " + withUnit(a.settings.Focus, "m"))
	}
}

func (a *app) focusOnTarget() {
	a.settings.Focus = 0
	a.say("focus: the look-at point")
}

func (a *app) frameScene() {
	if a.shown != nil {
		a.rig.look(a.shown.scene.FrameAll(a.aspect()))
	}
}

func (a *app) nextCamera() {
	if a.shown == nil {
		return
	}
	cameras := a.shown.scene.Cameras
	if len(cameras) == 0 {
		a.say("the file has no camera")
		return
	}
	a.shown.camera = (a.shown.camera + 1) % len(cameras)
	c := cameras[a.shown.camera]
	a.rig.look(c)
	a.say(fmt.Sprintf("camera %d of %d: %s", a.shown.camera+1, len(cameras), c.Name))
}

// aspect is the window's width over its height.
func (a *app) aspect() float32 {
	w, h := a.window.GetFramebufferSize()
	if h == 0 {
		return 1
	}
	return float32(w) / float32(h)
}

func (a *app) nextMode() {
	a.mode = (a.mode + 1) % modes
	a.input.release()
	a.capture(a.mode == Fly)
	a.say(map[Mode]string{Orbit: "orbit: drag to turn", Fly: "fly: W A S D and the mouse, Esc frees it"}[a.mode])
}

// capture hides the mouse and lets it turn the camera, or frees it.
func (a *app) capture(on bool) {
	if a.captured == on {
		return
	}
	a.captured = on
	mode := glfw.CursorNormal
	if on {
		mode = glfw.CursorDisabled
	}
	a.window.SetInputMode(glfw.CursorMode, mode)
	if glfw.RawMouseMotionSupported() {
		a.window.SetInputMode(glfw.RawMouseMotion, boolHint(on))
	}
	a.findMouse()
	a.hud.ignoreMouse(on)
}

func (a *app) toggleFullscreen() {
	if a.window.GetMonitor() != nil {
		p := a.windowed
		a.window.SetMonitor(nil, p.X, p.Y, p.Width, p.Height, glfw.DontCare)
	} else if m := monitorOf(a.window); m != nil && m.GetVideoMode() != nil {
		a.windowed = a.place()
		mode := m.GetVideoMode()
		a.window.SetMonitor(m, 0, 0, mode.Width, mode.Height, mode.RefreshRate)
	}
	a.findMouse()
	a.swapInterval() // some drivers forget it with the mode
}

func (a *app) toggleVsync() {
	a.vsync = !a.vsync
	a.swapInterval()
	a.say(map[bool]string{true: "vsync: on", false: "vsync: off"}[a.vsync])
}

func (a *app) swapInterval() { glfw.SwapInterval(map[bool]int{true: 1, false: 0}[a.vsync]) }

// place is where the window is now.
func (a *app) place() place {
	x, y := a.window.GetPos()
	w, h := a.window.GetSize()
	return place{X: x, Y: y, Width: w, Height: h, Known: true}
}

// savePlace remembers the window's place for the next time.
func (a *app) savePlace() {
	if a.opts.state == "" {
		return
	}
	p := a.windowed
	if a.window.GetMonitor() == nil {
		p = a.place()
		p.Maximized = a.window.GetAttrib(glfw.Maximized) == glfw.True
	}
	if err := savePlace(a.opts.state, p); err != nil {
		a.log.Debug("the window's place is not remembered", "err", err)
	}
}

func (a *app) quit() { a.done = true }

func (a *app) saveAndQuit() {
	if a.shown != nil {
		a.screenshot()
	}
	a.quit()
}

func (a *app) freeOrQuit() {
	if a.captured {
		a.capture(false)
		return
	}
	a.quit()
}
