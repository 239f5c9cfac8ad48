// Package viewer is glint's window: a scene that is path traced while the user moves through it.
//
//	package main
//
//	import (
//		"context"
//		"fmt"
//		"os"
//		"runtime"
//
//		"glint/tracer/settings"
//		"glint/viewer"
//	)
//
//	func init() { runtime.LockOSThread() } // a window belongs to the main thread
//
//	func main() {
//		err := viewer.Run(context.Background(), viewer.Options{Path: "duck.glb", Settings: settings.Defaults()})
//		if err != nil {
//			fmt.Fprintln(os.Stderr, "glint:", err)
//			os.Exit(2)
//		}
//	}
//
// In a frame, events change camera and settings, each side has its renderer add samples and write a pixel buffer (render.go), the
// present pass draws that (screen.go), and panel and overlays are drawn on top (package hud). They show a model that is made once a
// frame (model.go), and what the user does in them becomes commands, which follow when all is drawn (commands.go). What a key does
// is one row of the table in keys.go. What the panel shows follows from the table of settings.
//
// Two sides, A and B, can be compared. Each has settings, an image and statistics of its own (package session). They are shown side
// by side, one at a time, or as their difference (compare.go).
package viewer

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"runtime/debug"

	"github.com/adrg/xdg"

	"glint/tracer"
	"glint/tracer/gpuscene"
	"glint/tracer/scene"
	"glint/tracer/settings"
	"glint/viewer/session"
)

// LoadFunc reads a scene until ctx ends. The window gives the options Progress, which may be called from any goroutine, and
// Memory.
type LoadFunc func(ctx context.Context, path string, o scene.Options) (*scene.Scene, error)

// Options say what the window opens with.
type Options struct {
	Scene       *scene.Scene          // shown first; nil: Path is loaded
	Path        string                // file to show first, when Scene is nil
	Load        LoadFunc              // reads Path and whatever the user opens; nil takes scene.Load
	Variant     string                // of the first scene's materials; empty for its default
	At          *float64              // moment of the first scene's animation to show, s; nil: the window chooses
	Clip        string                // of the animations; empty for the first
	LoadMemory  int64                 // that a load may take of the host's, bytes; 0 takes guard.DefaultMemory
	Scenes      []settings.Choice     // names that Load knows, with what they are: the user may choose among them
	Environment *gpuscene.Environment // lights every scene; nil leaves it to the scene
	// EnvironmentFlag is what Environment was made of, as --env writes it.
	EnvironmentFlag string
	Camera          *scene.Camera // first view; nil takes the file's, or one that frames the scene
	Settings        settings.Settings
	Tracer          tracer.Options
	// Width and Height are the window's size in screen coordinates; 0 means as big as the last time.
	Width, Height int
	Split         bool         // begin with two sides to compare
	Log           *slog.Logger // nil discards
	Out           io.Writer    // gets the paths of screenshots; nil takes standard output

	scale float32                                        // of the display; 0: as it says. Tests have others
	state string                                         // file that keeps the window's placement
	open  func(tracer.Options) (session.Renderer, error) // tests have another
}

// Run shows the window until the user closes it or the context ends; the error is then its cause. It must be called on the main
// goroutine, locked to its thread. Other errors are ErrNoDisplay, why the first scene could not be loaded, or how the device failed.
func Run(ctx context.Context, o Options) (err error) {
	defer func() {
		if problem := recover(); problem != nil {
			o.logger().Debug("panic in the viewer", "stack", string(debug.Stack()))
			err = fmt.Errorf("the window failed: %v", problem)
		}
	}()
	a, err := start(o.withDefaults())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, a.close()) }()
	defer context.AfterFunc(ctx, func() { a.tasks.post(func() { a.failure = context.Cause(ctx) }) })()
	return a.loop()
}

func (o Options) logger() *slog.Logger {
	if o.Log == nil {
		return slog.New(slog.DiscardHandler)
	}
	return o.Log
}

func (o Options) withDefaults() Options {
	o.Log = o.logger()
	if o.Out == nil {
		o.Out = os.Stdout
	}
	if o.open == nil {
		o.open = session.OpenTracer
	}
	if o.Load == nil {
		o.Load = func(ctx context.Context, path string, opts scene.Options) (*scene.Scene, error) {
			opts.Scene = -1
			return scene.Load(ctx, path, opts)
		}
	}
	if o.state == "" {
		path, err := xdg.StateFile("glint/window.toml")
		if err != nil {
			o.Log.Debug("the window's placement will not be remembered", "err", err)
		}
		o.state = path
	}
	return o
}
