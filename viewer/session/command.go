package session

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
	ShowPlace      struct{ Line ReportLine } // the next place of a line of the report
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
	SetShow         struct{ Show Show }
	SetPacing       struct{ Pacing Pacing }
	SetGain         struct{ Gain int }
	ToggleReference struct{}
	RestartSides    struct{}
)

// What is shown over the image.
type (
	TogglePanel struct{}
	ShowKeys    struct{}
	TurnTo      struct{ Page Page } // or away from it
)
