package viewer

import "glint/tracer/settings"

// Command is what the user asks for in the panel: one of the types below. Those without a value have no fields.
type Command any

// Files, and what becomes of the image.
type (
	ChooseScene       struct{} // by the desktop's dialog
	ChooseEnvironment struct{} // likewise
	OpenScene         struct{ Path string }
	OpenEnvironment   struct{ Spec string } // as --env names it
	TakeVariant       struct{ Name string } // of materials; empty: the default
	SaveImage         struct{}
	SaveRadiance      struct{}
	CopyFlags         struct{} // of the scene and the settings that show the same picture
)

// The camera.
type (
	SetMode        struct{ Mode Mode }
	LookThrough    struct{ Camera int } // of the file
	FrameScene     struct{}             // see all of it
	SetFieldOfView struct{ Degrees float32 }
	ShowPlace      struct{ Line reportLine } // the next place of a line of the report
)

// SetSettings changes those of the active side.
type SetSettings struct{ Settings settings.Settings }

// The animation.
type (
	TogglePlaying struct{}
	ToggleLoop    struct{}
	TakeClip      struct{ Clip int } // −1: the scene at rest
	Scrub         struct{ Seconds float64 }
	SetSpeed      struct{ Factor float64 }
)

// Two sides.
type (
	OpenSplit       struct{}
	ChooseSide      struct{ Side int }
	SetShow         struct{ Show show }
	SetPacing       struct{ Pacing pacing }
	SetGain         struct{ Gain int }
	ToggleReference struct{}
	RestartSides    struct{}
)

// What is shown over the image.
type (
	TogglePanel struct{}
	ShowKeys    struct{}
	TurnTo      struct{ Page page } // or away from it
)

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
