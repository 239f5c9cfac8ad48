package viewer

import (
	"cmp"
	"fmt"
	"time"

	"github.com/go-gl/glfw/v3.3/glfw"
	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"glint/tracer/gpuscene"
	"glint/tracer/scene"
	"glint/tracer/settings"
	"glint/tracer/view"
	"glint/viewer/hud"
	"glint/viewer/session"
)

const (
	boostFactor = 4    // of the speed of flying
	nearestStep = 0.01 // units: the nearest focus that keys reach, since 0 means the look-at point
)

// step changes a setting by steps and says so.
func (a *app) step(setting string, by int) {
	row, ok := settings.Lookup(a.table, setting)
	if !ok {
		return
	}
	if setting == "focus" && a.active.Settings.Focus == 0 {
		a.active.Settings.Focus = a.controller.Distance() // where the lens focuses now
	}
	session.Adjust(row, &a.active.Settings, by, a.controller.Unit)
	if setting == "focus" {
		a.active.Settings.Focus = max(a.active.Settings.Focus, nearestStep*float64(a.controller.Unit))
	}
	a.saySetting(setting)
}

// saySetting tells a setting's value.
func (a *app) saySetting(name string) {
	if row, ok := settings.Lookup(a.table, name); ok {
		a.messages.Say(session.Describe(row, a.active.Settings))
	}
}

// dimLights dims all lights to a quarter, or undoes that.
func (a *app) dimLights() {
	const dim = 0.25
	if a.active.Settings.LightScale == 1 {
		a.active.Settings.LightScale = dim
	} else {
		a.active.Settings.LightScale = 1
	}
	a.saySetting("light-scale")
}

func (a *app) resetSettings() {
	for _, s := range a.sides {
		s.Settings = s.Start
	}
	a.messages.Say("settings as at the start")
}

// usualFPS is the frame rate that toggleTarget asks for: that of most displays.
const usualFPS = 60

// toggleTarget makes a moving view hold a frame rate, or not.
func (a *app) toggleTarget() {
	if a.active.Settings.TargetFPS > 0 {
		a.active.Settings.TargetFPS = 0
		a.messages.Say("frame rate: as it comes")
		return
	}
	a.active.Settings.TargetFPS = usualFPS
	a.messages.Say(fmt.Sprintf("frame rate: %d fps, by the size of what is rendered", usualFPS))
}

func (a *app) fly(ahead, right, up float32, dt float64) {
	d := a.controller.Speed * float32(dt)
	if a.boost {
		d *= boostFactor
	}
	a.controller.Fly(ahead*d, right*d, up*d)
}

// pan moves the view so that what is looked at stays under the mouse.
func (a *app) pan(e event) {
	h := float64(a.controller.ViewHeight())
	a.controller.Pan(float32(-e.dx*h), float32(e.dy*h))
}

// slide moves the view over the ground, so that this stays under the mouse.
func (a *app) slide(e event) {
	h := float64(a.controller.ViewHeight())
	a.controller.Slide(float32(-e.dx*h), float32(e.dy*h))
}

// pick is the point of the scene that the window shows at a point (screen coordinates), and its distance along the axis of
// the camera, m. Where there is none it says so.
func (a *app) pick(x, y float64) (at mgl64.Vec3, depth float64, hit bool) {
	if a.shown == nil {
		return at, 0, false
	}
	ww, wh := a.window.GetSize()
	fw, fh := a.window.GetFramebufferSize()
	if ww == 0 || wh == 0 {
		return at, 0, false
	}
	px, py := int(x*float64(fw)/float64(ww)), int(y*float64(fh)/float64(wh))
	if px < 0 || py < 0 || px >= fw || py >= fh {
		return at, 0, false
	}
	v := view.View{Camera: a.controller.Camera, Width: fw, Height: fh}
	z, hit, err := a.active.Device.Pick(v, &a.active.Settings, px, py)
	switch {
	case err != nil:
		a.messages.Warn("Pick: " + err.Error())
		return at, 0, false
	case !hit:
		a.messages.Say("there is nothing")
		return at, 0, false
	}
	lens := v.Lens(&a.active.Settings)
	ray := view.Ray(lens, (float32(px)+0.5)/float32(fw), (float32(py)+0.5)/float32(fh))
	way := mgl32.Vec3(ray.Direction)
	fromLens := mgl32.Vec3(ray.Origin).Sub(lens.Eye).Add(way.Mul(z / way.Dot(lens.Forward)))
	at = a.controller.Camera.Eye.Add(scene.Wide(fromLens))
	return at, float64(z), true
}

