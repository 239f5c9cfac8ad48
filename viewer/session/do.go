package session

// Do does what a command asks for. Those that are the window's own it ignores.
func (s *Session) Do(c Command) {
	switch c := c.(type) {
	case OpenScene:
		s.Documents.Open(c.Path)
	case OpenEnvironment:
		s.Loader.OpenEnvironment(c.Spec)
	case TakeVariant:
		s.Loader.TakeVariant(c.Name)
	case Mend:
		if s.Black.mend() {
			s.FrameScene()
		}
	case SaveImage:
		s.Screenshot()
	case SaveRadiance:
		s.SaveRadiance()
	case SaveReplay:
		saveReplay(s)
	case ToggleTurntable:
		s.Stage.ToggleTurntable()
	case LookThrough:
		s.Stage.LookThrough(c.Camera)
	case FrameScene:
		s.FrameScene()
	case SetFieldOfView:
		s.Stage.Camera.Camera.VFov = c.Degrees
	case ShowPlace:
		s.showPlace(c.Line)
	case SetSettings:
		s.Sides.Active.Settings = c.Settings
	case TogglePlaying:
		s.Stage.TogglePlaying()
	case ToggleLoop:
		s.Stage.ToggleLoop()
	case TakeClip:
		s.Stage.TakeClip(c.Clip)
	case Scrub:
		s.Stage.Scrub(c.Seconds)
	case SetSpeed:
		s.Stage.Player.Speed = min(max(c.Factor, Slowest), Fastest)
	case OpenSplit:
		s.OpenSplit()
	default:
		s.Questions.do(c)
		s.Inspector.do(c)
		s.Sides.do(c)
	}
}

// do does what a command asks for of two sides.
func (c *Comparison) do(command Command) {
	switch command := command.(type) {
	case ChooseSide:
		c.Choose(command.Side)
	case SetShow:
		c.Compare.Show = command.Show
	case SetPacing:
		c.setPacing(command.Pacing)
	case SetGain:
		c.Compare.Gain = command.Gain
	case ToggleReference:
		c.ToggleReference()
	case RestartSides:
		c.RestartSides()
	}
}
