package session

import (
	"cmp"
	"time"

	"glint/tracer/guard"
)

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
		s.doEdit(c)
		s.ScenePage.do(c)
		s.Tree.do(c)
		s.Questions.do(c)
		s.Again.do(c)
		s.Inspector.do(c)
		s.Elsewhere.do(c)
		s.Sides.do(c)
	}
}

// doEdit does what a command asks for of the file and of what was changed.
func (s *Session) doEdit(c Command) {
	switch c := c.(type) {
	case EditScene:
		s.Stage.Edit(c.Edit)
	case RevertEdit:
		s.Stage.Revert(c.Pointer)
	case SaveScene:
		s.Shots.saveScene(s.Stage, guard.NewMemory(cmp.Or(s.opts.LoadMemory, guard.DefaultMemory)))
	case WriteScene:
		writeScene(s)
	case Undo:
		s.History.Undo(time.Now())
	case Redo:
		s.History.Redo(time.Now())
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
