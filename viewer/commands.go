package viewer

import "glint/viewer/session"

// do does what a command asks for. Those of the window's own it leaves to the window.
func (s *Session) do(c session.Command) {
	switch c := c.(type) {
	case session.OpenScene:
		s.open(c.Path)
	case session.OpenEnvironment:
		s.openEnvironment(c.Spec)
	case session.TakeVariant:
		s.takeVariant(c.Name)
	case session.SaveImage:
		s.screenshot()
	case session.SaveRadiance:
		s.saveRadiance()
	case session.LookThrough:
		s.lookThrough(c.Camera)
	case session.FrameScene:
		s.frameScene()
	case session.SetFieldOfView:
		s.controller.Camera.VFov = c.Degrees
	case session.ShowPlace:
		s.showPlace(c.Line)
	case session.SetSettings:
		s.active.Settings = c.Settings
	case session.TogglePlaying:
		s.togglePlaying()
	case session.ToggleLoop:
		s.toggleLoop()
	case session.TakeClip:
		s.takeClip(c.Clip)
	case session.Scrub:
		s.scrub(c.Seconds)
	case session.SetSpeed:
		s.player.speed = min(max(c.Factor, session.Slowest), session.Fastest)
	case session.OpenSplit:
		s.openSplit()
	case session.ChooseSide:
		s.choose(c.Side)
	case session.SetShow:
		s.compare.show = c.Show
	case session.SetPacing:
		s.setPacing(c.Pacing)
	case session.SetGain:
		s.compare.gain = c.Gain
	case session.ToggleReference:
		s.toggleReference()
	case session.RestartSides:
		s.restartSides()
	}
}
