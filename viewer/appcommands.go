package viewer

import "glint/viewer/session"

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