// focusAt focuses on what the window shows at a point, screen coordinates.
func (a *app) focusAt(x, y float64) {
	if _, depth, hit := a.pick(x, y); hit {
		a.focusOn(depth, x, y)
	}
}

func (a *app) focusOn(depth, x, y float64) {
	a.active.Settings.Focus = depth
	a.marker = session.NewFocusMarker(x, y)
	a.saySetting("focus")
}

// pivotAt focuses there as well, and has the view turn about that point.
func (a *app) pivotAt(x, y float64) {
	at, depth, hit := a.pick(x, y)
	if !hit {
		return
	}
	a.controller.Pivot = at
	a.focusOn(depth, x, y)
	a.messages.Say("pivot and focus: " + session.WithUnit(depth, "m") + " away")
}

func (a *app) focusOnTarget() {
	a.active.Settings.Focus = 0
	a.messages.Say("focus: the look-at point")
}

// copyFlags copies the scene and the flags that show the same picture, for `glint` and `glint render`.
func (a *app) copyFlags() {
	flags := ""
	if scene := cmp.Or(a.shown.file(), a.shown.path); scene != "" {
		flags = session.Quoted(scene) + " "
	}
	flags += session.CameraFlags(a.shown.scene.CameraToFile(a.controller.Camera))
	flags += a.playFlags()
	if a.shown.variant != "" {
		flags += " --variant " + session.Quoted(a.shown.variant)
	}
	if a.light.spec != "" {
		flags += " --env " + session.Quoted(gpuscene.FullEnvironment(a.light.spec))
	}
	if changed := session.SettingFlags(a.table, a.active.Settings); changed != "" {
		flags += " " + changed
	}
	a.window.SetClipboardString(flags)
	if lost := len(a.shown.with); lost > 0 {
		a.messages.Say("copied without " + session.Count(lost, "merged file") + ", which no flag names: " + flags)
		return
	}
	a.messages.Say("copied: " + flags)
}

// frameScene shows the whole scene.
func (a *app) frameScene() {
	if a.shown != nil {
		a.frameWith(a.shown.scene.FrameAll)
	}
}

// frameWith shows what a camera for an aspect ratio frames, in the middle of what panels leave free, and in focus: a distance that was
// chosen before is of another view.
func (a *app) frameWith(camera func(aspect float32) scene.Camera) {
	w, h := a.window.GetSize()
	if h == 0 {
		return
	}
	a.shown.camera, a.active.Settings.Focus = -1, 0
	free, height := a.layout().View, float32(h)
	if free.Empty() { // the panel is as wide as the window
		free = hud.NewRect(0, 0, float32(w), height)
	}
	a.controller.Frame(camera(free.Width()/height), (free.Middle().X-float32(w)/2)/height)
}

// aspect is the window's width over its height.
func (a *app) aspect() float32 {
	w, h := a.window.GetFramebufferSize()
	if h == 0 {
		return 1
	}
	return float32(w) / float32(h)
}

func (a *app) nextMode() { a.setMode((a.mode + 1) % session.Modes) }

func (a *app) setMode(m session.Mode) {
	a.mode = m
	a.input.release()
	a.capture(a.mode == session.Fly)
	a.messages.Say(map[session.Mode]string{session.Orbit: "orbit: drag to turn", session.Fly: "fly: W A S D and the mouse, Esc frees it"}[a.mode])
}

// layout is where everything is in the current window.
func (a *app) layout() hud.Layout { return a.hud.Plan(a.showPanel, a.page != session.NoPage) }

