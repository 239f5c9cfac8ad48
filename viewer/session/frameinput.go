package session

import (
	"time"

	"glint/tracer/scene"
)

// FrameInput is what a frame is of, and what goes on around it.
type FrameInput struct {
	Now           time.Time
	clock         time.Duration // since the window opened
	camera        scene.Camera
	width, height int // pixels
	scene         *ShownScene
	posed         Moment
	dragged       bool // the user is changing the view
	playing       bool
	loading       bool        // another scene is on its way, and needs the memory
	statistics    bool        // they are shown
	touched       time.Time   // when the user last did something
	refresh       func() int  // of the display, Hz
	interrupted   func() bool // the user waits for the next frame
}
