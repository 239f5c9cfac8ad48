// Package session is what the window is about, and needs no window: a scene, seen from somewhere, and the sides that render it.
// A test can drive it: New, Start, then frame by frame Do (what the user asks for), Update and Render, and Model says what is shown.
//
// A Session is made of parts that know the parts below them, but not the session. Comparison has the sides, Frames renders what
// tracer/schedule decides, Stage has scene, camera and animation, Loader brings scenes there, Editor changes
// settings as keys do, and Documents are pictures that are shown again.
package session

import (
	"image"
	"log/slog"
	"math"
	"time"
)

// Window is what a session asks of the window that shows it.
type Window struct {
	Size       func() (width, height int)                          // screen coordinates
	Pixels     func() (width, height int)                          // of the image
	Free       func() Area                                         // what panels leave free
	Refresh    func() int                                          // of the display, Hz
	Waiting    func() bool                                         // the user has done something: a long frame is to end
	Capture    func(width, height int) (*image.NRGBA, error)       // two sides as they are seen
	SetTitle   func(title string)                                  // to the scene's
	NewPicture func() Picture                                      // for another side
	Wake       func()                                              // from any goroutine: there is something to do
	AskForFile func(title, folder string, found func(path string)) // by the desktop's dialog; nil: there is none
	Remember   func()                                              // writes what is to be remembered for the next window
}

// pixelAt is the pixel of the image at a point of the window, screen coordinates; −1, −1 where the window has no size.
func (w Window) pixelAt(x, y float64) (px, py int) {
	ww, wh := w.Size()
	fw, fh := w.Pixels()
	if ww == 0 || wh == 0 {
		return -1, -1
	}
	return int(math.Floor(x * float64(fw) / float64(ww))), int(math.Floor(y * float64(fh) / float64(wh)))
}

// Area is a part of the window, screen coordinates.
type Area struct{ From, To [2]float32 }

// Width is how wide it is.
func (a Area) Width() float32 { return a.To[0] - a.From[0] }

// Height is how high it is.
func (a Area) Height() float32 { return a.To[1] - a.From[1] }

// Middle is halfway between its left and right.
func (a Area) Middle() float32 { return (a.From[0] + a.To[0]) / 2 }

// Session is what the window is about: a scene, seen from somewhere, and the sides that render it.
type Session struct {
	Sides     *Comparison
	Frames    *Frames
	Stage     *Stage
	Loader    *Loader
	Editor    *Editor
	Documents *Documents
	Shots     *Shots
	Black     *Black
	History   *History
	Tree      *SceneTree
	Questions *Questions
	Inspector *Inspector
	ScenePage *ScenePage
	Outline   *Outline
	Keeper    *Keeper
	Elsewhere *Elsewhere
	Again     *Again

	opts     Options
	host     Window
	Log      *slog.Logger
	Tasks    Mailbox
	Messages Messages
	Begun    time.Time
	Failure  error // of the first scene, or of what ends everything
}
