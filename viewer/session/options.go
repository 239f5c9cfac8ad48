package session

import (
	"context"
	"io"
	"log/slog"
	"os"

	"glint/tracer"
	"glint/tracer/gpuscene"
	"glint/tracer/scene"
	"glint/tracer/settings"
)

// LoadFunc reads a scene until ctx ends. The window gives the options Progress, which may be called from any goroutine, and
// Memory.
type LoadFunc func(ctx context.Context, path string, o scene.Options) (*scene.Scene, error)

// Options say what a session begins with.
type Options struct {
	Scene       *scene.Scene                            // shown first; nil: Path is loaded
	Path        string                                  // file to show first, when Scene is nil
	Load        LoadFunc                                // reads Path and whatever the user opens; nil takes scene.Load
	Write       func(path string, s *scene.Scene) error // writes a scene that Load knows by name to a file; nil: there is no way
	With        []string                                // files to merge into the first scene
	FileHash    string                                  // of the first scene's files when a picture was made that is shown again
	Variant     string                                  // of the first scene's materials; empty for its default
	At          *float64                                // moment of the first scene's animation to show, s; nil: the window chooses
	Clip        string                                  // of the animations; empty for the first
	Edits       scene.Edits                             // of the first scene's file
	LoadMemory  int64                                   // that a load may take of the host's, bytes; 0 takes guard.DefaultMemory
	Scenes      []settings.Choice                       // names that Load knows, with what they are: the user may choose among them
	Environment *gpuscene.Environment                   // lights every scene; nil leaves it to the scene
	// EnvironmentFlag is what Environment was made of, as --env writes it.
	EnvironmentFlag string
	Camera          *scene.Camera // first view; nil takes the file's, or one that frames the scene
	Settings        settings.Settings
	Tracer          tracer.Options
	Helpers         []tracer.Options                                                    // other devices, which help with views that rest
	Open            func(on tracer.Options, helpers []tracer.Options) (Renderer, error) // opens the renderer; nil takes the real one
	Other           *settings.Settings                                                  // of side B at first; nil: the counterpart of side A's
	Tour            bool                                                                // begin with the tour
	Split           bool                                                                // begin with two sides to compare
	SplitBackend    string                                                              // begin with side B on this device
	GoOn            string                                                              // a file that a window has left which lost its GPU: it goes before all that says what is shown first; empty: there is none
	Leave           string                                                              // where this one leaves such; empty: it does not offer to
	Log             *slog.Logger                                                        // nil discards
	Out             io.Writer                                                           // gets the paths of screenshots; nil takes standard output
}

// Logger is Log, or one that discards.
func (o Options) Logger() *slog.Logger {
	if o.Log == nil {
		return slog.New(slog.DiscardHandler)
	}
	return o.Log
}

func (o Options) withDefaults() Options {
	o.Log = o.Logger()
	if o.GoOn != "" {
		o.At, o.Clip, o.Camera, o.Split, o.SplitBackend, o.Tour = nil, "", nil, false, "", false
	}
	if o.Out == nil {
		o.Out = os.Stdout
	}
	if o.Open == nil {
		o.Open = OpenTracer
	}
	if o.Load == nil {
		o.Load = func(ctx context.Context, path string, opts scene.Options) (*scene.Scene, error) {
			opts.Scene = -1
			return scene.Load(ctx, path, opts)
		}
	}
	return o
}
