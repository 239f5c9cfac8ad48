package session

import (
	"glint/tracer/scene"
	"glint/tracer/schedule"
	"glint/tracer/settings"
)

// Command is what the user asks for in the panel: one of the types below.
type Command any

type (
	// ChooseScene lets the user choose a file in the desktop's dialog.
	ChooseScene struct{}
	// ChooseEnvironment does so for an environment.
	ChooseEnvironment struct{}
	// OpenScene loads a scene while the old one stays.
	OpenScene struct{ Path string }
	// OpenEnvironment lights the scene by an environment, as --env names it.
	OpenEnvironment struct{ Spec string }
	// TakeVariant shows a variant of the materials; an empty name is the default.
	TakeVariant struct{ Name string }
	// SaveImage saves the image as it is shown.
	SaveImage struct{}
	// SaveRadiance saves the radiance of the active side.
	SaveRadiance struct{}
	// Mend does what Model.Black says.
	Mend struct{}
	// LookForNoise finds out what makes the view noisy.
	LookForNoise struct{}
	// MendNoise does what helps against a part of the noise that was found.
	MendNoise struct{ Part int }
	// Tune measures the ways to execute the settings, and takes the fastest.
	Tune struct{}
	// ZoomLoupe magnifies by the next factor.
	ZoomLoupe struct{}
	// StepSample shows another sample of the pinned pixel.
	StepSample struct{ By int }
	// BrightestSample shows its brightest one.
	BrightestSample struct{}
	// FindOutliers marks the pixels that are much brighter than those around them.
	FindOutliers struct{}
	// FindDropped pins the last sample that was no number.
	FindDropped struct{}
	// SaveReplay saves the sample in the inspector to a file, from which it can be traced again.
	SaveReplay struct{}
	// ReleasePixel lets go of the pixel that is pinned.
	ReleasePixel struct{}
	// StartTour begins the tour of light transport, or ends it.
	StartTour struct{}
	// StepTour goes on to its next stop, or back.
	StepTour struct{ By int }
	// CloseFindings hides Model.Findings.
	CloseFindings struct{}
	// StartAgain starts the program again, where the GPU was lost.
	StartAgain struct{}
	// StayOnProcessor takes the offer of that back.
	StayOnProcessor struct{}
	// CopyFlags copies the scene and the flags that show the same picture.
	CopyFlags struct{}

	// SetMode changes how the user moves.
	SetMode struct{ Mode Mode }
	// TakeSize gives the window a size by its name.
	TakeSize struct{ Name string }
	// ToggleTurntable turns the view about its pivot, or stops.
	ToggleTurntable struct{}
	// LookThrough takes a camera of the file.
	LookThrough struct{ Camera int }
	// FrameScene shows the whole scene.
	FrameScene struct{}
	// SetFieldOfView changes the camera's angle.
	SetFieldOfView struct{ Degrees float32 }
	// ShowPlace looks at the next place of a line of the report.
	ShowPlace struct{ Line ReportLine }

	// SetSettings changes those of the active side.
	SetSettings struct{ Settings settings.Settings }

	// EditScene gives a property of the file another value.
	EditScene struct{ Edit scene.Edit }
	// RevertEdit gives it the file's value again.
	RevertEdit struct{ Pointer string }
	// ShowNode shows a node of the file, or hides it.
	ShowNode struct {
		Object  string
		Visible bool
	}
	// SoloNode hides all others, or shows them again.
	SoloNode struct{ Object string }
	// FrameNode looks at a node.
	FrameNode struct{ Object string }
	// SelectObject shows the properties of an object of the file, by its pointer.
	SelectObject struct{ Object string }
	// SearchScene lists what of the file is called so.
	SearchScene struct{ Text string }
	// WriteScene writes a built-in scene to a file, and opens that.
	WriteScene struct{}
	// SaveScene writes the file with the edits, next to it.
	SaveScene struct{}
	// Undo takes the last change back.
	Undo struct{}
	// Redo makes it again.
	Redo struct{}

	// TogglePlaying plays the animation, or pauses.
	TogglePlaying struct{}
	// ToggleLoop has it begin again at its end, or stop there.
	ToggleLoop struct{}
	// TakeClip changes to an animation; −1 is the scene at rest.
	TakeClip struct{ Clip int }
	// Scrub pauses at a time of the animation.
	Scrub struct{ Seconds float64 }
	// SetSpeed sets how fast it plays.
	SetSpeed struct{ Factor float64 }

	// OpenSplit opens side B.
	OpenSplit struct{}
	// OpenElsewhere opens side B on another device.
	OpenElsewhere struct{}
	// ChooseSide makes a side the active one.
	ChooseSide struct{ Side int }
	// SetShow changes how two sides are seen.
	SetShow struct{ Show Show }
	// SetPacing changes what they get equal amounts of.
	SetPacing struct{ Pacing schedule.Pacing }
	// SetGain changes how much their difference is amplified.
	SetGain struct{ Gain int }
	// ToggleReference measures them against a reference, or no longer.
	ToggleReference struct{}
	// RestartSides discards the images of both.
	RestartSides struct{}

	// TogglePanel shows or hides the panel.
	TogglePanel struct{}
	// ShowKeys shows all keys.
	ShowKeys struct{}
	// TurnTo shows a page, or hides it.
	TurnTo struct{ Page Page }
)
