package viewer

import (
	"cmp"
	"fmt"
	"time"

	"github.com/go-gl/glfw/v3.3/glfw"

	"glint/tracer/view"
	"glint/viewer/session"
)

// keyOf names the first key of a row.
func keyOf(a *app, row string) string { return cmp.Or(a.keys.Of(row, a.input.mode), "no key") }

// togglePanel shows or hides the panel, which then has no button to bring it back.
func (a *app) togglePanel() {
	if a.overlay.showPanel = !a.overlay.showPanel; !a.overlay.showPanel {
		a.session.Messages.Say(keyOf(a, "panel") + " shows the panel again")
	}
}

func (a *app) setMode(m session.Mode) {
	a.input.mode = m
	a.input.release()
	a.input.capture(a.input.mode == session.Fly)
	says := map[session.Mode]string{session.Orbit: "orbit: drag to turn", session.Fly: "fly: W A S D and the mouse, " + keyOf(a, "escape") + " frees it"}
	a.session.Messages.Say(says[m])
}

func (a *app) quit() { a.done = true }

// quitWithin is how soon Esc must be pressed again to save and quit.
const quitWithin = 2 * time.Second

// escape closes what lies on top of the image, or stops loading. With nothing open it quits, if it is pressed twice.
func (a *app) escape() {
	switch {
	case closeTop(a):
	case time.Since(a.quitAsked) < quitWithin:
		if a.session.Stage.Shown != nil {
			a.session.Screenshot()
		}
		a.quit()
	default:
		a.quitAsked = time.Now()
		a.session.Messages.SayFor("Press "+keyOf(a, "escape")+" again to save and quit", quitWithin)
	}
}

// closeTop closes what lies on top of the image, or stops loading; false when there is nothing to do.
func closeTop(a *app) bool {
	switch {
	case a.hud.CloseTop():
	case a.overlay.showKeys:
		a.overlay.showKeys = false
	case a.input.captured:
		a.input.capture(false)
	case a.session.Questions.Close(), a.session.Again.Close(), a.session.Inspector.Release(), a.session.Stage.Turntable.Stop():
	default:
		return a.session.Loader.CancelLoading()
	}
	return true
}

// flyWithin is how long after a try to fly in orbit mode a press of S is another.
const flyWithin = 2 * time.Second

// sayHowToFly answers keys that fly in fly mode, and have no other meaning in orbit mode.
func (a *app) sayHowToFly() {
	a.flyTried = time.Now()
	a.session.Messages.Say("W A S D fly in fly mode: press " + keyOf(a, "mode") + ", or click fly in the panel")
}

// narrow makes the aperture smaller. W is also the key to fly ahead by.
func (a *app) narrow(e event) {
	if e.key == glfw.KeyW && a.session.Sides.Active.Settings.Aperture == 0 {
		a.sayHowToFly()
		return
	}
	a.session.Editor.StepSetting("aperture", -1)
}

// saveImage saves the image, unless S was pressed to fly back.
func (a *app) saveImage(e event) {
	if e.key == glfw.KeyS && time.Since(a.flyTried) < flyWithin {
		a.sayHowToFly()
		return
	}
	a.session.Screenshot()
}

// copyFlags copies the scene and the flags that show the same picture, for `glint` and `glint render`.
func (a *app) copyFlags() {
	if a.session.Stage.Shown == nil {
		return
	}
	flags := a.session.Documents.Text()
	a.display.window.SetClipboardString(flags)
	if lost := len(a.session.Stage.Shown.With); lost > 0 {
		a.session.Messages.Say("copied without " + session.Count(lost, "merged file") + ", which no flag names: " + flags)
		return
	}
	a.session.Messages.Say("copied: " + flags)
}

// refusedFor is how long it is said that a size does not fit.
const refusedFor = 8 * time.Second

// numberOf is the number on a key from 1 to 9.
func numberOf(e event) int { return int(e.key - glfw.Key0) }

// toggleFullscreen fills the screen with the window, or goes back.
func (a *app) toggleFullscreen() {
	a.display.toggleFullscreen()
	a.input.findMouse()
}

// takeSize gives the window the size of a name, where there is room for it.
func takeSize(a *app, name string) {
	size, ok := view.FindSize(name)
	if !ok {
		return
	}
	if fits(a, size, name) {
		a.display.resize(size)
		a.input.findMouse()
	}
}

// fits tells whether there is room for a size, and says it where there is not.
func fits(a *app, size view.Size, name string) bool {
	room := a.display.room()
	if size.Width <= room.Width && size.Height <= room.Height {
		return true
	}
	a.session.Messages.SayFor(fmt.Sprintf("%s does not fit on this screen, which has room for %s. `glint render --size %s` renders it: %s copies the other flags",
		size, room, name, keyOf(a, "copy")), refusedFor)
	return false
}

// searchSettings opens the panel at the field that filters it.
func (a *app) searchSettings() {
	a.input.capture(false)
	if a.overlay.showPanel, a.overlay.showKeys = true, false; a.layout().Panel.Empty() {
		a.overlay.page = session.NoPage // which leaves no room for the panel
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
	case session.TakeSize:
		takeSize(a, c.Name)
	case session.CopyFlags:
		a.copyFlags()
	case session.SetMode:
		a.setMode(c.Mode)
	case session.TogglePanel:
		a.togglePanel()
	case session.ShowKeys:
		a.overlay.showKeys = true
	case session.TurnTo:
		a.overlay.turnTo(c.Page)
	default:
		a.session.Do(c)
	}
}

// clickImage asks the page that is shown about a pixel, or else focuses there.
func clickImage(a *app, e event) {
	switch a.overlay.page {
	case session.InspectorPage:
		a.session.Inspector.PinAt(e.x, e.y)
	case session.EditPage:
		a.session.ScenePage.SelectAt(e.x, e.y)
	default:
		a.session.FocusAt(e.x, e.y)
	}
}
