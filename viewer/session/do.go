package session

// Do does what a command asks for. Those of the window's own it leaves to the window.
func (s *Session) Do(c Command) {
	switch c := c.(type) {
	case OpenScene:
		s.Open(c.Path)
	case OpenEnvironment:
		s.OpenEnvironment(c.Spec)
	case TakeVariant:
		s.TakeVariant(c.Name)
	case SaveImage:
		s.Screenshot()
	case SaveRadiance:
		s.SaveRadiance()
	case LookThrough:
		s.LookThrough(c.Camera)
	case FrameScene:
		s.FrameScene()
	case SetFieldOfView:
		s.Controller.Camera.VFov = c.Degrees
	case ShowPlace:
		s.showPlace(c.Line)
	case SetSettings:
		s.Active.Settings = c.Settings
	case TogglePlaying:
		s.TogglePlaying()
	case ToggleLoop:
		s.ToggleLoop()
	case TakeClip:
		s.TakeClip(c.Clip)
	case Scrub:
		s.Scrub(c.Seconds)
	case SetSpeed:
		s.Player.Speed = min(max(c.Factor, Slowest), Fastest)
	case OpenSplit:
		s.OpenSplit()
	case ChooseSide:
		s.Choose(c.Side)
	case SetShow:
		s.Compare.Show = c.Show
	case SetPacing:
		s.setPacing(c.Pacing)
	case SetGain:
		s.Compare.Gain = c.Gain
	case ToggleReference:
		s.ToggleReference()
	case RestartSides:
		s.RestartSides()
	}
}
