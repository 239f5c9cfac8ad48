package viewer

import (
	"time"

	"glint/tracer/scene"
)

const (
	enoughSamples = 1 << 16                // in every pixel: more make no visible difference
	stillAfter    = 150 * time.Millisecond // without a change the view counts as still
)

// frameInput is what a frame is of, and what goes on around it.
type frameInput struct {
	now           time.Time
	clock         time.Duration // since the window opened
	camera        scene.Camera
	width, height int // pixels
	scene         *shownScene
	posed         moment
	dragged       bool // the user is changing the view
	playing       bool
	loading       bool        // another scene is on its way, and needs the memory
	statistics    bool        // they are shown
	touched       time.Time   // when the user last did something
	refresh       func() int  // of the display, Hz
	interrupted   func() bool // the user waits for the next frame
}
