package viewer

import "glint/viewer/session"

// do does what a command asks for.
func (a *app) do(c session.Command) {
	switch c := c.(type) {
	case session.ChooseScene:
		a.chooseFile()
	case session.ChooseEnvironment:
		a.chooseEnvironment()
	case session.OpenScene:
		a.open(c.Path)
	case session.OpenEnvironment:
		a.openEnvironment(c.Spec)
	case session.TakeVariant:
		a.takeVariant(c.Name)
	case session.SaveImage:
		a.screenshot()
	case session.SaveRadiance:
		a.saveRadiance()
	case session.CopyFlags:
		a.copyFlags()
	case session.SetMode:
		a.setMode(c.Mode)
	case session.LookThrough:
		a.lookThrough(c.Camera)
	case session.FrameScene:
		a.frameScene()
	case session.SetFieldOfView:
		a.controller.Camera.VFov = c.Degrees
	case session.ShowPlace:
		a.showPlace(c.Line)
	case session.SetSettings:
		a.active.Settings = c.Settings
	case session.TogglePlaying:
		a.togglePlaying()
	case session.ToggleLoop:
		a.toggleLoop()
	case session.TakeClip:
		a.takeClip(c.Clip)
	case session.Scrub:
		a.scrub(c.Seconds)
	case session.SetSpeed:
		a.player.speed = min(max(c.Factor, session.Slowest), session.Fastest)
	case session.OpenSplit:
		a.openSplit()
	case session.ChooseSide:
		a.choose(c.Side)
	case session.SetShow:
		a.compare.show = c.Show
	case session.SetPacing:
		a.setPacing(c.Pacing)
	case session.SetGain:
		a.compare.gain = c.Gain
	case session.ToggleReference:
		a.toggleReference()
	case session.RestartSides:
		a.restartSides()
	case session.TogglePanel:
		a.togglePanel()
	case session.ShowKeys:
		a.showKeys = true
	case session.TurnTo:
		a.turnTo(c.Page)
	}
}