// turnTo shows a page, or none where that one is shown.
func (a *app) turnTo(p session.Page) {
	if a.page == p {
		p = session.NoPage
	}
	a.page = p
}

// togglePanel shows or hides the panel, which then has no button to bring it back.
func (a *app) togglePanel() {
	if a.showPanel = !a.showPanel; !a.showPanel {
		a.messages.Say("H shows the panel again")
	}
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
	a.hud.IgnoreMouse(on)
}

func (a *app) quit() { a.done = true }

func (a *app) saveAndQuit() {
	if a.shown != nil {
		a.screenshot()
	}
	a.quit()
}

// quitWithin is how soon Esc must be pressed again to save and quit.
const quitWithin = 2 * time.Second

// escape closes what lies on top of the image, or stops loading. With nothing open it quits, if it is pressed twice.
func (a *app) escape() {
	switch {
	case a.hud.CloseTop():
	case a.showKeys:
		a.showKeys = false
	case a.captured:
		a.capture(false)
	case a.cancelLoading():
	case time.Since(a.quitAsked) < quitWithin:
		a.saveAndQuit()
	default:
		a.quitAsked = time.Now()
		a.messages.SayFor("Press Esc again to save and quit", quitWithin)
	}
}

// flyWithin is how long after a try to fly in orbit mode a press of S is another.
const flyWithin = 2 * time.Second

// sayHowToFly answers keys that fly in fly mode, and have no other meaning in orbit mode.
func (a *app) sayHowToFly() {
	a.flyTried = time.Now()
	a.messages.Say("W A S D fly in fly mode: press Tab, or click fly in the panel")
}

// narrow makes the aperture smaller. W is also the key to fly ahead by.
func (a *app) narrow(e event) {
	if e.key == glfw.KeyW && a.active.Settings.Aperture == 0 {
		a.sayHowToFly()
		return
	}
	a.step("aperture", -1)
}

// saveImage saves the image, unless S was pressed to fly back.
func (a *app) saveImage(e event) {
	if e.key == glfw.KeyS && time.Since(a.flyTried) < flyWithin {
		a.sayHowToFly()
		return
	}
	a.screenshot()
}

// denoises tells whether the active side is denoised, with auto by what its frames say.
func (a *app) denoises() bool { return session.Denoises(a.active.Settings, a.active.Stats) }

// toggleDenoiser switches denoising off, or on again with the last denoiser; at first with the best.
func (a *app) toggleDenoiser() {
	if a.denoises() {
		a.lastDenoiser, a.active.Settings.Denoise = a.active.Settings.Denoise, "off"
	} else {
		if a.lastDenoiser == "" {
			a.lastDenoiser = a.bestDenoiser()
		}
		a.active.Settings.Denoise = a.lastDenoiser
	}
	a.saySetting("denoise")
}

// bestDenoiser is OIDN where it is found.
func (a *app) bestDenoiser() string {
	s := a.active.Settings
	s.Denoise = "oidn"
	if a.active.Device.CheckDenoiser(s) != nil {
		s.Denoise = "atrous"
	}
	return s.Denoise
}

// visit is the place of a line of the report that was shown last.
type visit struct {
	line  string
	place int
}

// showPlace looks at the next place of a line of the report.
func (a *app) showPlace(line session.ReportLine) {
	if a.shown == nil {
		return
	}
	last, next := &a.shown.visited, 0
	if last.line == line.Text {
		next = (last.place + 1) % len(line.Places)
	}
	*last = visit{line.Text, next}
	at := line.Places[next]
	a.frameWith(at.At.Frame)
	text := at.Name
	if n := len(line.Places); n > 1 {
		text += fmt.Sprintf(" · %d of %d", next+1, n)
	}
	a.messages.Say(text)
}

// searchSettings opens the panel at the field that filters it.
func (a *app) searchSettings() {
	a.capture(false)
	if a.showPanel, a.showKeys = true, false; a.layout().Panel.Empty() {
		a.page = session.NoPage // which leaves no room for the panel
	}
	a.hud.StartSearch()
}
