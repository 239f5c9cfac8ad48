package viewer

// do does what a command asks for.
func (a *app) do(c Command) {
	switch c := c.(type) {
	case ChooseScene:
		a.chooseFile()
	case ChooseEnvironment:
		a.chooseEnvironment()
	case OpenScene:
		a.open(c.Path)
	case OpenEnvironment:
		a.openEnvironment(c.Spec)
	case TakeVariant:
		a.takeVariant(c.Name)
	case SaveImage:
		a.screenshot()
	case SaveRadiance:
		a.saveRadiance()
	case CopyFlags:
		a.copyFlags()
	case SetMode:
		a.setMode(c.Mode)
	case LookThrough:
		a.lookThrough(c.Camera)
	case FrameScene:
		a.frameScene()
	case SetFieldOfView:
		a.controller.camera.VFov = c.Degrees
	case ShowPlace:
		a.showPlace(c.Line)
	case SetSettings:
		a.active.settings = c.Settings
	case TogglePlaying:
		a.togglePlaying()
	case ToggleLoop:
		a.toggleLoop()
	case TakeClip:
		a.takeClip(c.Clip)
	case Scrub:
		a.scrub(c.Seconds)
	case SetSpeed:
		a.player.speed = min(max(c.Factor, slowest), fastest)
	case OpenSplit:
		a.openSplit()
	case ChooseSide:
		a.choose(c.Side)
	case SetShow:
		a.compare.show = c.Show
	case SetPacing:
		a.setPacing(c.Pacing)
	case SetGain:
		a.compare.gain = c.Gain
	case ToggleReference:
		a.toggleReference()
	case RestartSides:
		a.restartSides()
	case TogglePanel:
		a.togglePanel()
	case ShowKeys:
		a.showKeys = true
	case TurnTo:
		a.turnTo(c.Page)
	}
}
