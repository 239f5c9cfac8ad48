package viewer

import (
	"time"

	"github.com/go-gl/glfw/v3.3/glfw"

	"glint/viewer/session"
)

// togglePanel shows or hides the panel, which then has no button to bring it back.
func (a *app) togglePanel() {
	if a.showPanel = !a.showPanel; !a.showPanel {
		a.Messages.Say("H shows the panel again")
	}
}

func (a *app) setMode(m session.Mode) {
	a.mode = m
	a.input.release()
	a.capture(a.mode == session.Fly)
	a.Messages.Say(map[session.Mode]string{session.Orbit: "orbit: drag to turn", session.Fly: "fly: W A S D and the mouse, Esc frees it"}[a.mode])
}

func (a *app) quit() { a.done = true }

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
	case a.CancelLoading():
	case time.Since(a.quitAsked) < quitWithin:
		if a.Shown != nil {
			a.Screenshot()
		}
		a.quit()
	default:
		a.quitAsked = time.Now()
		a.Messages.SayFor("Press Esc again to save and quit", quitWithin)
	}
}

// flyWithin is how long after a try to fly in orbit mode a press of S is another.
const flyWithin = 2 * time.Second

// sayHowToFly answers keys that fly in fly mode, and have no other meaning in orbit mode.
func (a *app) sayHowToFly() {
	a.flyTried = time.Now()
	a.Messages.Say("W A S D fly in fly mode: press Tab, or click fly in the panel")
}

// narrow makes the aperture smaller. W is also the key to fly ahead by.
func (a *app) narrow(e event) {
	if e.key == glfw.KeyW && a.Active.Settings.Aperture == 0 {
		a.sayHowToFly()
		return
	}
	a.StepSetting("aperture", -1)
}

// saveImage saves the image, unless S was pressed to fly back.
func (a *app) saveImage(e event) {
	if e.key == glfw.KeyS && time.Since(a.flyTried) < flyWithin {
		a.sayHowToFly()
		return
	}
	a.Screenshot()
}

// copyFlags copies the scene and the flags that show the same picture, for `glint` and `glint render`.
func (a *app) copyFlags() {
	flags := a.Flags(a.Table, a.Active.Settings)
	a.window.SetClipboardString(flags)
	if lost := len(a.Shown.With); lost > 0 {
		a.Messages.Say("copied without " + session.Count(lost, "merged file") + ", which no flag names: " + flags)
		return
	}
	a.Messages.Say("copied: " + flags)
}

// toggleFullscreen fills the screen with the window, or goes back.
func (a *app) toggleFullscreen() {
	a.display.toggleFullscreen()
	a.findMouse()
}

// searchSettings opens the panel at the field that filters it.
func (a *app) searchSettings() {
	a.capture(false)
	if a.showPanel, a.showKeys = true, false; a.layout().Panel.Empty() {
		a.page = session.NoPage // which leaves no room for the panel
	}
	a.hud.StartSearch()
}

// do does what a command asks for.
func (a *app) do(c session.Command) {
	switch c := c.(type) {
	case session.ChooseScene:
		a.chooseFile()
	case session.ChooseEnvironment:
		a.chooseEnvironment()
	case session.CopyFlags:
		a.copyFlags()
	case session.SetMode:
		a.setMode(c.Mode)
	case session.TogglePanel:
		a.togglePanel()
	case session.ShowKeys:
		a.showKeys = true
	case session.TurnTo:
		a.turnTo(c.Page)
	default:
		a.Session.Do(c)
	}
}
