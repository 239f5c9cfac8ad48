package cli

import (
	"context"
	"io"
	"os"

	"glint/tracer"
	"glint/tracer/cli/interrupt"
	"glint/tracer/cli/save"
	"glint/tracer/gpuscene"
	"glint/tracer/profile"
	"glint/tracer/scene"
	"glint/tracer/settings"
)

// Program is what main gives the command line: where to print, and the commands that need a window.
type Program struct {
	Version   string
	Stdout    io.Writer
	Stderr    *os.File
	View      func(context.Context, ViewRequest) error                       // shows the window until the context ends
	Keys      func(markdown bool, own map[string][]string) string            // the key table, with the user's own keys
	CheckKeys func(own map[string][]string) (wrong map[string]string)        // which of those the window cannot have, and why
	Checks    func() []Check                                                 // what doctor should ask of the window system
	Open      func(tracer.Options, profile.Policy) (*tracer.Renderer, error) // opens devices; nil: tracer.Open
	args      []string
	config    *config
	restoring restoring
	leftovers save.Leftovers
}

// ViewRequest says what the window shows at first.
type ViewRequest struct {
	Scene       string // path or built-in name
	Load        func(ctx context.Context, name string, o scene.Options) (*scene.Scene, error)
	Write       func(path string, s *scene.Scene) error // writes a built-in scene
	With        []string                                // files to merge into it
	FileHash    string                                  // of its files when a picture of it was made; empty: that is not known
	Variant     string                                  // of the scene's materials
	At          *float64                                // moment of the animation, s; nil: the window chooses
	Clip        string                                  // of the animations
	Edits       scene.Edits                             // of the scene's file
	LoadMemory  int64                                   // bytes
	Settings    settings.Settings
	Options     tracer.Options
	Helpers     []tracer.Options      // other devices, which help with views that rest
	Scenes      []settings.Choice     // the built-in ones
	Environment *gpuscene.Environment // nil leaves it to the scene
	// EnvironmentFlag is what Environment was made of.
	EnvironmentFlag string
	Width           int // of the window; 0 as it was last time
	Height          int
	Split           bool                // begin with two sides to compare
	SplitBackend    string              // begin with side B on this device
	Tour            bool                // begin with the tour
	Other           *settings.Settings  // of side B then; nil: the usual ones
	Keys            map[string][]string // for rows of the key table, in place of its own
	Out             io.Writer           // gets the paths of screenshots
	GoOn            string              // a file that a window has left which lost its GPU; empty: there is none
	// StartAgain replaces the process by another one, with the same flags, whose GoOn is a file.
	StartAgain func(file string) error
}

// Check is one line of `glint doctor`.
type Check struct {
	Name   string
	OK     bool
	Detail string // what was found
	Fix    string // what to do when it was not
}

// Abandon removes what a command has half written. The process must end then: it is for the exit of WithSignals.
func (p *Program) Abandon() { p.leftovers.Remove() }

// WithSignals returns a context that Ctrl+C and other signals cancel: see [interrupt.WithSignals].
func WithSignals(parent context.Context, exit func(code int)) (ctx context.Context, stop func()) {
	return interrupt.WithSignals(parent, exit)
}
